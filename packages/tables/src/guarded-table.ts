import type { OnDelete } from "./definition.ts";

declare const guarded: unique symbol;

/**
 * A table definition whose every text went through the grammar and the guards. What runs is built from it alone, and
 * only `parseTableDefinition` makes one.
 */
export interface GuardedTable {
  readonly [guarded]: true;
  readonly name: string;
  readonly columns: readonly GuardedColumn[];
}

export interface GuardedColumn {
  readonly name: string;
  /** The JSON pointer of its definition. */
  readonly path: string;
  /** The deparsed type, modifier included. */
  readonly dataType: string;
  readonly primaryKey: boolean;
  readonly nullable: boolean;
  readonly identity: boolean;
  /** The deparsed expression, null for none. */
  readonly default: string | null;
  readonly check: string | null;
  readonly checkMessage: string | null;
  readonly foreignKey: ForeignKeyTarget | null;
  /** The types it mentions that are not built in: the database has to know them. */
  readonly typeReferences: readonly TypeReference[];
}

export interface ForeignKeyTarget {
  readonly schema: string;
  readonly table: string;
  readonly column: string;
  readonly onDelete: OnDelete;
}

/** A type of the database's own, as it was mentioned. */
export interface TypeReference {
  /** Quoted, with its schema where one was written. */
  readonly sql: string;
  /** The JSON pointer of the text that mentions it. */
  readonly path: string;
}
