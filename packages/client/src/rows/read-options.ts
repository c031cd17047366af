import type { CallOptions } from "../request/client-options.ts";
import type { Query } from "../request/query.ts";
import type { FieldPaths } from "../types/fields.ts";
import type { Filter } from "../types/filter.ts";
import { filterBrackets, filterText, requireDefined } from "./filter-text.ts";

/** How a response shows to-many relations, by their paths or aliases. */
export type Deep = Readonly<Record<string, DeepOptions>>;

export type DeepOptions = {
  readonly limit?: number;
  readonly offset?: number;
  readonly orderBy?: string | readonly string[];
  readonly where?: Readonly<Record<string, unknown>>;
  /** `true` returns the rows as `data`, with `nextCursor`; a `nextCursor` the next page. */
  readonly cursor?: true | string;
  /** Groups the rows of which `fields` has numbers. */
  readonly groupBy?: readonly string[];
  /** A filter on the results of the groups. */
  readonly having?: Readonly<Record<string, unknown>>;
};

/** Options of a read of one row. */
export type GetOptions<
  R,
  N extends keyof R,
  F extends readonly string[],
  D extends Deep = Deep,
> = CallOptions & {
  /** Fields and paths (`driver.name`), with aliases (`long:trips.id`); without it, every readable column. */
  readonly fields?: F & FieldPaths<R, N, F>;
  readonly deep?: D;
};

/** Options that select rows. */
export type ExportOptions<
  R,
  N extends keyof R,
  F extends readonly string[],
  D extends Deep = Deep,
> = GetOptions<R, N, F, D> & {
  readonly where?: Filter<R, N>;
  /** Fields and paths; a minus sorts in descending order, `:nulls_first` and `:nulls_last` place nulls. */
  readonly orderBy?: string | readonly string[];
  readonly limit?: number;
  readonly offset?: number;
  /** A text that a readable text column contains. */
  readonly search?: string;
};

export type ListOptions<
  R,
  N extends keyof R,
  F extends readonly string[],
  D extends Deep = Deep,
> = ExportOptions<R, N, F, D> & {
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
    ...Object.entries(deep).flatMap(([path, options]): Query => {
      const name = `deep[${path}]`;
      const { where: filter, having: condition } = options;
      return [
        [`${name}[limit]`, numberText(options.limit)],
        [`${name}[offset]`, numberText(options.offset)],
        [`${name}[order_by]`, orderText(options.orderBy)],
        [`${name}[cursor]`, options.cursor === undefined ? undefined : String(options.cursor)],
        [`${name}[group_by]`, options.groupBy?.join()],
        ...(filter === undefined ? [] : filterBrackets(filter, `${name}[where]`)),
        ...(condition === undefined ? [] : filterBrackets(condition, `${name}[having]`)),
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
    const { orderBy, groupBy, ...rest } = each;
    if (rest.where !== undefined) requireDefined(rest.where, `deep[${path}][where]`);
    if (rest.having !== undefined) requireDefined(rest.having, `deep[${path}][having]`);
    return [path, { ...rest, order_by: orderTerms(orderBy), group_by: groupBy }] as const;
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
  return text.match(/(?:"(?:[^"]|"")*"|\([^()]*\)|[^,"])+/g) ?? [];
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
