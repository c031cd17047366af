import type { AdminOperations } from "@rowhouse/client";

/** A change of a table as the service takes it. */
export type Change =
  AdminOperations["PATCH /schema/{schema}/tables/{table}"]["data"]["changes"][number];

/** A change of one kind. */
export type ChangeOf<Kind extends Change["kind"]> = Extract<Change, { readonly kind: Kind }>;

/** What happens to rows of this table when the row that they refer to is deleted. */
export type OnDelete = NonNullable<ChangeOf<"addForeignKey">["onDelete"]>;

/** What a person has changed of a column that the table has. A member that is absent is unchanged. */
export interface ColumnEdit {
  readonly name?: string;
  readonly dataType?: string;
  /** The conversion of the values to another type; empty for the usual one. */
  readonly using?: string;
  readonly isRequired?: boolean;
  /** Empty for no default. */
  readonly default?: string;
  readonly isIdentity?: boolean;
  readonly comment?: string;
  readonly isDropped?: boolean;
  /** Whether dropping the column drops its dependents too. */
  readonly isCascade?: boolean;
}

/** A column that a person adds. */
export interface NewColumn {
  readonly id: string;
  readonly name: string;
  readonly dataType: string;
  readonly isRequired: boolean;
  readonly isIdentity: boolean;
  readonly default: string;
  readonly comment: string;
  readonly check: string;
  readonly checkMessage: string;
  /** Whether the column is in the primary key of a new table. */
  readonly isKey: boolean;
  /** Whether the file that the column refers to is shown as an image. */
  readonly isImage: boolean;
}

/**
 * A part of a table that a person adds. Columns are named by their id: the name in the table, or the id of a new column,
 * so that a later change of a name does not part them.
 */
export type NewPart = { readonly id: string } & (
  | { readonly kind: "primaryKey" | "unique"; readonly columns: readonly string[] }
  | { readonly kind: "check"; readonly check: string; readonly checkMessage: string }
  | {
      readonly kind: "foreignKey";
      readonly columns: readonly string[];
      readonly targetSchema: string;
      readonly targetTable: string;
      readonly targetColumns: readonly string[];
      readonly onDelete: OnDelete;
    }
  | {
      readonly kind: "index";
      readonly columns: readonly string[];
      /** An expression after the columns; empty for none. */
      readonly expression: string;
      readonly isUnique: boolean;
      readonly method: IndexMethod;
      /** Empty for all rows. */
      readonly where: string;
    }
);

/** How an index is built. */
export type IndexMethod = NonNullable<ChangeOf<"addIndex">["method"]>;

/** Every change that a person has collected and not made yet. */
export interface Draft {
  readonly name: string | undefined;
  readonly comment: string | undefined;
  /** By the name of the column in the table. */
  readonly columns: Readonly<Record<string, ColumnEdit>>;
  readonly added: readonly NewColumn[];
  readonly parts: readonly NewPart[];
  /** Names of constraints, each with whether its dependents are dropped too. */
  readonly droppedConstraints: Readonly<Record<string, boolean>>;
  readonly droppedIndexes: readonly string[];
  /** Messages of checks that the table has, by their name. */
  readonly messages: Readonly<Record<string, string>>;
}

/** A draft without changes. */
export const emptyDraft: Draft = {
  ...{ name: undefined, comment: undefined, columns: {}, added: [], parts: [] },
  ...{ droppedConstraints: {}, droppedIndexes: [], messages: {} },
};

/** A column without anything that a person has chosen. */
export function createColumn(dataType = "text"): NewColumn {
  return {
    ...{ id: crypto.randomUUID(), name: "", dataType, isRequired: false, isIdentity: false },
    ...{ default: "", comment: "", check: "", checkMessage: "", isKey: false, isImage: false },
  };
}

/** The draft of a new table: a generated number is its key. */
export function createTableDraft(): Draft {
  const key = { ...createColumn("bigint"), name: "id", isIdentity: true, isKey: true };
  return { ...emptyDraft, name: "", added: [{ ...key, isRequired: true }] };
}
