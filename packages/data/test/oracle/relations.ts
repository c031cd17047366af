import type { Column, Path, Row, Table, World } from "./model.ts";

/** One direction of a foreign key, from a row to its related rows. */
export interface Edge {
  readonly name: string;
  /** The name that the relation has if no other claims it. */
  readonly base: string;
  readonly kind: "ONE" | "MANY";
  readonly target: Table;
  /** Pairs of equal columns: own, target. */
  readonly pairs: readonly (readonly [here: string, there: string])[];
}

export function tableOf(world: Pick<World, "tables">, name: string): Table | undefined {
  return world.tables.find((table) => table.name === name);
}

export function columnOf(table: Table, name: string): Column | undefined {
  return table.columns.find((column) => column.name === name);
}

interface Namesake {
  readonly toOne: string;
  readonly ownColumn: string | undefined;
  readonly edge: Omit<Edge, "name">;
}

/**
 * Returns the relations of a table, by the rules of docs/data-api.md: a to-one relation has the column's name without
 * `_id`, a to-many relation the name of the referencing table. If something else has that name, `_by_<to-one name>` is
 * appended. A key of several columns is named after its target.
 */
export function edgesOf(world: Pick<World, "tables">, table: Table): readonly Edge[] {
  const found: Namesake[] = [];
  for (const other of world.tables) {
    for (const { columns, target: targetName, targetColumns } of other.foreignKeys) {
      const target = tableOf(world, targetName);
      if (target === undefined) continue;
      const [only = ""] = columns;
      const toOne = columns.length > 1 ? target.name : only.replace(/(?<=.)_id$/, "");
      const pairs = columns.map((name, at) => [name, targetColumns[at] ?? ""] as const);
      if (other === table) {
        const ownColumn = columns.length > 1 ? undefined : only;
        const edge = { base: toOne, kind: "ONE", target, pairs } as const;
        found.push({ toOne, ownColumn, edge });
      }
      if (target === table) {
        const back = pairs.map(([here, there]) => [there, here] as const);
        const edge = { base: other.name, kind: "MANY", target: other, pairs: back } as const;
        found.push({ toOne, ownColumn: undefined, edge });
      }
    }
  }
  return found.map(({ toOne, ownColumn, edge }) => {
    const { base } = edge;
    const isShared = found.filter((other) => other.edge.base === base).length > 1;
    const isColumn = columnOf(table, base) !== undefined && ownColumn !== base;
    return { name: isShared || isColumn ? `${base}_by_${toOne}` : base, ...edge };
  });
}

/** Returns the related rows, visible or not. */
export function relatedRows(world: World, edge: Edge, row: Row): readonly Row[] {
  return (world.rows.get(edge.target.name) ?? []).filter((other) =>
    edge.pairs.every(([here, there]) => {
      const value = row.get(here);
      return value != null && value === other.get(there);
    }),
  );
}

/** Formats a path as a caller writes it. */
export function writePath({ steps, name, apply, aliases }: Path): string {
  const aliased = (written: string, alias: string | null | undefined): string =>
    alias == null ? written : `${alias}:${written}`;
  const end = apply === undefined ? name : name === null ? apply : `${apply}(${name})`;
  const before = steps.map((step, at) => aliased(step, aliases?.steps[at]));
  return [...before, ...(end === null ? [] : [aliased(end, aliases?.name)])].join(".");
}

/** The members of the response that lead to the end of a path. */
export function placeOf({ steps, aliases }: Path): readonly string[] {
  return steps.map((step, at) => aliases?.steps[at] ?? step);
}
