import {
  bindSlot,
  type CompileFilterContext,
  type FieldSql,
  type GrantPath,
  type ParsedFilter,
  resolveGrantEdges,
  resolveGrantPath,
  sharedEdges,
  slotType,
  type Variable,
} from "@rowhouse/access";
import {
  type Catalogue,
  type Column,
  type ColumnPair,
  type ColumnType,
  type Edge,
  type JunctionEdge,
  joinSql,
  type ParameterType,
  type Relation,
} from "@rowhouse/db";
import { columnSql, whereSql } from "./column-sql.ts";

/** The statement that a step is part of. */
export interface EdgePlace {
  /** Returns the FROM item of a relation under a new alias. */
  readonly from: (relation: Relation) => { readonly sql: string; readonly alias: string };
  /** Returns the condition of the junction's rows that count; null for every row. */
  readonly junctionRows: (alias: string) => string | null;
}

/** The rows that an edge leads to: FROM and WHERE without these words. */
export interface Rows {
  readonly from: string;
  readonly conditions: readonly string[];
}

interface StepSql extends Rows {
  /** The alias of the target. */
  readonly alias: string;
  /** The same rows, each of them once: a junction without a unique key may lead to a row several times. */
  readonly once: Rows;
  /** The rows of all rows of the edge's own relation, grouped by the columns that refer to one of these. */
  readonly grouped: GroupedRows;
}

export interface GroupedRows extends Rows {
  /** The columns that refer to a row, with the alias of their relation. */
  readonly keys: readonly Column[];
  readonly alias: string;
  /** Returns the conditions that join a row to its group. */
  readonly joins: (groupAlias: string) => string[];
}

/**
 * Compiles an edge. A junction is joined to the target and not followed from row to row, so that PostgreSQL may begin
 * with the junction's index on either key.
 *
 * @param sqlOf returns SQL for a column of the edge's own relation
 */
export function stepSql(
  edge: Edge,
  own: Relation,
  sqlOf: (column: Column) => string,
  place: EdgePlace,
): StepSql {
  if (edge.foreignKey === "JUNCTION") return junctionSql(edge, own, sqlOf, place);
  const { sql, alias } = place.from(edge.target);
  const from = edge.foreignKey === "OWN" ? referencedSql(edge.target, sql) : sql;
  const joins = (to: string) => pairsSql(edge.columns, own, sqlOf, edge.target, to);
  const rows = { from, conditions: joins(alias) };
  const keys = columnsOf(edge.target, edge.columns);
  return { ...rows, alias, once: rows, grouped: { from, conditions: [], keys, alias, joins } };
}

function junctionSql(
  { junction, target, near, far, isDistinct }: JunctionEdge,
  own: Relation,
  sqlOf: (column: Column) => string,
  place: EdgePlace,
): StepSql {
  const between = place.from(junction);
  const { sql: item, alias } = place.from(target);
  const sql = referencedSql(target, item);
  const columnOf = (column: Column) => columnSql(column, between.alias);
  const joins = (to: string) => pairsSql(near, own, sqlOf, junction, to);
  const meets = pairsSql(far, junction, columnOf, target, alias).join(" and ");
  const shown = place.junctionRows(between.alias) ?? [];
  const conditions = joins(between.alias).concat(shown);
  const joined = { from: `${between.sql} join ${sql} on ${meets}`, conditions };
  const keys = columnsOf(junction, near);
  const group = { keys, alias: between.alias, joins };
  if (isDistinct) {
    const grouped = { ...group, from: joined.from, conditions: [shown].flat() };
    return { ...joined, alias, once: joined, grouped };
  }
  const exists = `exists (select 1 from ${between.sql}${whereSql([...conditions, meets])})`;
  const columns = new Set([
    ...keys,
    ...columnsOf(
      junction,
      far.map(([name]) => ["", name]),
    ),
  ]);
  const pairs = [...columns].map(columnOf).join(", ");
  const distinct = `(select distinct ${pairs} from ${between.sql}${whereSql([shown].flat())}) ${between.alias}`;
  return {
    ...joined,
    alias,
    once: { from: sql, conditions: [exists] },
    grouped: { ...group, from: `${distinct} join ${sql} on ${meets}`, conditions: [] },
  };
}

/** A foreign key refers to rows of its table alone: an inheriting table may have further rows with the same key. */
function referencedSql({ isInherited }: Relation, sql: string): string {
  return isInherited ? `only ${sql}` : sql;
}

function columnsOf(relation: Relation, pairs: readonly ColumnPair[]): Column[] {
  return pairs.flatMap(([, name]) => relation.columnByName(name) ?? []);
}

