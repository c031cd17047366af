import type { DocumentChange } from "./documents.ts";

/** A value as its canonical text, or null for SQL null; `values.ts` defines the text of each type. */
export type Value = string | null;

export type Row = ReadonlyMap<string, Value>;

export type TypeName =
  | "int"
  | "bigint"
  | "numeric"
  | "text"
  | "boolean"
  | "date"
  | "timestamptz"
  | "uuid"
  | "mood"
  | "text[]"
  | "jsonb"
  /** A text that consists of words. */
  | "words"
  | "int4range"
  | "int4multirange";

export interface Column {
  readonly name: string;
  readonly type: TypeName;
  readonly nullable: boolean;
  readonly default: Value;
  /** True if PostgreSQL always generates the value, so that no caller can set it. */
  readonly identity: boolean;
  readonly unique: boolean;
  /** The minimum in a check of the column, which has a message of its own. */
  readonly min: number | null;
}

export type OnDelete = "no action" | "restrict" | "cascade" | "set null";

export interface ForeignKey {
  readonly columns: readonly string[];
  readonly target: string;
  readonly targetColumns: readonly string[];
  readonly onDelete: OnDelete;
  /** The name that an administrator has given to its relation. */
  readonly relationName: string | null;
}

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly primaryKey: readonly string[];
  readonly foreignKeys: readonly ForeignKey[];
  /** Whether an administrator has marked it as a junction. */
  readonly marked: boolean;
  readonly exposed: readonly Method[];
}

/** A field as a path: the relations to cross, and its name (`*` for all, null for the relation itself). */
export interface Path {
  readonly steps: readonly string[];
  readonly name: string | null;
  /** The keys of a value inside the document that the field contains. */
  readonly inside?: readonly string[];
  /** The aliases of the steps, and of the name; null for none. In `fields` alone. */
  readonly aliases?: { readonly steps: readonly (string | null)[]; readonly name: string | null };
  /** A number of the rows at the end of the steps, over the field of this name; without a name, of the rows. */
  readonly apply?: NonNullable<Output["apply"]>;
  /** Computes the values of the number; its alias is the name. */
  readonly expression?: Expression;
}

/** An expression over the numbers of a row. */
export type Expression =
  | { readonly kind: "NUMBER"; readonly text: string }
  | { readonly kind: "FIELD"; readonly path: Path }
  | {
      readonly kind: "OPERATION";
      readonly sign: "+" | "-" | "*" | "/";
      readonly left: Expression;
      readonly right: Expression;
    };

export type Operand =
  | { readonly kind: "LITERAL"; readonly text: string }
  | { readonly kind: "VARIABLE"; readonly name: string }
  /** Another field, from where the path of the condition starts. */
  | { readonly kind: "FIELD"; readonly path: Path };

export type PresetOperand = Exclude<Operand, { readonly kind: "FIELD" }>;

export interface Condition {
  readonly kind: "CONDITION";
  readonly path: Path;
  readonly operator: string;
  readonly operands: readonly Operand[];
  /** The number of a date that is compared, instead of the date. */
  readonly part?: DatePart;
  /** The bound of a range that is compared, instead of the range. */
  readonly bound?: "lower" | "upper";
  /** The keys of the value inside a document that is compared, instead of the document; the operands are JSON. */
  readonly keys?: readonly string[];
  /** Whether operands of `keys` have no type, because they are written in brackets. */
  readonly untyped?: boolean;
  /** The options of `_search`. */
  readonly search?: Search;
}

/** How the words of a search are read. */
export interface Search {
  /** Null for that of the database. */
  readonly config: string | null;
  readonly mode: "web" | "plain" | "phrase" | "prefix";
}

export interface Quantified {
  readonly kind: "QUANTIFIED";
  readonly steps: readonly string[];
  readonly quantifier: "_some" | "_none" | "_every";
  readonly filter: Filter;
}

/** A condition on the number of related rows that satisfy a filter. */
export interface Counted {
  readonly kind: "COUNTED";
  readonly steps: readonly string[];
  readonly operator: string;
  readonly operands: readonly Operand[];
  readonly filter: Filter;
}

export type Filter =
  | { readonly kind: "AND" | "OR"; readonly filters: readonly Filter[] }
  | { readonly kind: "NOT"; readonly filter: Filter }
  | Quantified
  | Counted
  | Condition;

export type Action = "READ" | "CREATE" | "UPDATE" | "DELETE";

export interface Grant {
  readonly table: string;
  readonly action: Action;
  readonly fields: readonly string[] | null;
  readonly rowFilter: Filter | null;
  readonly check: Filter | null;
  readonly presets: ReadonlyMap<string, PresetOperand | null>;
}

export interface Role {
  readonly grants: readonly Grant[];
}

export interface User {
  readonly id: string;
  readonly email: string;
  /** The values of `$USER.<column>`. */
  readonly columns: ReadonlyMap<string, Value>;
  /** Indexes of the world's roles. */
  readonly roles: readonly number[];
  readonly administrator: boolean;
}

