import type { Column, Expression, ForeignKey, Path, Row, Table, World } from "./model.ts";

/** One direction of a foreign key or of a junction, from a row to its related rows. */
export interface Edge {
  readonly name: string;
  /** The name that the relation has if no other claims it. */
  readonly base: string;
  readonly kind: "ONE" | "MANY";
  readonly target: Table;
  /** Pairs of equal columns: own, target; with a junction: own, junction. */
  readonly pairs: Pairs;
  readonly over?: { readonly junction: Table; readonly far: Pairs };
}

type Pairs = readonly (readonly [here: string, there: string])[];

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
 * appended. A key of several columns is named after its target. An administrator may give a to-one relation another name.
 * A unique foreign key leads back to one row.
 */
export function edgesOf(world: Pick<World, "tables">, table: Table): readonly Edge[] {
  const known = knownEdges.get(world.tables) ?? new Map<Table, readonly Edge[]>();
  knownEdges.set(world.tables, known);
  const edges = known.get(table) ?? findEdges(world, table);
  known.set(table, edges);
  return edges;
}

const knownEdges = new WeakMap<readonly Table[], Map<Table, readonly Edge[]>>();

function findEdges(world: Pick<World, "tables">, table: Table): readonly Edge[] {
  const found: Namesake[] = [];
  for (const other of world.tables) {
    for (const { columns, target: targetName, targetColumns, relationName } of other.foreignKeys) {
      const target = tableOf(world, targetName);
      if (target === undefined) continue;
      const [only = ""] = columns;
      const toOne = columns.length > 1 ? target.name : only.replace(/(?<=.)_id$/, "");
      const pairs = columns.map((name, at) => [name, targetColumns[at] ?? ""] as const);
      if (other === table) {
        const ownColumn = columns.length > 1 ? undefined : only;
        const edge = { base: relationName ?? toOne, kind: "ONE", target, pairs } as const;
        found.push({ toOne, ownColumn, edge });
      }
      if (target === table) {
        const back = pairs.map(([here, there]) => [there, here] as const);
        const kind = isUnique(other, columns) ? ("ONE" as const) : ("MANY" as const);
        const edge = { base: other.name, kind, target: other, pairs: back };
        found.push({ toOne, ownColumn: undefined, edge });
      }
    }
  }
  const direct = found.map(({ toOne, ownColumn, edge }) => {
    const { base } = edge;
    const isShared = found.filter((other) => other.edge.base === base).length > 1;
    const isColumn = columnOf(table, base) !== undefined && ownColumn !== base;
    return { name: isShared || isColumn ? `${base}_by_${toOne}` : base, ...edge };
  });
  return [...direct, ...junctionEdges(world, table, direct)];
}

/** Whether the columns of a foreign key include a unique key. */
function isUnique({ columns, primaryKey }: Table, names: readonly string[]): boolean {
  return (
    primaryKey.every((name) => names.includes(name)) ||
    columns.some(({ name, unique }) => unique && names.includes(name))
  );
}

/** The two foreign keys of a junction: its primary key consists of them, or it is marked and has no other. */
function junctionKeys({ primaryKey, foreignKeys, marked }: Table): readonly ForeignKey[] {
  const within = foreignKeys.filter(({ columns }) =>
    columns.every((name) => primaryKey.includes(name)),
  );
  const covered = new Set(within.flatMap(({ columns }) => columns));
  if (within.length === 2 && covered.size === primaryKey.length) return within;
  return marked && foreignKeys.length === 2 ? foreignKeys : [];
}

/** Named after the target; if something else has that name, after the junction too, and of two after the far key as well. */
function junctionEdges(
  world: Pick<World, "tables">,
  table: Table,
  direct: readonly Edge[],
): readonly Edge[] {
  const found = world.tables.flatMap((junction) => {
    const [one, other] = junctionKeys(junction);
    if (one === undefined || other === undefined) return [];
    return [[one, other] as const, [other, one] as const].flatMap(([near, far]) => {
      const target = tableOf(world, far.target);
      if (near.target !== table.name || target === undefined) return [];
      return [{ junction, target, near, far }];
    });
  });
  return found.map(({ junction, target, near, far }) => {
    const namesakes = found.filter((other) => other.target === target);
    const isNamed = direct.some(({ name }) => name === target.name);
    const isTaken =
      isNamed ||
      direct.some(({ base }) => base === target.name) ||
      columnOf(table, target.name) !== undefined;
    const isTwin = namesakes.filter((other) => other.junction === junction).length > 1;
    const [only = ""] = far.columns;
    const toOne = far.columns.length > 1 ? target.name : only.replace(/(?<=.)_id$/, "");
    const long = `${target.name}_by_${junction.name}${isTwin ? `_${toOne}` : ""}`;
    return {
      name: isTaken || namesakes.length > 1 ? long : target.name,
      base: isNamed ? "" : target.name,
      kind: "MANY",
      target,
      pairs: near.columns.map((name, at) => [near.targetColumns[at] ?? "", name] as const),
      over: {
        junction,
        far: far.columns.map((name, at) => [name, far.targetColumns[at] ?? ""] as const),
      },
    };
  });
}

/**
 * Returns the related rows, visible or not, each of them once.
 *
 * @param counts whether a row of a junction counts
 */
export function relatedRows(
  world: World,
  { target, pairs, over }: Edge,
  row: Row,
  counts: (junction: Table, row: Row) => boolean = () => true,
): readonly Row[] {
  const rows = world.rows.get(target.name) ?? [];
  if (over === undefined) return rows.filter((other) => areEqual(pairs, row, other));
  const between = (world.rows.get(over.junction.name) ?? []).filter(
    (other) => areEqual(pairs, row, other) && counts(over.junction, other),
  );
  return rows.filter((other) => between.some((link) => areEqual(over.far, link, other)));
}

function areEqual(pairs: Pairs, row: Row, other: Row): boolean {
  return pairs.every(([here, there]) => {
    const value = row.get(here);
    return value != null && value === other.get(there);
  });
}

/** Formats a path as a caller writes it. */
export function writePath({ steps, name, inside = [], apply, expression, aliases }: Path): string {
  const aliased = (written: string, alias: string | null | undefined): string =>
    alias == null ? written : `${alias}:${written}`;
  const before = steps.map((step, at) => aliased(step, aliases?.steps[at]));
  // The name of an expression is at its end.
  if (apply !== undefined && expression !== undefined) {
    return [...before, `${apply}(${writeExpression(expression)}):${aliases?.name}`].join(".");
  }
  const field = name === null ? [] : [name, ...inside];
  if (apply === undefined) {
    const [first, ...keys] = field;
    const shown = first === undefined ? [] : [aliased(first, aliases?.name), ...keys];
    return [...before, ...shown].join(".");
  }
  const end = name === null ? apply : `${apply}(${field.join(".")})`;
  return [...before, aliased(end, aliases?.name)].join(".");
}

/** Formats an expression, with all of its parentheses. */
export function writeExpression(expression: Expression): string {
  if (expression.kind === "NUMBER") return expression.text;
  if (expression.kind === "FIELD") {
    const { steps, name, inside = [] } = expression.path;
    const names = [...steps, name ?? "", ...inside];
    return names.map((each) => `"${each.replaceAll('"', '""')}"`).join(".");
  }
  const { left, sign, right } = expression;
  return `(${writeExpression(left)}${sign}${writeExpression(right)})`;
}

/** The members of the response that lead to the end of a path. */
export function placeOf({ steps, aliases }: Path): readonly string[] {
  return steps.map((step, at) => aliases?.steps[at] ?? step);
}
