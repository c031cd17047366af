import type { AdminOperations } from "@rowhouse/client";
import type { Change, ChangeOf, ColumnEdit, Draft, NewColumn, NewPart } from "./draft.ts";
import type { Table } from "./queries.ts";
import { valueAt } from "./value-at.ts";

type TableColumn = Table["columns"][number];

/** A change with the place of the page that it comes from, such as `column/id`. */
export interface PlacedChange {
  readonly place: string;
  readonly change: Change;
}

/** The changes of a draft in the order in which the service makes them. */
export interface CompiledDraft {
  readonly changes: readonly PlacedChange[];
  /** Columns that the draft changes and the table no longer has. */
  readonly missing: readonly string[];
}

/**
 * Returns the changes of a draft to a table as it is now: what the table already has is no change. Drops come first, so
 * that names become free; parts come last, so that they find the columns under their new names.
 */
export function compileDraft(table: Table, draft: Draft): CompiledDraft {
  const edited = table.columns.flatMap((column) => {
    const edit = valueAt(draft.columns, column.name);
    return edit === undefined ? [] : [{ column, edit }];
  });
  const known = new Set(table.columns.map(({ name }) => name));
  const missing = Object.entries(draft.columns).flatMap(([name, edit]) =>
    known.has(name) || edit.isDropped === true ? [] : [name],
  );
  const kept = edited.filter(({ edit }) => edit.isDropped !== true);
  const nameOf = columnNames(draft);
  return {
    missing,
    changes: [
      ...dropChanges(table, draft),
      ...edited.flatMap(({ column, edit }) =>
        edit.isDropped === true ? [placed(column.name, dropColumn(column.name, edit))] : [],
      ),
      ...kept.flatMap(({ column, edit }) => renameChanges(column, edit)),
      ...kept.flatMap(({ column, edit }) => columnChanges(column, edit)),
      ...draft.added.flatMap((column) =>
        column.name === "" ? [] : [placed(column.id, addColumn(column))],
      ),
      ...draft.parts.map((part) => ({
        place: `part/${part.id}`,
        change: compilePart(part, nameOf),
      })),
      ...messageChanges(table, draft),
      ...tableChanges(table, draft),
    ],
  };
}

/** Returns the name that a column of the table, or a new one, has after the changes. */
export function columnNames(draft: Draft): (id: string) => string {
  const added = new Map(draft.added.map(({ id, name }) => [id, name]));
  return (id) => added.get(id) ?? valueAt(draft.columns, id)?.name ?? id;
}

function placed(id: string, change: Change): PlacedChange {
  return { place: `column/${id}`, change };
}

function dropChanges(table: Table, draft: Draft): PlacedChange[] {
  const constraints = [
    ...(table.primaryKey === null ? [] : [table.primaryKey]),
    ...table.uniques,
    ...table.checks,
    ...table.foreignKeys,
  ].map(({ name }) => name);
  const indexes = table.indexes.map(({ name }) => name);
  return [
    ...Object.entries(draft.droppedConstraints).flatMap(([constraint, isCascade]) =>
      constraints.includes(constraint)
        ? [
            {
              place: `constraint/${constraint}`,
              change: {
                kind: "dropConstraint" as const,
                constraint,
                ...(isCascade && { cascade: true }),
              },
            },
          ]
        : [],
    ),
    ...draft.droppedIndexes
      .filter((index) => indexes.includes(index))
      .map((index) => ({
        place: `index/${index}`,
        change: { kind: "dropIndex" as const, index },
      })),
  ];
}

function dropColumn(column: string, { isCascade }: ColumnEdit): Change {
  return { kind: "dropColumn", column, ...(isCascade === true && { cascade: true }) };
}

function renameChanges({ name }: TableColumn, edit: ColumnEdit): PlacedChange[] {
  if (edit.name === undefined || edit.name === name) return [];
  return [placed(name, { kind: "renameColumn", column: name, name: edit.name })];
}

