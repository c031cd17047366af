import type { CallOptions } from "../request/client-options.ts";
import type { Query } from "../request/query.ts";
import type { FieldPaths } from "../types/fields.ts";
import type { Filter } from "../types/filter.ts";
import { filterBrackets, filterText, requireDefined } from "./filter-text.ts";

/** Limit, order and filter of the rows of a to-many relation, by the path of the relation. */
export type Deep = Readonly<
  Record<
    string,
    {
      readonly limit?: number;
      readonly orderBy?: string | readonly string[];
      readonly where?: Readonly<Record<string, unknown>>;
    }
  >
>;

/** Options of a read of one row. */
export type GetOptions<R, N extends keyof R, F extends readonly string[]> = CallOptions & {
  /** Fields and paths (`driver.name`); without it, every readable column. */
  readonly fields?: F & FieldPaths<R, N, F>;
  readonly deep?: Deep;
};

/** Options that select rows. */
export type ExportOptions<R, N extends keyof R, F extends readonly string[]> = GetOptions<
  R,
  N,
  F
> & {
  readonly where?: Filter<R, N>;
  /** Fields and paths; a minus sorts in descending order, `:nulls_first` and `:nulls_last` place nulls. */
  readonly orderBy?: string | readonly string[];
  readonly limit?: number;
  readonly offset?: number;
  /** A text that a readable text column contains. */
  readonly search?: string;
};

/** Options of a list. */
export type ListOptions<R, N extends keyof R, F extends readonly string[]> = ExportOptions<
  R,
  N,
  F
> & {
  /** `meta.nextCursor` of the previous page; all other options must be equal. */
  readonly cursor?: string;
  readonly count?: "exact" | "estimated";
  /** Adds the tag of each row as `meta.etags`, for `ifMatch`; tables with a key only. */
  readonly etags?: boolean;
};

/** The options as the query writer sees them. */
export type ReadParts = {
  readonly fields?: readonly string[];
  readonly deep?: Deep;
  readonly where?: unknown;
  readonly orderBy?: string | readonly string[];
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly search?: string;
  readonly cursor?: string | undefined;
  readonly count?: string | undefined;
  readonly aggregate?: readonly string[];
  readonly groupBy?: readonly string[];
  readonly having?: unknown;
};

/** Returns the query of a read. @throws TypeError for a filter with an undefined value */
export function readQuery(parts: ReadParts): Query {
  const { fields, deep = {}, where, search, limit, offset, cursor, count, having } = parts;
  return [
    ["fields", fields?.join()],
    ["aggregate", parts.aggregate?.join()],
    ["group_by", parts.groupBy?.join()],
    ["where", where === undefined ? undefined : filterText(where, "where")],
    ["having", having === undefined ? undefined : filterText(having, "having")],
    ["search", search],
    ["order_by", orderText(parts.orderBy)],
    ["limit", numberText(limit)],
    ["offset", numberText(offset)],
    ["cursor", cursor],
    ["count", count],
    ...Object.entries(deep).flatMap(([path, { limit: most, orderBy, where: filter }]): Query => {
      const name = `deep[${path}]`;
      return [
        [`${name}[limit]`, numberText(most)],
        [`${name}[order_by]`, orderText(orderBy)],
        ...(filter === undefined ? [] : filterBrackets(filter, `${name}[where]`)),
      ];
    }),
  ];
}

/** Returns the same read as the body of `POST …/query`. */
export function readBody(parts: ReadParts): Readonly<Record<string, unknown>> {
  const { where, having, search, limit, offset, cursor, count, deep } = parts;
  if (where !== undefined) requireDefined(where, "where");
  if (having !== undefined) requireDefined(having, "having");
  const order = orderTerms(parts.orderBy);
  const related = Object.entries(deep ?? {}).map(([path, each]) => {
    if (each.where !== undefined) requireDefined(each.where, `deep[${path}][where]`);
    const { limit: most, where: filter } = each;
    return [path, { limit: most, order_by: orderTerms(each.orderBy), where: filter }] as const;
  });
  return {
    ...{ fields: parts.fields?.flatMap(termsOf), aggregate: parts.aggregate },
    ...{ group_by: parts.groupBy, where, having, search, order_by: order },
    ...{ limit, offset, cursor, count },
    deep: related.length === 0 ? undefined : Object.fromEntries(related),
  };
}

/** Splits a list of terms at its commas, except those in double quotes or parentheses. */
function termsOf(text: string): string[] {
  return text.match(/(?:"(?:[^"]|"")*"|\([^)]*\)|[^,"])+/g) ?? [];
}

function orderTerms(orderBy: string | readonly string[] | undefined): string[] | undefined {
  const text = orderText(orderBy);
  return text === undefined ? undefined : termsOf(text);
}

function orderText(orderBy: string | readonly string[] | undefined): string | undefined {
  const text = typeof orderBy === "string" ? orderBy : orderBy?.join();
  return text === "" ? undefined : text;
}

function numberText(number: number | undefined): string | undefined {
  return number === undefined ? undefined : String(number);
}
