import type { AdminOperations } from "@rowhouse/client";
import { columnDefinition } from "./compile-draft.ts";
import type { Draft } from "./draft.ts";

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