function pairsSql(
  pairs: readonly ColumnPair[],
  own: Relation,
  sqlOf: (column: Column) => string,
  target: Relation,
  alias: string,
): string[] {
  return pairs.flatMap(([name, other]) => {
    const [from, to] = [own.columnByName(name), target.columnByName(other)];
    if (from === undefined || to === undefined) return [];
    const there = { sql: columnSql(to, alias), type: to.type };
    return [joinSql(there, { sql: sqlOf(from), type: from.type })];
  });
}

/** The statement that a grant's filter is part of. */
export interface GrantStatement {
  readonly catalogue: Catalogue;
  /** Returns the FROM item of a relation under a new alias. */
  readonly from: (relation: Relation) => { readonly sql: string; readonly alias: string };
  readonly placeConstant: (text: string, type: ParameterType) => string;
  readonly placeVariable: (variable: Variable, type: ColumnType) => string;
  readonly timeZoneSql: () => string;
}

/** The relations of a path in a grant's filter. */
interface Hops {
  /** SQL for a column of the relation that a number of the path's edges lead to. */
  sqlOf(passed: number, column: Column): string;
  wrap(condition: string, form: "EXISTS" | "SCALAR"): string;
  /** The number of rows at the end of the path that satisfy the condition. */
  count(condition: string): string;
}

/**
 * Creates the resolver of a grant's filter. Administrators wrote the filter, so its paths cross relations without
 * grants on them.
 */
export function grantContext(
  statement: GrantStatement,
  parsed: ParsedFilter,
  relation: Relation,
  sqlOf: (column: Column) => string,
): CompileFilterContext {
  const { catalogue } = statement;
  const resolve = (name: string): GrantPath => {
    const path = resolveGrantPath(catalogue, relation, name);
    if (path === undefined) throw new TypeError("A grant's filter has lost a column");
    return path;
  };
  return {
    field: (name) => {
      const { edges, column } = resolve(name);
      const hops = follow(statement, edges, relation, sqlOf);
      const own: FieldSql = {
        sql: hops.sqlOf(edges.length, column),
        type: column.type,
        visibleSql: null,
        raises: false,
        guard: (condition) => condition,
        beside: (other) => {
          const path = resolve(other);
          const shared = sharedEdges(edges, path.edges);
          const rest = path.edges.slice(shared);
          if (rest.some(({ kind }) => kind === "MANY")) return undefined;
          const start = edges[shared - 1]?.target ?? relation;
          const further = follow(statement, rest, start, (from) => hops.sqlOf(shared, from));
          const sql = further.wrap(further.sqlOf(rest.length, path.column), "SCALAR");
          return { sql, type: path.column.type };
        },
      };
      if (edges.length === 0) return own;
      const single = edges.every(({ kind }) => kind === "ONE");
      return {
        ...own,
        relate: (condition, positive) =>
          hops.wrap(condition, single && !positive ? "SCALAR" : "EXISTS"),
      };
    },
    relation: (name) => {
      const edges = resolveGrantEdges(catalogue, relation, name);
      const target = edges?.at(-1)?.target;
      if (edges === undefined || target === undefined) {
        throw new TypeError("A grant's filter has lost a relation");
      }
      const hops = follow(statement, edges, relation, sqlOf);
      return {
        inner: grantContext(statement, parsed, target, (column) =>
          hops.sqlOf(edges.length, column),
        ),
        exists: (condition) => hops.wrap(condition, "EXISTS"),
        count: (condition) => hops.count(condition),
      };
    },
    placeSlot: (binding) => {
      const slot = parsed.slots[binding.slot];
      if (slot === undefined) throw new TypeError("A grant's filter has lost a literal");
      return statement.placeConstant(bindSlot(binding, slot), slotType(binding));
    },
    placeVariable: statement.placeVariable,
    timeZoneSql: statement.timeZoneSql,
    code: "BODY_INVALID",
  };
}

function follow(
  statement: GrantStatement,
  edges: readonly Edge[],
  start: Relation,
  sqlOf: (column: Column) => string,
): Hops {
  const hops: StepSql[] = [];
  const writers = [sqlOf];
  let relation = start;
  let write = sqlOf;
  for (const edge of edges) {
    const hop = stepSql(edge, relation, write, { from: statement.from, junctionRows: () => null });
    hops.push(hop);
    relation = edge.target;
    write = (column) => columnSql(column, hop.alias);
    writers.push(write);
  }
  return {
    count: (condition) => {
      const from = hops.map(({ once }) => once.from).join(", ");
      const joins = hops.flatMap(({ once }) => once.conditions);
      return `(select pg_catalog.count(*) from ${from}${whereSql([...joins, condition])})`;
    },
    sqlOf: (passed, column) => (writers[passed] ?? write)(column),
    wrap: (condition, form) =>
      hops.reduceRight(
        (inner, { from, conditions }) =>
          form === "EXISTS"
            ? `exists (select 1 from ${from}${whereSql([...conditions, inner])})`
            : `(select ${inner} from ${from}${whereSql(conditions)})`,
        condition,
      ),
  };
}
