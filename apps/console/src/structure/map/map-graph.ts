import type { AdminOperations } from "@rowhouse/client";

/** A foreign key between two tables, as the service returns it. */
type ForeignKey = AdminOperations["GET /foreign-keys"]["answer"]["data"][number];

/** The full name of a table. */
export interface TableName {
  readonly schema: string;
  readonly name: string;
}

/** A table of the map. Tables are named by their position, because their own names may be anything. */
export interface MapTable extends TableName {
  /** The columns that refer to other tables. */
  readonly columns: readonly string[];
}

/** A foreign key of the map. */
export interface MapKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly targetColumns: readonly string[];
  /** The positions of both tables. */
  readonly from: number;
  readonly to: number;
}

/** Tables and the foreign keys between them. */
export interface MapGraph {
  readonly tables: readonly MapTable[];
  readonly keys: readonly MapKey[];
}

/** Joins tables and foreign keys. A table of another schema that a key refers to, or comes from, is in the map too. */
export function createGraph(
  tables: readonly TableName[],
  foreignKeys: readonly ForeignKey[],
): MapGraph {
  const positions = new Map<string, number>();
  const found: (TableName & { readonly columns: Set<string> })[] = [];
  const positionOf = (schema: string, name: string): number => {
    const key = JSON.stringify([schema, name]);
    const position = positions.get(key) ?? found.length;
    if (position === found.length) {
      positions.set(key, position);
      found.push({ schema, name, columns: new Set() });
    }
    return position;
  };
  for (const { schema, name } of tables) positionOf(schema, name);
  const keys = foreignKeys.map((key): MapKey => {
    const from = positionOf(key.schema, key.table);
    for (const column of key.columns) found[from]?.columns.add(column);
    const { name, columns, targetColumns } = key;
    return {
      name,
      columns,
      targetColumns,
      from,
      to: positionOf(key.targetSchema, key.targetTable),
    };
  });
  return { tables: found.map((table) => ({ ...table, columns: [...table.columns] })), keys };
}