function columnChanges(column: TableColumn, edit: ColumnEdit): PlacedChange[] {
  const { dataType, using = "", isRequired, isIdentity, comment } = edit;
  const change: ChangeOf<"changeColumn"> = {
    kind: "changeColumn",
    column: edit.name ?? column.name,
    ...(dataType !== undefined && dataType !== column.dataType && { dataType }),
    ...(using !== "" && { using }),
    ...(isRequired !== undefined && isRequired === column.nullable && { nullable: !isRequired }),
    ...(edit.default !== undefined &&
      edit.default !== (column.default ?? "") && { default: edit.default || null }),
    ...(isIdentity !== undefined &&
      isIdentity !== (column.identity !== null) && {
        identity: isIdentity ? ("ALWAYS" as const) : null,
      }),
    ...(comment !== undefined &&
      comment !== (column.comment ?? "") && { comment: comment || null }),
  };
  return Object.keys(change).length === 2 ? [] : [placed(column.name, change)];
}

function addColumn(column: NewColumn): Change {
  return {
    kind: "addColumn",
    ...columnDefinition(column),
    ...(column.comment !== "" && { comment: column.comment }),
  };
}

/** The properties of a new column that the service takes for a new table too. */
function columnDefinition(column: NewColumn) {
  return {
    name: column.name,
    dataType: column.dataType,
    ...(column.isIdentity
      ? { identity: "ALWAYS" as const }
      : column.isRequired && !column.isKey && { nullable: false }),
    ...(column.default !== "" && { default: column.default }),
    ...(column.check !== "" && { check: column.check }),
    ...(column.check !== "" && column.checkMessage !== "" && { checkMessage: column.checkMessage }),
  };
}

function messageChanges(table: Table, draft: Draft): PlacedChange[] {
  return table.checks.flatMap(({ name, message }) => {
    const wanted = valueAt(draft.messages, name);
    const isSame = wanted === undefined || wanted === (message ?? "");
    if (isSame || Object.hasOwn(draft.droppedConstraints, name)) return [];
    return [
      {
        place: `constraint/${name}`,
        change: { kind: "changeCheck" as const, constraint: name, checkMessage: wanted || null },
      },
    ];
  });
}

function tableChanges(table: Table, { name, comment }: Draft): PlacedChange[] {
  return [
    ...(comment === undefined || comment === (table.comment ?? "")
      ? []
      : [{ place: "table", change: { kind: "changeComment" as const, comment: comment || null } }]),
    ...(name === undefined || name === table.name
      ? []
      : [{ place: "table", change: { kind: "rename" as const, name } }]),
  ];
}

/**
 * Returns the change that adds a part.
 *
 * @param nameOf the name of a column by its id
 */
function compilePart(part: NewPart, nameOf: (id: string) => string): Change {
  switch (part.kind) {
    case "primaryKey":
      return { kind: "addPrimaryKey", columns: part.columns.map(nameOf) };
    case "unique":
      return { kind: "addUnique", columns: part.columns.map(nameOf) };
    case "check": {
      const { check, checkMessage } = part;
      return { kind: "addCheck", check, ...(checkMessage !== "" && { checkMessage }) };
    }
    case "foreignKey": {
      const { targetSchema, targetTable, targetColumns, onDelete } = part;
      const columns = part.columns.map(nameOf);
      const target = { targetSchema, targetTable, targetColumns: [...targetColumns] };
      return { kind: "addForeignKey", columns, ...target, onDelete };
    }
    case "index": {
      const { columns, expression, isUnique, method, where } = part;
      return {
        kind: "addIndex",
        keys: [
          ...columns.map((id) => ({ column: nameOf(id) })),
          ...(expression === "" ? [] : [{ expression }]),
        ],
        ...(isUnique && { unique: true }),
        ...(method !== "btree" && { method }),
        ...(where !== "" && { where }),
      };
    }
  }
}

type Definition = AdminOperations["POST /schema/{schema}/tables"]["data"];

/** Returns the definition of a new table. Columns without a name are not in it. */
export function compileNewTable(draft: Draft): Definition {
  return {
    name: draft.name ?? "",
    columns: namedColumns(draft).map((column) => {
      const foreignKey = draft.parts.find(
        (part) => part.kind === "foreignKey" && part.columns[0] === column.id,
      );
      return {
        ...columnDefinition(column),
        ...(column.isKey && { primaryKey: true }),
        ...(foreignKey?.kind === "foreignKey" && {
          foreignKey: {
            targetSchema: foreignKey.targetSchema,
            targetTable: foreignKey.targetTable,
            targetColumn: foreignKey.targetColumns[0] ?? "",
            onDelete: foreignKey.onDelete,
          },
        }),
      };
    }),
  };
}

/** The columns of a new table in the order of its definition. */
export function namedColumns({ added }: Draft) {
  return added.filter(({ name }) => name !== "");
}
