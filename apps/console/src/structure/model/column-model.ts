import type { Draft, NewPart } from "./draft.ts";
import type { Table } from "./queries.ts";
import { valueAt } from "./value-at.ts";

type TableColumn = Table["columns"][number];
type ForeignKey = Pick<
  Table["foreignKeys"][number],
  "targetSchema" | "targetTable" | "onDelete"
> & { readonly targetColumns: readonly string[] };

/** A column as the draft has it: of the table, changed or not, or new. */
export interface ColumnModel {
  /** The name in the table, or the id of a new column. */
  readonly id: string;
  readonly name: string;
  readonly dataType: string;
  readonly isRequired: boolean;
  readonly isIdentity: boolean;
  readonly default: string;
  readonly comment: string;
  readonly using: string;
  readonly check: string;
  readonly checkMessage: string;
  readonly isKey: boolean;
  readonly isCascade: boolean;
  readonly generatedAs: string | null;
  readonly reference: ForeignKey | undefined;
  /** How a new column that refers to a file will be shown; undefined for every other column. */
  readonly fileFormat: "file" | "image" | undefined;
  readonly mark: "added" | "changed" | "dropped" | undefined;
  /** The column in the table; undefined for a new one. */
  readonly origin: TableColumn | undefined;
}

/** The columns of a draft in the order of the table, then the new ones. */
export function columnModels(table: Table | null, draft: Draft): readonly ColumnModel[] {
  return [
    ...(table?.columns ?? []).map((column) => ownColumn(table, draft, column)),
    ...draft.added.map((column): ColumnModel => {
      const { id } = column;
      const reference = draft.parts.find(
        (part): part is Extract<NewPart, { kind: "foreignKey" }> =>
          part.kind === "foreignKey" && part.columns.length === 1 && part.columns[0] === id,
      );
      return {
        ...column,
        ...{ using: "", isCascade: false, generatedAs: null, origin: undefined },
        isKey: column.isKey || isInNewKey(draft, id),
        reference,
        fileFormat: isFiles(reference) ? (column.isImage ? "image" : "file") : undefined,
        mark: "added",
      };
    }),
  ];
}

function ownColumn(table: Table | null, draft: Draft, origin: TableColumn): ColumnModel {
  const { name, dataType, nullable, identity, comment, generatedAs } = origin;
  const edit = valueAt(draft.columns, name) ?? {};
  const dropped = draft.droppedConstraints;
  const isOwn = (columns: readonly string[]) => columns.length === 1 && columns[0] === name;
  const key = table?.primaryKey;
  const shown = {
    name: edit.name ?? name,
    dataType: edit.dataType ?? dataType,
    isRequired: edit.isRequired ?? !nullable,
    isIdentity: edit.isIdentity ?? identity !== null,
    default: edit.default ?? origin.default ?? "",
    comment: edit.comment ?? comment ?? "",
  };
  const isChanged =
    shown.name !== name ||
    shown.dataType !== dataType ||
    shown.isRequired === nullable ||
    shown.isIdentity !== (identity !== null) ||
    shown.default !== (origin.default ?? "") ||
    shown.comment !== (comment ?? "");
  return {
    ...shown,
    id: name,
    using: edit.using ?? "",
    ...{ check: "", checkMessage: "", isCascade: edit.isCascade ?? false, generatedAs, origin },
    isKey:
      (key?.columns.includes(name) === true && !Object.hasOwn(dropped, key.name)) ||
      isInNewKey(draft, name),
    reference: table?.foreignKeys.find(
      ({ columns, name: constraint }) => isOwn(columns) && !Object.hasOwn(dropped, constraint),
    ),
    fileFormat: undefined,
    mark: edit.isDropped === true ? "dropped" : isChanged ? "changed" : undefined,
  };
}

/** The names of the new columns whose files are shown as images. */
export function imageColumns(draft: Draft): readonly string[] {
  return columnModels(null, draft)
    .filter(({ name, fileFormat }) => name !== "" && fileFormat === "image")
    .map(({ name }) => name);
}

function isFiles(reference: ForeignKey | undefined): boolean {
  return reference?.targetSchema === "system" && reference.targetTable === "files";
}

function isInNewKey(draft: Draft, id: string): boolean {
  return draft.parts.some((part) => part.kind === "primaryKey" && part.columns.includes(id));
}
