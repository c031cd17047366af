import type { Change, NewPart } from "./draft.ts";

/**
 * Returns the change that adds a part.
 *
 * @param nameOf the name of a column by its id
 */
export function compilePart(part: NewPart, nameOf: (id: string) => string): Change {
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
