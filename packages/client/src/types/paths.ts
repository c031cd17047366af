import type { RelationsOf, RowOf } from "./resource.ts";

declare const unknownField: unique symbol;

/** What an unknown name of a field is compared with, so that the message of the compiler contains the name. */
export type UnknownField<Name> = { readonly [unknownField]: Name };

/** `T` if it is one of the values that `Checked` permits at its place, else these. `Checked` is computed from `T`. */
export type Valid<T, Checked> = [T] extends [Checked] ? T : NoInfer<Checked>;

/** Whether a resource has no generated types, so that every name is accepted. */
export type IsOpen<R, N extends keyof R> = string extends keyof RowOf<R, N> ? true : false;

export type ColumnName<R, N extends keyof R> = keyof RowOf<R, N> & string;

/** The name of the resource that a relation leads to. */
export type TargetOf<R, N extends keyof R, H extends keyof RelationsOf<R, N>> = RelationsOf<
  R,
  N
>[H] extends readonly [string, infer M extends keyof R]
  ? M
  : never;

/** Names of columns that hold documents, whose values have no type. */
export type DocumentName<R, N extends keyof R> = {
  [K in keyof RowOf<R, N>]-?: unknown extends RowOf<R, N>[K] ? K : never;
}[keyof RowOf<R, N>];

/**
 * `P` if it is a column of the row or of a row that it refers to, or a path into a document; else the names that are
 * possible at its place. It looks at one step of the path at a time, so that a schema of many tables compiles fast. A name in
 * double quotes is checked if it is the whole path and has no quotes itself.
 */
export type ColumnPath<R, N extends keyof R, P extends string> =
  P extends ColumnName<R, N>
    ? P
    : string extends P
      ? P
      : P extends `${infer H}.${infer T}`
        ? H extends keyof RelationsOf<R, N>
          ? RelationsOf<R, N>[H] extends readonly ["one", string]
            ? ColumnPath<R, TargetOf<R, N, H>, T> extends T
              ? P
              : `${H & string}.${ColumnName<R, TargetOf<R, N, H>>}`
            : ColumnName<R, N>
          : H extends DocumentName<R, N>
            ? P
            : QuotedPath<R, N, P>
        : QuotedPath<R, N, P>;

type QuotedPath<R, N extends keyof R, P extends string> = P extends `"${infer Q}`
  ? QuotedName<Q, ColumnName<R, N>> extends true
    ? P
    : `"${ColumnName<R, N>}"`
  : ColumnName<R, N>;

/** Whether the rest of a name after its first quote is one of the names. Quotes within a name and paths are not checked. */
export type QuotedName<Rest extends string, Names extends string> = Rest extends `${infer Q}"`
  ? Q extends `${string}"${string}`
    ? true
    : Q extends Names
      ? true
      : false
  : true;

/** A term of an order without its direction and the place of nulls. */
type OrderedBy<T extends string> = T extends `-${infer P}` ? Placed<P> : Placed<T>;
type Placed<T extends string> = T extends `${infer P}:${"nulls_first" | "nulls_last"}` ? P : T;

/** `T` if it orders by one of the names, else these. */
type OrderTerm<T extends string, Names extends string> = string extends T
  ? T
  : OrderedBy<T> extends Names | `"${string}`
    ? T
    : Names | `-${Names}`;

/** `T` if it orders by a column, the rank of a search or a number of related rows, else names. */
export type RowOrderTerm<R, N extends keyof R, T extends string> =
  T extends ColumnName<R, N>
    ? T
    : string extends T
      ? T
      : ColumnPath<R, N, OrderedBy<T>> extends OrderedBy<T>
        ? T
        : OrderedBy<T> extends "_rank"
          ? T
          : IsRelatedNumber<R, N, OrderedBy<T>> extends true
            ? T
            : OrderCandidate<ColumnPath<R, N, OrderedBy<T>>>;

type OrderCandidate<Names extends string> = Names | `-${Names}`;

/** A list of terms, or one term, each checked alone. */
export type RowOrder<R, N extends keyof R, O> = O extends readonly string[]
  ? RowOrderTerms<R, N, O>
  : O extends string
    ? RowOrderTerm<R, N, O>
    : undefined;

type RowOrderTerms<R, N extends keyof R, O extends readonly string[]> = {
  readonly [I in keyof O]: RowOrderTerm<R, N, O[I]>;
};

export type OrderOfResults<O, Names extends string> = O extends readonly string[]
  ? OrderTerms<O, Names>
  : O extends string
    ? OrderTerm<O, Names>
    : undefined;

type OrderTerms<O extends readonly string[], Names extends string> = {
  readonly [I in keyof O]: OrderTerm<O[I], Names>;
};

/** Whether a path over to-one relations and one to-many relation ends in a number: `driver.trips.sum(distance_km)`. */
type IsRelatedNumber<R, N extends keyof R, P extends string> = P extends `${infer H}.${infer T}`
  ? H extends keyof RelationsOf<R, N>
    ? RelationsOf<R, N>[H] extends readonly ["many", string]
      ? CheckedTerm<R, TargetOf<R, N, H>, T> extends T
        ? true
        : false
      : IsRelatedNumber<R, TargetOf<R, N, H>, T>
    : false
  : false;

type AggregateFunction = "count" | "count_distinct" | "sum" | "avg" | "min" | "max";

/** `T` if it is `count`, or a function of a column or of an expression over columns; else the terms that are possible. */
export type CheckedTerm<R, N extends keyof R, T extends string> = T extends "count"
  ? T
  : T extends `${infer F}(${infer C})`
    ? C extends ColumnName<R, N> | "*"
      ? T
      : ColumnPath<R, N, C> extends C
        ? T
        : `${F}(${ColumnPath<R, N, C>})`
    : string extends T | keyof RowOf<R, N>
      ? T
      : T extends `${infer F}(${infer E}):${string}`
        ? [UnknownIn<R, N, E>] extends [never]
          ? T
          : `${F}(${UnknownIn<R, N, E>}):${string}`
        : TermCandidate<R, N>;

type TermCandidate<R, N extends keyof R> = "count" | `${AggregateFunction}(${ColumnName<R, N>})`;

/** The names that may replace a name of an expression which is no column; never if all are columns. */
type UnknownIn<R, N extends keyof R, E extends string> = E extends `${string}"${string}`
  ? never
  : UnknownName<R, N, Exclude<Operands<E>, "" | `${number}`>>;

type UnknownName<R, N extends keyof R, C extends string> = C extends C
  ? ColumnPath<R, N, C> extends C
    ? never
    : ColumnPath<R, N, C>
  : never;

/** The names and numbers of an expression; empty texts stand between signs. */
type Operands<E extends string> = Split<
  Split<Split<Split<Split<Split<Split<E, "*">, "/">, "+">, "-">, "(">, ")">,
  " "
>;

type Split<E extends string, Sign extends string> = E extends `${infer A}${Sign}${infer B}`
  ? A | Split<B, Sign>
  : E;
