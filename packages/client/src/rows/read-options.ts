import type { CallOptions } from "../request/client-options.ts";
import { type Query, writeQuery } from "../request/query.ts";
import type { Outgoing } from "../request/transport.ts";
import type { Deep, DeepArgument } from "../types/deep.ts";
import type { FieldPaths } from "../types/fields.ts";
import type { Filter, FilterArgument } from "../types/filter.ts";
import type { RowOrder, Valid } from "../types/paths.ts";
import { filterBrackets, filterText, requireDefined } from "./filter-text.ts";

/** Options of a read of one row. */
export type GetOptions<
  R,
  N extends keyof R,
  F extends readonly string[],
  D = Deep,
> = CallOptions & {
  /** Fields and paths (`driver.name`), with aliases (`long:trips.id`); without it, every readable column. */
  readonly fields?: Valid<F, FieldPaths<R, N, F>> | undefined;
  /** How the response shows to-many relations, by their paths or aliases. */
  readonly deep?: Valid<D, DeepArgument<R, N, F[number], D>> | undefined;
};

/** The forms of a CSV file. */
export type CsvForms = {
  /** What stands for rows that a column refers to: their keys, their titles, or both in two columns; `key` by default. */
  readonly references?: "key" | "title" | "both" | undefined;
  /** What the first line has; `name` by default. */
  readonly heads?: "name" | "label" | undefined;
};

/** Options that select rows. W: the members of `where`; O: `orderBy` */
export type ExportOptions<
  R,
  N extends keyof R,
  F extends readonly string[],
  D = Deep,
  W = Filter<R, N>,
  O = Order,
> = GetOptions<R, N, F, D> & {
  readonly where?: FilterArgument<R, N, W> | undefined;
  /** Fields and paths; a minus sorts in descending order, `:nulls_first` and `:nulls_last` place nulls. */
  readonly orderBy?: Valid<O, RowOrder<R, N, O>> | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  /** A text that a readable text column contains. */
  readonly search?: string | undefined;
};

export type ListOptions<
  R,
  N extends keyof R,
  F extends readonly string[],
  D = Deep,
  W = Filter<R, N>,
  O = Order,
> = ExportOptions<R, N, F, D, W, O> & {
  /** `meta.nextCursor` of the previous page; all other options must be equal. */
  readonly cursor?: string | undefined;
  readonly count?: "exact" | "estimated" | undefined;
  /**
   * The `etag` of the same page as it was read before, or null to receive one: a page that has not changed has no rows and
   * `notModified`.
   */
  readonly ifNoneMatch?: string | null | undefined;
  /** Adds the tag of each row as `meta.etags`, for `ifMatch`; tables with a key only. */
  readonly etags?: boolean | undefined;
};

/** One term of an order, or several. */
export type Order = string | readonly string[];

/** The options as the query writer sees them. */
export type ReadParts = {
  readonly fields?: readonly string[] | undefined;
  readonly deep?: Deep | undefined;
  readonly where?: unknown;
  readonly orderBy?: Order | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly search?: string | undefined;
  readonly cursor?: string | undefined;
  readonly count?: string | undefined;
  readonly aggregate?: readonly string[] | undefined;
  readonly groupBy?: readonly string[] | undefined;
  readonly labels?: "local" | undefined;
  readonly having?: unknown;
} & CsvForms;

/** Returns the query of a read. @throws TypeError for a filter with an undefined value */
export function readQuery(parts: ReadParts): Query {
  const { fields, deep = {}, where, search, limit, offset, cursor, count, having } = parts;
  return [
    ["fields", fields?.join()],
    ["aggregate", parts.aggregate?.join()],
    ["group_by", parts.groupBy?.join()],
    ["labels", parts.labels],
    ["references", parts.references],
    ["heads", parts.heads],
    ["where", where === undefined ? undefined : filterText(where, "where")],
    ["having", having === undefined ? undefined : filterText(having, "having")],
    ["search", search],
    ["order_by", orderText(parts.orderBy)],
    ["limit", limit?.toString()],
    ["offset", offset?.toString()],
    ["cursor", cursor],
    ["count", count],
    ...Object.entries(deep).flatMap(([path, options = {}]): Query => {
      const name = `deep[${path}]`;
      const { where: filter, having: condition } = options;
      return [
        [`${name}[limit]`, options.limit?.toString()],
        [`${name}[offset]`, options.offset?.toString()],
        [`${name}[order_by]`, orderText(options.orderBy)],
        [`${name}[cursor]`, options.cursor?.toString()],
        [`${name}[group_by]`, options.groupBy?.join()],
        [`${name}[labels]`, options.labels],
        ...(filter === undefined ? [] : filterBrackets(filter, `${name}[where]`)),
        ...(condition === undefined ? [] : filterBrackets(condition, `${name}[having]`)),
      ];
    }),
  ];
}

/** Returns the same read as the body of `POST …/query`. */
function readBody(parts: ReadParts): Readonly<Record<string, unknown>> {
  const { where, having, search, limit, offset, cursor, count, deep } = parts;
  if (where !== undefined) requireDefined(where, "where");
  if (having !== undefined) requireDefined(having, "having");
  const related = Object.entries(deep ?? {}).map(([path, each = {}]) => {
    const { orderBy, groupBy, ...rest } = each;
    if (rest.where !== undefined) requireDefined(rest.where, `deep[${path}][where]`);
    if (rest.having !== undefined) requireDefined(rest.having, `deep[${path}][having]`);
    return [path, { ...rest, order_by: orderTerms(orderBy), group_by: groupBy }] as const;
  });
  return {
    fields: parts.fields?.flatMap(termsOf),
    aggregate: parts.aggregate,
    group_by: parts.groupBy,
    labels: parts.labels,
    where,
    having,
    search,
    order_by: orderTerms(parts.orderBy),
    limit,
    offset,
    cursor,
    count,
    references: parts.references,
    heads: parts.heads,
    deep: related[0] && Object.fromEntries(related),
  };
}

/** Splits a list of terms at its commas, except those in double quotes or parentheses. */
function termsOf(text: string): string[] {
  return text.match(/(?:"(?:[^"]|"")*"|\([^()]*\)|[^,"])+/g) ?? [];
}

function orderTerms(orderBy: Order | undefined): string[] | undefined {
  const text = orderText(orderBy);
  return text === undefined ? undefined : termsOf(text);
}

function orderText(orderBy: Order | undefined): string | undefined {
  const text = typeof orderBy === "string" ? orderBy : orderBy?.join();
  return text === "" ? undefined : text;
}

/** Characters of a path with its query; many proxies accept 8 KiB for the first line of a request. */
const urlCharsMax = 7000;

/** Returns the request of a read of several rows: a GET, or a POST if the URL would be long. */
export function readRequest(path: string, parts: ReadParts, inBody: boolean): Outgoing {
  const query = readQuery(parts);
  const isLong = inBody || path.length + writeQuery(query).length > urlCharsMax;
  return isLong
    ? {
        ...{ method: "POST", path: `${path}/query`, repeatable: "ALWAYS" },
        body: { data: readBody(parts) },
      }
    : { method: "GET", path, query, repeatable: "ALWAYS" };
}
