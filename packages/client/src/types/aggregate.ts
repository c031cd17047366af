import type { Condition, DatePart } from "./filter.ts";
import type { CheckedTerm, ColumnName, ColumnPath, IsOpen, UnknownField } from "./paths.ts";
import type { RowOf } from "./resource.ts";

export type AggregateTerm =
  | "count"
  | `${"count" | "count_distinct" | "sum" | "avg" | "min" | "max"}(${string})`
  | `${"sum" | "avg" | "min" | "max"}(${string}):${string}`;

type Unit = "year" | "quarter" | "month" | "week" | "day" | "hour" | "minute";

/** A term of `groupBy`: `T` if it is a column, a path, a truncated date or a part of a date; else the terms that are possible. */
export type GroupTerm<R, N extends keyof R, T extends string> =
  T extends ColumnName<R, N>
    ? T
    : T extends `date_trunc(${infer U extends Unit},${infer C})`
      ? ColumnPath<R, N, C> extends C
        ? T
        : `date_trunc(${U},${ColumnPath<R, N, C>})`
      : T extends `date_part(${infer U extends DatePart},${infer C})`
        ? ColumnPath<R, N, C> extends C
          ? T
          : `date_part(${U},${ColumnPath<R, N, C>})`
        : ColumnPath<R, N, T>;

export type GroupTerms<R, N extends keyof R, G extends readonly string[]> = {
  readonly [I in keyof G]: GroupTerm<R, N, G[I]>;
};

export type CheckedTerms<R, N extends keyof R, A extends readonly string[]> = {
  readonly [I in keyof A]: CheckedTerm<R, N, A[I]>;
};

/** A filter on results by their names. */
export type Having<Names extends string> = {
  readonly [K in Names]?: Condition<string | number, true>;
} & {
  readonly _and?: readonly Having<Names>[];
  readonly _or?: readonly Having<Names>[];
  readonly _not?: Having<Names>;
} & { readonly [quoted: `"${string}`]: Condition };

/** The members `V` of a filter on results, of which each name must exist. */
export type CheckedHaving<Names extends string, V> = {
  readonly [K in keyof V]: K extends Names
    ? Condition<string | number, true>
    : K extends "_and" | "_or"
      ? { readonly [I in keyof V[K]]: CheckedHaving<Names, V[K][I]> }
      : K extends "_not"
        ? CheckedHaving<Names, V[K]>
        : K extends `"${string}`
          ? Condition
          : UnknownField<K>;
};

/** The names of the results of an aggregation; any text without generated types. */
export type ResultNames<R, N extends keyof R, A extends string> =
  IsOpen<R, N> extends true ? string : AggregateName<A>;

/** The row of one group, by the names that the service gives its values. */
export type AggregateRow<R, N extends keyof R, A extends string, G extends string> = {
  [T in A as AggregateName<T>]: AggregateValue<R, N, T>;
} & GroupRow<R, N, G>;

/** The values of a group by their names. */
export type GroupRow<R, N extends keyof R, G extends string> = {
  [T in G as GroupName<T>]: GroupValue<R, N, T>;
};
/** The name that the service gives a result. */
export type AggregateName<T extends string> = T extends `${string}):${infer Name}`
  ? Name
  : T extends `${infer F}(${infer C})`
    ? `${F}_${C}`
    : T;

/** The type of a result. Without a row it is null, except for a count. */
export type AggregateValue<R, N extends keyof R, T extends string> = T extends `count${string}`
  ? number
  : T extends `${string}):${string}`
    ? string | number | null
    : T extends `${"sum" | "avg"}(${infer C})`
      ? NumberValue<FieldValue<R, N, C>>
      : T extends `${string}(${infer C})`
        ? FieldValue<R, N, C>
        : unknown;

/** The value of a field of the row; of any other path it is unknown. */
type FieldValue<R, N extends keyof R, C extends string> = C extends keyof RowOf<R, N>
  ? Exclude<RowOf<R, N>[C], undefined> | null
  : unknown;

/** A sum of exact numbers is a text; that of integers or floating-point numbers depends on their size. */
type NumberValue<V> = [V] extends [string | null] ? string | null : string | number | null;

/** The name that the service gives a value of a group. */
export type GroupName<T extends string> = T extends `date_trunc(${infer U},${infer C})`
  ? `${C}_${U}`
  : T extends `date_part(${infer P},${infer C})`
    ? `${C}_part_${P}`
    : T;

type GroupValue<R, N extends keyof R, T extends string> = T extends `date_trunc(${string}`
  ? string | null
  : T extends `date_part(${string}`
    ? number | null
    : T extends keyof RowOf<R, N>
      ? RowOf<R, N>[T] | null
      : unknown;
