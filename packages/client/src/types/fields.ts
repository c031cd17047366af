import type { AggregateName, AggregateTerm, AggregateValue } from "./aggregate.ts";
import type { RelationsOf, RowOf } from "./resource.ts";

/** Names of columns and relations of a resource, and `*`. */
export type FieldName<R, N extends keyof R> =
  | "*"
  | (keyof RowOf<R, N> & string)
  | (keyof RelationsOf<R, N> & string);

/** The name of the resource that a relation leads to. */
export type TargetOf<R, N extends keyof R, H extends keyof RelationsOf<R, N>> = RelationsOf<
  R,
  N
>[H] extends readonly [string, infer M extends keyof R]
  ? M
  : never;

/**
 * `P` if it is a field, a path over relations or a path into a document, else the names that are possible at its place. It looks at one step of
 * the path at a time, so that a schema of many tables compiles fast. A name in double quotes is not checked.
 */
export type FieldPath<R, N extends keyof R, P extends string> = string extends P
  ? P
  : P extends `"${string}`
    ? P
    : P extends `${infer H}.${infer T}`
      ? string extends keyof RowOf<R, N>
        ? P
        : H extends keyof RelationsOf<R, N>
          ? [T, RelationsOf<R, N>[H]] extends [AggregateTerm, readonly ["many", string]]
            ? P
            : FieldPath<R, TargetOf<R, N, H>, T> extends T
              ? P
              : `${H & string}.${FieldName<R, TargetOf<R, N, H>>}`
          : H extends DocumentName<R, N>
            ? P
            : FieldName<R, N>
      : P extends FieldName<R, N>
        ? P
        : FieldName<R, N>;

/** Names of columns that hold documents, whose values have no type. */
type DocumentName<R, N extends keyof R> = {
  [K in keyof RowOf<R, N>]-?: unknown extends RowOf<R, N>[K] ? K : never;
}[keyof RowOf<R, N>];

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
type Tails<P extends string, H> = H extends string
  ? P extends `${H}.${infer T}`
    ? T
    : P extends H
      ? "*"
      : never
  : never;

type Related<
  R,
  N extends keyof R,
  H extends keyof RelationsOf<R, N>,
  P extends string,
> = RelationsOf<R, N>[H] extends readonly ["one", string]
  ? Selected<R, TargetOf<R, N, H>, Tails<P, H>> | null
  : [Numbers<R, TargetOf<R, N, H>, Tails<P, H>>] extends [never]
    ? Selected<R, TargetOf<R, N, H>, Tails<P, H>>[]
    : {
        [T in Numbers<R, TargetOf<R, N, H>, Tails<P, H>> as AggregateName<T>]: AggregateValue<T>;
      };

/** The numbers of a relation's rows: `count`, `sum(distance_km)`. A column of such a name is a field. */
type Numbers<R, M extends keyof R, T extends string> = Exclude<
  Extract<T, AggregateTerm>,
  keyof RowOf<R, M>
>;

type Flat<T> = { [K in keyof T]: T[K] };

/** The row that a union of fields selects. */
export type Selected<R, N extends keyof R, P extends string> = string extends P
  ? Partial<RowOf<R, N>> & Readonly<Record<string, unknown>>
  : string extends keyof RowOf<R, N>
    ? RowOf<R, N>
    : Flat<
        Omit<
          "*" extends P ? RowOf<R, N> : Pick<RowOf<R, N>, P & keyof RowOf<R, N>>,
          Heads<R, N, P> | DocumentHeads<R, N, P>
        > & { [H in Heads<R, N, P>]: Related<R, N, H, P> } & {
          [H in DocumentHeads<R, N, P>]: Readonly<Record<string, unknown>>;
        } & QuotedFields<P>
      >;

type QuotedFields<P extends string> = [Extract<P, `"${string}`>] extends [never]
  ? unknown
  : Readonly<Record<string, unknown>>;
