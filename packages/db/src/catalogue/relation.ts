/**
 * Exposure, label, description, row history, the mark of a junction and names of relations by resource id. A resource
 * without an entry is hidden and has none of them.
 */
export type Exposures = ReadonlyMap<string, Exposure>;

export type Exposure = Omit<Resource, "id" | "kind" | "barredMethods">;

export type RelationKind =
  | "TABLE"
  | "PARTITIONED_TABLE"
  | "FOREIGN_TABLE"
  | "VIEW"
  | "MATERIALIZED_VIEW";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** The exposure record of a relation. */
export interface Resource {
  readonly id: string;
  readonly kind: "TABLE" | "VIEW";
  /** Without the barred ones. */
  readonly exposedMethods: readonly Method[];
  /** The methods that rules of the relation prevent. */
  readonly barredMethods: readonly Method[];
  /** The display name; null if it is the name of the relation. */
  readonly label: string | null;
  readonly description: string | null;
  /** Whether triggers record its row history. */
  readonly history: boolean;
  /** Whether an administrator has marked it as a junction of the two tables that it refers to. */
  readonly junction: boolean;
  /**
   * Names that an administrator has given to relations, by the attribute number of the column that alone forms the
   * foreign key.
   */
  readonly relationNames: Readonly<Record<string, string>>;
}

export interface Relation {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly kind: RelationKind;
  readonly comment: string | null;
  readonly resource: Resource;
  /** Ordered by attribute number, without the secret columns. */
  readonly columns: readonly Column[];
  /** Empty without a key, and for a table with inheriting tables, whose rows may have the same key. */
  readonly primaryKey: readonly string[];
  /** Whether its rows include those of inheriting tables, which are no partitions. */
  readonly isInherited: boolean;
  /**
   * Whether its row level security applies to the service's login; it ignores the policies of a table that it owns, unless
   * they are forced, and of every table if it bypasses them. Null without row level security.
   */
  readonly rowSecurity: "APPLIED" | "IGNORED" | null;
  /** The valid unique indexes over columns, those of constraints included; the primary key first. */
  readonly uniqueKeys: readonly UniqueKey[];
  /** The columns of each index that at all times keeps two rows from having the same values. */
  readonly uniqueColumns: readonly (readonly string[])[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly checks: readonly CheckConstraint[];
  /** A hash of the facts that this description is derived from; only set if event triggers do not guard them. */
  readonly fingerprint: string | null;
  /**
   * Whether statements that read it, or that write it, can run code of the database's users: a function in a trigger, a
   * default, a view or a policy. Without event triggers every statement can, because a new trigger is noticed late.
   */
  readonly runsCode: { readonly reads: boolean; readonly writes: boolean };
  /** Whether a rule replaces each deletion by another change, so that no row is returned. */
  readonly replacesDelete: boolean;
  /** The events after which triggers run code of the database's users, which may change the written rows again. */
  readonly codeAfter: readonly ("INSERT" | "UPDATE" | "DELETE")[];
  columnByName(name: string): Column | undefined;
  columnByNumber(attributeNumber: number): Column | undefined;
}

export interface Column {
  readonly attributeNumber: number;
  readonly name: string;
  readonly type: ColumnType;
  /** What a condition on the column means, as `system.column_meaning` describes it: type, collation and labels, as JSON. */
  readonly meaning: string;
  readonly nullable: boolean;
  readonly hasDefault: boolean;
  /** `ALWAYS` and generated columns accept no value from a caller. */
  readonly identity: "ALWAYS" | "BY_DEFAULT" | null;
  /** Columns of the system schema that only the service writes count as generated. */
  readonly generated: boolean;
  /** Whether its values are computed on each read instead of stored. */
  readonly virtual: boolean;
  readonly comment: string | null;
}

export interface ColumnType {
  /** The type as a cast names it, without its modifier: `bigint`, `text[]`, `"Mood"`. */
  readonly name: string;
  /**
   * The type as a cast names it in which a caller's text is compared and sent: without domains, length and scale, so
   * that the conversion keeps the whole text. The array of a domain without length and scale remains.
   */
  readonly plain: string;
  /** The type of the column with its length and scale: `character varying(3)`. */
  readonly declared: string;
  /**
   * The built-in type that holds its values: the base type of a domain, `enum` for an enum, the element's type for an
   * array.
   */
  readonly base: string;
  readonly kind: "SCALAR" | "ENUM" | "COMPOSITE" | "RANGE" | "OTHER";
  readonly array: boolean;
  readonly domain: boolean;
  /** The labels of an enum, in order. */
  readonly labels: readonly string[] | null;
  /** Maximum length of a text of the type, or of each element, in characters; null for unlimited. */
  readonly lengthMax: number | null;
  /**
   * Whether the collation is nondeterministic: different texts may be equal, and PostgreSQL does not match patterns.
   */
  readonly folds: boolean;
  /** The OID of `plain` if users may drop and recreate it under its name; null for a built-in type. */
  readonly ownOid: number | null;
  /** Whether the input function of `plain` and a cast from text give the same value for every text. */
  readonly bindable: boolean;
  /** Whether values may contain bytes, also in elements and fields. */
  readonly holdsBytes: boolean;
  /** Whether values have an order in which two values are equal only if their texts are. */
  readonly ordered: boolean;
  /**
   * The type that values are cast to for a comparison, if PostgreSQL does not compare them with `plain`: the enum that a
   * domain is based on, the array of the type that a domain with a length or scale is based on.
   */
  readonly comparedAs: string | null;
  /** The operators that compare values, if they differ from the plain signs: `OPERATOR("public".#<#)` for `<`. */
  readonly operators: Readonly<Partial<Record<ComparisonOperator, string>>> | null;
  /** The attributes of its composite type, or of the composite type of its elements; null for other types. */
  readonly attributes: Attributes | null;
}

/** The names of a composite type's attributes, each with those of its own type; null if that is no composite type. */
export type Attributes = ReadonlyMap<string, Attributes | null>;

/** The sign of a comparison operator. */
export type ComparisonOperator = "=" | "<>" | "<" | "<=" | ">" | ">=";

export interface UniqueKey {
  /** The name of the index, and of its constraint if it has one. */
  readonly name: string;
  readonly columns: readonly string[];
  /** Whether PostgreSQL may check it at the end of the transaction; an upsert cannot use such a key. */
  readonly deferrable: boolean;
  /** Whether rows conflict if their ranges overlap: WITHOUT OVERLAPS. */
  readonly overlaps: boolean;
  /** SQL for the condition of a partial index over unqualified columns; null for an index of all rows. */
  readonly predicate: string | null;
}

export interface ForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly targetOid: number;
  readonly targetColumns: readonly string[];
  /** Whether an index finds rows by these columns. */
  readonly isIndexed: boolean;
  /** Whether a change of the target's columns changes these columns: `on update cascade`, `set null` or `set default`. */
  readonly passesUpdates: boolean;
  /** Whether the last pair of columns are ranges, of which the own one lies within those of the target: PERIOD. */
  readonly isPeriod: boolean;
}

export interface CheckConstraint {
  readonly name: string;
  /** The columns that its expression names. */
  readonly columns: readonly string[];
  /** The `checkMessage` of the table definition. */
  readonly message: string | null;
}

/** Prefix of a check's message in the comment of its constraint, where the message is stored. */
export const checkMessagePrefix = "checkMessage: ";
