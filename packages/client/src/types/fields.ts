import type { AggregateName, AggregateTerm, AggregateValue, GroupRow } from "./aggregate.ts";
import type { CheckedTerm, DocumentName, QuotedName, TargetOf } from "./paths.ts";
import type { RelationsOf, RowOf } from "./resource.ts";

/** Names of columns and relations of a resource, and `*`. */
export type FieldName<R, N extends keyof R> =
  | "*"
  | (keyof RowOf<R, N> & string)
  | (keyof RelationsOf<R, N> & string);

/** The alias at the beginning of a path; never without one. */
export type AliasOf<P extends string> = P extends `${infer A}:${string}`
  ? A extends `${string}${"." | "(" | '"'}${string}` | ""
    ? never
    : A
  : never;

/** The rest of a path after an alias. */
export type Aliased<P extends string, A extends string> = P extends `${A}:${infer T}` ? T : never;

/** Whether a path names a number of the rows before it. */
type IsNumber<T extends string> = T extends AggregateTerm
  ? true
  : Aliased<T, AliasOf<T>> extends infer S
    ? [S] extends [never]
      ? false
      : S extends AggregateTerm
        ? true
        : false
    : false;

/**
 * `P` if it is a field, a path over relations or a path into a document, else the names that are possible at its place. It looks at one step of
 * the path at a time, and at the usual forms first, so that a schema of many tables compiles fast.
 */
export type FieldPath<R, N extends keyof R, P extends string> =
  P extends FieldName<R, N>
    ? P
    : string extends P
      ? P
      : P extends `${infer H}.${infer T}`
        ? H extends keyof RelationsOf<R, N>
          ? RelatedPath<R, N, H, T> extends T
            ? P
            : `${H & string}.${RelatedPath<R, N, H, T>}`
          : H extends DocumentName<R, N>
            ? P
            : OddPath<R, N, P>
        : OddPath<R, N, P>;

/** The path after a relation: a field of the related rows, or a number of them. */
type RelatedPath<R, N extends keyof R, H extends keyof RelationsOf<R, N>, T extends string> =
  FieldPath<R, TargetOf<R, N, H>, T> extends T
    ? T
    : RelationsOf<R, N>[H] extends readonly ["many", string]
      ? IsNumber<T> extends true
        ? NumberPath<R, TargetOf<R, N, H>, T>
        : FieldPath<R, TargetOf<R, N, H>, T>
      : FieldPath<R, TargetOf<R, N, H>, T>;

/** A name in double quotes, or a path with an alias. */
type OddPath<R, N extends keyof R, P extends string> = P extends `"${infer Q}`
  ? QuotedName<Q, FieldName<R, N>> extends true
    ? P
    : `"${FieldName<R, N>}"`
  : [AliasOf<P>] extends [never]
    ? FieldName<R, N>
    : FieldPath<R, N, Aliased<P, AliasOf<P>>> extends Aliased<P, AliasOf<P>>
      ? P
      : `${AliasOf<P>}:${FieldPath<R, N, Aliased<P, AliasOf<P>>>}`;

/** A number of related rows, possibly with an alias, if its columns exist. */
type NumberPath<R, M extends keyof R, T extends string> = [AliasOf<T>] extends [never]
  ? CheckedTerm<R, M, T>
  : CheckedTerm<R, M, Aliased<T, AliasOf<T>>> extends Aliased<T, AliasOf<T>>
    ? T
    : `${AliasOf<T>}:${CheckedTerm<R, M, Aliased<T, AliasOf<T>>>}`;

/** The documents of which a list of fields names parts. */
type DocumentHeads<R, N extends keyof R, P extends string> = P extends `"${string}`
  ? never
  : P extends `${infer H}.${string}`
    ? Exclude<H & DocumentName<R, N>, keyof RelationsOf<R, N>>
    : never;

/** A list of fields whose every member is a `FieldPath`. */
export type FieldPaths<R, N extends keyof R, F extends readonly string[]> = {
  readonly [I in keyof F]: FieldPath<R, N, F[I]>;
};

/** The relations that a list of fields names, alone or as the first step of a path. */
type Heads<R, N extends keyof R, P extends string> = P extends `"${string}`
  ? never
  : P extends `${infer H}.${string}`
    ? H & keyof RelationsOf<R, N>
    : P extends keyof RowOf<R, N>
      ? never
      : P & keyof RelationsOf<R, N>;

