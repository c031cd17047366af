import type { TextPlace } from "./base/text-place.ts";
import type { OnDelete } from "./definition.ts";

declare const guarded: unique symbol;

/**
 * A table definition whose texts all passed the grammar and the guards. Statements are built only from it, and only
 * `parseTableDefinition` creates one.
 */
export interface GuardedTable {
  readonly [guarded]: true;
  readonly name: string;
  readonly columns: readonly GuardedColumn[];
}

export interface GuardedColumn {
  readonly name: string;
  /** JSON pointer of the column's definition. */
  readonly path: string;
  /** The deparsed type, modifier included. */
  readonly dataType: string;
  readonly primaryKey: boolean;
  readonly nullable: boolean;
  readonly identity: "ALWAYS" | "BY_DEFAULT" | null;
  /** The deparsed expression of a stored generated column; null for others. */
  readonly generated: string | null;
  /** The deparsed expression; null if there is none. */
  readonly default: string | null;
  readonly check: string | null;
  readonly checkMessage: string | null;
  readonly foreignKey: ForeignKeyTarget | null;
  /** The types that the definition mentions and that are not built in; the database must have them. */
  readonly typeReferences: readonly TypeReference[];
}

export interface ForeignKeyTarget {
  readonly schema: string;
  readonly table: string;
  readonly column: string;
  readonly onDelete: OnDelete;
}

/** A type of the user's database, as the text mentions it. */
export interface TypeReference {
  /** Quoted, with its schema if the text has one. */
  readonly sql: string;
  /** JSON pointer of the text that mentions it. */
  readonly path: string;
  /** Where in the text, if it is a view's definition. */
  readonly place?: TextPlace | undefined;
}
