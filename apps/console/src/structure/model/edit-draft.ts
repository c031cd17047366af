import type { ColumnEdit, Draft, NewColumn, NewPart } from "./draft.ts";
import { valueAt } from "./value-at.ts";

/** Changes a column that the table has. */
export function editColumn(draft: Draft, name: string, edit: ColumnEdit): Draft {
  return {
    ...draft,
    columns: { ...draft.columns, [name]: { ...valueAt(draft.columns, name), ...edit } },
  };
}

/** Takes back every change of a column that the table has. */
export function restoreColumn(draft: Draft, name: string): Draft {
  const { [name]: _edit, ...columns } = draft.columns;
  return { ...draft, columns };
}

/** Changes a column that is being added. */
export function editNewColumn(draft: Draft, id: string, edit: Partial<NewColumn>): Draft {
  return {
    ...draft,
    added: draft.added.map((column) => (column.id === id ? { ...column, ...edit } : column)),
  };
}

/** Removes a column that is being added, with the parts that need it. */
export function removeNewColumn(draft: Draft, id: string): Draft {
  return {
    ...draft,
    added: draft.added.filter((column) => column.id !== id),
    parts: draft.parts.filter((part) => !("columns" in part) || !part.columns.includes(id)),
  };
}

/** Makes a new column one of files: the identifier of a file, and the foreign key to the files. */
export function makeFileColumn(draft: Draft, id: string, isImage: boolean): Draft {
  const column = { dataType: "uuid", default: "", isIdentity: false, isImage };
  return addPart(editNewColumn(withoutReference(draft, id), id, column), {
    ...{ id: crypto.randomUUID(), kind: "foreignKey", columns: [id], onDelete: "NO ACTION" },
    ...{ targetSchema: "system", targetTable: "files", targetColumns: ["id"] },
  });
}

/** Gives a column of files another type, without its foreign key. */
export function endFileColumn(draft: Draft, id: string, dataType: string): Draft {
  return editNewColumn(withoutReference(draft, id), id, { dataType, isImage: false });
}

function withoutReference(draft: Draft, id: string): Draft {
  const isReference = (part: NewPart) => part.kind === "foreignKey" && part.columns.join() === id;
  return { ...draft, parts: draft.parts.filter((part) => !isReference(part)) };
}

/** Adds a part, such as a key. */
export function addPart(draft: Draft, part: NewPart): Draft {
  return { ...draft, parts: [...draft.parts, part] };
}

/** Removes a part that is being added. */
export function removePart(draft: Draft, id: string): Draft {
  return { ...draft, parts: draft.parts.filter((part) => part.id !== id) };
}

/** Drops a constraint, or keeps it after all. */
export function dropConstraint(draft: Draft, name: string, isCascade: boolean | undefined): Draft {
  const { [name]: _last, ...others } = draft.droppedConstraints;
  return {
    ...draft,
    droppedConstraints: isCascade === undefined ? others : { ...others, [name]: isCascade },
  };
}

/** Drops an index, or keeps it after all. */
export function dropIndex(draft: Draft, name: string, isDropped: boolean): Draft {
  const others = draft.droppedIndexes.filter((one) => one !== name);
  return { ...draft, droppedIndexes: isDropped ? [...others, name] : others };
}
