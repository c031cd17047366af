/** Exposure, label and description by resource id; a resource without an entry is hidden and has neither. */
export type Exposures = ReadonlyMap<string, Exposure>;

export type Exposure = Omit<Resource, "id" | "kind">;

export type RelationKind =
  | "TABLE"
  | "PARTITIONED_TABLE"
  | "FOREIGN_TABLE"
  | "VIEW"
  | "MATERIALIZED_VIEW";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** The exposure record of a relation (spec §2, Resource). */
export interface Resource {
  readonly id: string;
  readonly kind: "TABLE" | "VIEW";
  readonly exposedMethods: readonly Method[];
  /** What people call it; null for its name. */
  readonly label: string | null;
  readonly description: string | null;
}

export interface Relation {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly kind: RelationKind;
  readonly comment: string | null;
  readonly resource: Resource;
  /** In the order of their attribute numbers; secret columns are not among them. */
  readonly columns: readonly Column[];
  readonly primaryKey: readonly string[];
  readonly uniqueKeys: readonly UniqueKey[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly checks: readonly Check[];
  /** What this description rests on; only where event triggers do not guard it. */
  readonly fingerprint: string | null;
  columnByName(name: string): Column | undefined;
  columnByNumber(attributeNumber: number): Column | undefined;
}

export interface Column {
  readonly attributeNumber: number;
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  readonly hasDefault: boolean;
  /** `ALWAYS` and generated columns take no value from a caller. */
  readonly identity: "ALWAYS" | "BY_DEFAULT" | null;
  /** Columns of the system schema that the service alone writes are as generated ones. */
  readonly generated: boolean;
  /** Whether its values are worked out each time they are read, and not stored. */
  readonly virtual: boolean;
  readonly comment: string | null;
}

export interface ColumnType {
  /** The type as a cast names it, without its modifier: `bigint`, `text[]`, `"Mood"`. */
  readonly name: string;
  /** The built-in type that holds its values: a domain's base, `enum` for an enum, the element's for an array. */
  readonly base: string;
  readonly kind: "SCALAR" | "ENUM" | "COMPOSITE" | "RANGE" | "OTHER";
  readonly array: boolean;
  readonly domain: boolean;
  /** The labels of an enum, in order. */
  readonly labels: readonly string[] | null;
  /** Characters that a text of the type has at most; null for any number. */
  readonly lengthMax: number | null;
  /** Whether texts that differ may be equal under the column's collation, as which Postgres matches no patterns. */
  readonly folds: boolean;
  /** The OID of a type that may be dropped and made anew under its name; null for one of Postgres' own. */
  readonly ownOid: number | null;
  /** Whether the type's input function makes of every text what a cast from text makes of it. */
  readonly bindable: boolean;
  /** Whether there may be bytes in values, as elements and parts too. */
  readonly holdsBytes: boolean;
  /** Whether values have an order, and are told apart by their texts as by that order. */
  readonly ordered: boolean;
  /** The type as which values are compared, where not as their own: the enum that a domain is over. */
  readonly comparedAs: string | null;
  /** The operators that compare values, where not those that the signs mean: `OPERATOR("public".#<#)` for `<`. */
  readonly operators: Readonly<Partial<Record<Comparison, string>>> | null;
}

/** A comparison, by its sign. */
export type Comparison = "=" | "<>" | "<" | "<=" | ">" | ">=";

export interface UniqueKey {
  readonly name: string;
  readonly columns: readonly string[];
  /** Whether Postgres may check it at the end of the transaction; no upsert can rest on it then. */
  readonly deferrable: boolean;
}

export interface ForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly targetOid: number;
  readonly targetColumns: readonly string[];
}

export interface Check {
  readonly name: string;
  /** The columns that its expression names. */
  readonly columns: readonly string[];
  /** The `checkMessage` of the table definition (spec §2). */
  readonly message: string | null;
}

/** Written before a check's message in the comment of its constraint, where the message is kept. */
export const checkMessagePrefix = "checkMessage: ";
