/** What the generated file has for each resource. */
export type Resource = {
  readonly Kind: "table" | "view";
  /** A row with all readable fields. A field that is hidden in some rows is optional. */
  readonly Row: object;
  /** A row to create; `never` if the caller may not create. */
  readonly New: unknown;
  /** The fields of an update; `never` if the caller may not update. */
  readonly Change: unknown;
  /** The row that a write returns, if it may be less than `Row`: the key alone. */
  readonly Written?: unknown;
  /** The primary key: one value, or a tuple in the key's order; `never` without one. */
  readonly Key: unknown;
  /** Columns whose texts are numbers, such as `numeric` and `bigint`: filters take numbers for them, and for no other text. */
  readonly Exact?: string;
  /** `["one" | "many", name of the target]` by the name of the relation. */
  readonly Relations: object;
};

/** A value of a primary key in a URL. */
export type KeyValue = string | number | bigint | boolean;

/** A resource whose types nobody has generated. */
export type AnyResource = {
  readonly Kind: "table" | "view";
  readonly Row: Readonly<Record<string, unknown>>;
  readonly New: Readonly<Record<string, unknown>>;
  readonly Change: Readonly<Record<string, unknown>>;
  readonly Key: KeyValue | readonly KeyValue[];
  readonly Relations: Record<never, never>;
};

/** Resources without generated types: any name, any field. */
export type AnyResources = Readonly<Record<string, AnyResource>>;

/** Members of a resource by its name. */
export type RowOf<R, N extends keyof R> = R[N] extends { readonly Row: infer Row } ? Row : never;
export type NewOf<R, N extends keyof R> = R[N] extends { readonly New: infer New } ? New : never;
export type WrittenOf<R, N extends keyof R> = R[N] extends { readonly Written: infer Written }
  ? Written
  : RowOf<R, N>;
export type KeyOf<R, N extends keyof R> = R[N] extends { readonly Key: infer Key } ? Key : never;
export type ChangeOf<R, N extends keyof R> = R[N] extends { readonly Change: infer Change }
  ? Change
  : never;
/** In a file of an earlier version, each column may be exact. */
export type ExactOf<R, N extends keyof R> = R[N] extends { readonly Exact: infer Exact }
  ? Exact
  : keyof RowOf<R, N>;
export type RelationsOf<R, N extends keyof R> = R[N] extends { readonly Relations: infer Relations }
  ? Relations
  : never;

/** The second argument of `from`: required for views, because only a type knows that a name is one. */
export type KindArgument<T> = T extends { readonly Kind: infer Kind }
  ? [Kind] extends ["table"]
    ? []
    : ["table"] extends [Kind]
      ? [kind?: Kind]
      : [kind: Kind]
  : never;
