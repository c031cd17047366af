import type { ColumnPath, QuotedName, TargetOf, UnknownField } from "./paths.ts";
import type { ExactOf, RelationsOf, RowOf } from "./resource.ts";

/** A number that a date has in its calendar. */
export type DatePart = "year" | "quarter" | "month" | "week" | "day" | "weekday" | "hour";

/**
 * A value to compare with: one of the column, also as the text that PostgreSQL has for an array, or a variable such as
 * `$USER.id`, `$NOW`, `$PERIOD.today` or `$FIELD.ended_at`. IsExact: whether the texts of the column are numbers.
 */
type Operand<V, IsExact> =
  | Exclude<V, null | undefined>
  | (IsExact extends true ? (string extends V ? number | bigint : never) : never)
  | (V extends number ? bigint | string : never)
  | (V extends readonly unknown[] ? `{${string}}` : never)
  | `$${string}`;

/** The operators of one field; all that are present must hold. Which of them apply depends on the type of its column. */
export type Condition<V = unknown, IsExact = true> = {
  readonly [O in "_eq" | "_neq" | "_lt" | "_lte" | "_gt" | "_gte"]?: Operand<V, IsExact>;
} & {
  readonly [O in "_in" | "_nin"]?: readonly Operand<V, IsExact>[];
} & {
  readonly [O in "_between" | "_nbetween"]?:
    | readonly [Operand<V, IsExact>, Operand<V, IsExact>]
    | `$${string}`;
} & {
  readonly [O in "_null" | "_nnull"]?: boolean;
} & {
  readonly [O in TextOperator]?: string;
} & {
  readonly _search?: string | SearchOptions;
  readonly _has?: unknown;
  readonly _has_all?: readonly unknown[];
  readonly _has_any?: readonly unknown[];
  readonly _has_only?: readonly unknown[];
  readonly _has_key?: string;
  readonly _json_contains?: unknown;
  readonly _path?: Readonly<Record<string, Condition>>;
  readonly _contains_value?: Operand<number | string, true>;
  readonly _lower?: Condition;
  readonly _upper?: Condition;
  readonly _part?: { readonly [Part in DatePart]?: Condition<number> };
};

/** A full-text search with options. */
type SearchOptions = {
  readonly text: string;
  /** The name of a text search configuration. */
  readonly config?: string;
  readonly mode?: "web" | "plain" | "phrase" | "prefix";
};

type TextOperator =
  | `_${"" | "n"}${"" | "i"}${"like" | "contains"}`
  | `_${"" | "i"}${"starts_with" | "ends_with" | "regex"}`
  | "_contains_range"
  | "_contained_by"
  | "_overlaps"
  | "_adjacent";

/**
 * A filter: fields with their conditions, relations with filters, `_and`, `_or`, `_not`. An argument of a method may have paths
 * (`driver.name`) besides. Others: members that are checked elsewhere
 */
export type Filter<R, N extends keyof R, Others = unknown> = string extends keyof RowOf<R, N>
  ? Readonly<Record<string, unknown>>
  : {
      readonly [K in keyof RowOf<R, N> | keyof RelationsOf<R, N>]?:
        | (K extends keyof RowOf<R, N>
            ? Condition<RowOf<R, N>[K], K extends ExactOf<R, N> ? true : false>
            : never)
        | (K extends keyof RelationsOf<R, N>
            ? RelationFilter<R, TargetOf<R, N, K>, Others>
            : never);
    } & {
      readonly _and?: readonly Filter<R, N, Others>[];
      readonly _or?: readonly Filter<R, N, Others>[];
      readonly _not?: Filter<R, N, Others>;
    } & Others;

type RelationFilter<R, M extends keyof R, Others> =
  | Filter<R, M, Others>
  | ({ readonly [Quantifier in "_some" | "_none" | "_every"]?: Filter<R, M, Others> } & {
      readonly _count?: Condition<number> & { readonly _where?: Filter<R, M, Others> };
    });

type Paths = { readonly [path: `${string}.${string}` | `"${string}`]: unknown };

/**
 * A filter as an argument, whose members `W` the compiler infers from it. If each name and each path exists, the values are
 * compared with the filter, else the names with the fields. The first branch is the one by which the compiler infers `W`.
 */
export type FilterArgument<R, N extends keyof R, W> = [W] extends [never]
  ? W
  : string extends keyof RowOf<R, N>
    ? Filter<R, N>
    : W extends CheckedMembers<R, N, W>
      ? Filter<R, N, Paths>
      : CheckedMembers<R, N, W>;

type CheckedMembers<R, N extends keyof R, W> = {
  readonly [K in keyof W]: CheckedMember<R, N, K, W[K]>;
};

/** What one member of a filter must be besides a member of `Filter`: anything if its name exists. */
type CheckedMember<R, N extends keyof R, K, V> = K extends keyof RelationsOf<R, N>
  ? CheckedValue<R, TargetOf<R, N, K>, V>
  : K extends keyof RowOf<R, N>
    ? unknown
    : K extends `_${string}`
      ? CheckedValue<R, N, V>
      : K extends `"${infer Q}`
        ? QuotedName<Q, keyof RowOf<R, N> & string> extends true
          ? unknown
          : UnknownField<K>
        : K extends `${string}.${string}`
          ? ColumnPath<R, N, K> extends K
            ? Condition<ValueAt<R, N, K>, IsExactAt<R, N, K>>
            : UnknownField<K>
          : string extends K
            ? unknown
            : UnknownField<K>;

/** Filters below `_and`, `_not`, `_some` and the like; operators have values of any other type. */
type CheckedValue<R, N extends keyof R, V> = V extends readonly unknown[]
  ? { readonly [I in keyof V]: CheckedValue<R, N, V[I]> }
  : V extends object
    ? Filter<R, N> extends V
      ? unknown
      : CheckedMembers<R, N, V>
    : unknown;

type ValueAt<R, N extends keyof R, P> = P extends keyof RowOf<R, N>
  ? RowOf<R, N>[P]
  : P extends `${infer H}.${infer T}`
    ? H extends keyof RelationsOf<R, N>
      ? ValueAt<R, TargetOf<R, N, H>, T>
      : unknown
    : unknown;

type IsExactAt<R, N extends keyof R, P> = P extends keyof RowOf<R, N>
  ? P extends ExactOf<R, N>
    ? true
    : false
  : P extends `${infer H}.${infer T}`
    ? H extends keyof RelationsOf<R, N>
      ? IsExactAt<R, TargetOf<R, N, H>, T>
      : true
    : true;