/** Everything on which a response depends. */
export interface World {
  readonly tables: readonly Table[];
  readonly rows: ReadonlyMap<string, readonly Row[]>;
  readonly roles: readonly Role[];
  readonly users: readonly User[];
}

export interface OrderTerm {
  /** With the name `_rank`, how well a row matches the search of `where`. */
  readonly path: Path;
  readonly descending: boolean;
  readonly nulls: "first" | "last" | null;
}

export interface Deep {
  readonly steps: readonly string[];
  /** The members of the response that lead to the list: the steps, or their aliases. */
  readonly place: readonly string[];
  readonly where: Filter | null;
  /** Of groups, an order by their results. */
  readonly order: readonly OrderTerm[];
  readonly limit: number | null;
  readonly offset: number | null;
  /** Whether the list has the cursor of its next page. */
  readonly isPaged: boolean;
  /** The cursor of the page at `offset`. */
  readonly cursor?: string;
  readonly groups: readonly Output[];
  readonly having: Filter | null;
}

interface RequestBase {
  readonly user: number;
  readonly table: string;
}

export interface ListRequest extends RequestBase {
  readonly kind: "LIST";
  readonly fields: readonly Path[] | null;
  readonly deep: readonly Deep[];
  readonly where: Filter | null;
  /** The syntax of `where` in the request. */
  readonly form: "BRACKETS" | "JSON";
  readonly search: string | null;
  readonly order: readonly OrderTerm[];
  readonly limit: number | null;
  readonly offset: number | null;
  readonly count: boolean;
}

export type TimeUnit = "year" | "quarter" | "month" | "week" | "day";
export type DatePart = TimeUnit | "weekday" | "hour";

/** One result of an aggregate; `apply` is null for a grouped value. */
export interface Output {
  readonly apply: "count" | "count_distinct" | "sum" | "avg" | "min" | "max" | null;
  /** Null for the number of rows. */
  readonly path: Path | null;
  /** Computes the value of each row, in place of a path. */
  readonly expression?: Expression | undefined;
  /** Names the result. */
  readonly alias?: string | null | undefined;
  readonly unit: TimeUnit | null;
  /** A part of a date in a group; without it, undefined. */
  readonly part?: DatePart | undefined;
}

export interface AggregateRequest extends RequestBase {
  readonly kind: "AGGREGATE";
  /** Groups first, then aggregates. */
  readonly outputs: readonly Output[];
  readonly where: Filter | null;
  /** Refers to the outputs by name. */
  readonly having: Filter | null;
  readonly form: "BRACKETS" | "JSON";
  readonly search: string | null;
  /** Refers to the outputs by name. */
  readonly order: readonly OrderTerm[];
  readonly limit: number | null;
  readonly offset: number | null;
  readonly count: boolean;
}

export interface ReadRequest extends RequestBase {
  readonly kind: "READ";
  readonly key: readonly string[];
  readonly fields: readonly Path[] | null;
  readonly deep: readonly Deep[];
}

export interface CreateRequest extends RequestBase {
  readonly kind: "CREATE";
  readonly values: ReadonlyMap<string, Value>;
}

export interface UpdateRequest extends RequestBase {
  readonly kind: "UPDATE";
  readonly key: readonly string[];
  readonly values: ReadonlyMap<string, Value>;
  /** Changes of parts of documents, by their fields. */
  readonly changes: ReadonlyMap<string, DocumentChange>;
}

export interface DeleteRequest extends RequestBase {
  readonly kind: "DELETE";
  readonly key: readonly string[];
  /** Whether the response has the deleted row. */
  readonly representation: boolean;
}

/** The deletion of the rows that a filter selects. */
export interface DeleteManyRequest extends RequestBase {
  readonly kind: "DELETE_MANY";
  readonly where: Filter;
  readonly form: ListRequest["form"];
  readonly affectedMax: number;
  readonly representation: boolean;
}

export type Request =
  | ListRequest
  | AggregateRequest
  | ReadRequest
  | CreateRequest
  | UpdateRequest
  | DeleteRequest
  | DeleteManyRequest;

/** The expected response: a body, or an error with one of some codes. */
export type Expected =
  | {
      readonly kind: "BODY";
      readonly status: number;
      readonly body: unknown;
      /** The number in the header `X-Service-Count`. */
      readonly count?: number | undefined;
      /** Whether the rows may have any order. */
      readonly isSet?: boolean;
    }
  | { readonly kind: "REFUSED"; readonly codes: readonly string[]; readonly paths?: string[] };

/** The HTTP status of each code, as docs/errors.md lists it. */
export const statusOfCode: Readonly<Record<string, number>> = {
  BODY_INVALID: 400,
  QUERY_INVALID: 400,
  FIELD_UNKNOWN: 400,
  VALUE_INVALID: 400,
  REQUIRED_FIELD: 400,
  CHECK_VIOLATION: 400,
  AUTHENTICATION_REQUIRED: 401,
  ACTION_DENIED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  UNIQUE_VIOLATION: 409,
  FOREIGN_KEY_VIOLATION: 409,
  CONFLICT: 409,
};