/** The rest of each path that begins with `H`; `*` for the relation alone. */
export type Tails<P extends string, H> = H extends string
  ? P extends `${H}.${infer T}`
    ? T
    : P extends H
      ? "*"
      : never
  : never;

/** How a response shows the rows of a relation, by its options in `deep`. */
type Listed<D, Place extends string, Row> = Place extends keyof D
  ? D[Place] extends { readonly cursor: true | string }
    ? { data: Row[]; nextCursor?: string }
    : Row[]
  : Row[];

/** A number of rows, or a list of groups with it, by the options of the relation in `deep`. */
type Numbered<R, M extends keyof R, D, Place extends string, Result> = Place extends keyof D
  ? D[Place] extends { readonly groupBy: readonly (infer G extends string)[] }
    ? (Result & GroupRow<R, M, G>)[]
    : Result
  : Result;

type Related<
  R,
  N extends keyof R,
  H extends keyof RelationsOf<R, N>,
  T extends string,
  D,
  Place extends string,
> = RelationsOf<R, N>[H] extends readonly ["one", string]
  ? Selected<R, TargetOf<R, N, H>, T, D, `${Place}.`> | null
  : [Numbers<R, TargetOf<R, N, H>, T>] extends [never]
    ? Listed<D, Place, Selected<R, TargetOf<R, N, H>, T, D, `${Place}.`>>
    : Numbered<
        R,
        TargetOf<R, N, H>,
        D,
        Place,
        {
          [S in Numbers<R, TargetOf<R, N, H>, T> as NumberName<S>]: AggregateValue<
            R,
            TargetOf<R, N, H>,
            [AliasOf<S>] extends [never] ? S : Aliased<S, AliasOf<S>>
          >;
        }
      >;

/** The numbers of a relation's rows: `count`, `sum(distance_km)`, `km:sum(distance_km)`. A column of such a name is a field. */
export type Numbers<R, M extends keyof R, T extends string> = T extends keyof RowOf<R, M>
  ? never
  : IsNumber<T> extends true
    ? T
    : never;

export type NumberName<T extends string> = [AliasOf<T>] extends [never]
  ? AggregateName<T>
  : AliasOf<T>;

/** The value of a member with an alias, by the rest of its paths. */
type AliasedMember<R, N extends keyof R, T extends string, D, Place extends string> = [T] extends [
  keyof RowOf<R, N>,
]
  ? RowOf<R, N>[T]
  : [Heads<R, N, T>] extends [never]
    ? unknown
    : Related<R, N, Heads<R, N, T>, Tails<T, Heads<R, N, T>>, D, Place>;

/** The aliases of paths that are no names of columns. */
type Aliases<R, N extends keyof R, P extends string> = AliasOf<Exclude<P, keyof RowOf<R, N>>>;

type Flat<T> = { [K in keyof T]: T[K] };

/**
 * The row that a union of fields selects.
 *
 * D: the options of to-many relations in `deep`; Prefix: begins the paths of relations in it
 */
export type Selected<
  R,
  N extends keyof R,
  P extends string,
  D = Record<never, never>,
  Prefix extends string = "",
> = string extends P
  ? Partial<RowOf<R, N>> & Readonly<Record<string, unknown>>
  : string extends keyof RowOf<R, N>
    ? RowOf<R, N>
    : Flat<
        Omit<
          "*" extends P ? RowOf<R, N> : Pick<RowOf<R, N>, P & keyof RowOf<R, N>>,
          Heads<R, N, P> | DocumentHeads<R, N, P>
        > & {
          [H in Heads<R, N, P>]: Related<R, N, H, Tails<P, H>, D, `${Prefix}${H & string}`>;
        } & {
          [H in DocumentHeads<R, N, P>]: Readonly<Record<string, unknown>>;
        } & {
          [A in Aliases<R, N, P>]: AliasedMember<R, N, Aliased<P, A>, D, `${Prefix}${A}`>;
        } & QuotedFields<P>
      >;

type QuotedFields<P extends string> = [Extract<P, `"${string}`>] extends [never]
  ? unknown
  : Readonly<Record<string, unknown>>;
