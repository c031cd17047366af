import type { DatePart } from "./aggregate.ts";
import type { TargetOf } from "./fields.ts";
import type { RelationsOf, RowOf } from "./resource.ts";

/**
 * A value to compare with: one of the column, also as the text that PostgreSQL has for an array, or a variable such as
 * `$USER.id`, `$NOW`, `$PERIOD.today` or `$FIELD.ended_at`.
 */
type Operand<V> =
  | Exclude<V, null | undefined>
  | (string extends V ? number | bigint : never)
  | (V extends number ? bigint | string : never)
  | (V extends readonly unknown[] ? `{${string}}` : never)
  | `$${string}`;

/** The operators of one field; all that are present must hold. Which of them apply depends on the type of its column. */
export type Condition<V = unknown> = {
  readonly [O in "_eq" | "_neq" | "_lt" | "_lte" | "_gt" | "_gte"]?: Operand<V>;
} & {
  readonly [O in "_in" | "_nin"]?: readonly Operand<V>[];
} & {
  readonly [O in "_between" | "_nbetween"]?: readonly [Operand<V>, Operand<V>] | `$${string}`;
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
  readonly _contains_value?: Operand<number | string>;
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

/** A filter: fields with their conditions, relations with filters, paths (`driver.name`), `_and`, `_or`, `_not`. */
export type Filter<R, N extends keyof R> = string extends keyof RowOf<R, N>
  ? Readonly<Record<string, unknown>>
  : {
      readonly [K in keyof RowOf<R, N> | keyof RelationsOf<R, N>]?:
        | (K extends keyof RowOf<R, N> ? Condition<RowOf<R, N>[K]> : never)
        | (K extends keyof RelationsOf<R, N> ? RelationFilter<R, TargetOf<R, N, K>> : never);
    } & {
      readonly _and?: readonly Filter<R, N>[];
      readonly _or?: readonly Filter<R, N>[];
      readonly _not?: Filter<R, N>;
      readonly [path: `${string}.${string}` | `"${string}`]: unknown;
    };

type RelationFilter<R, M extends keyof R> =
  | Filter<R, M>
  | ({ readonly [Quantifier in "_some" | "_none" | "_every"]?: Filter<R, M> } & {
      readonly _count?: Condition<number> & { readonly _where?: Filter<R, M> };
    });
