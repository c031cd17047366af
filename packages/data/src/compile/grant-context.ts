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
import type { Catalogue, Column, ColumnType, Edge, ParameterType, Relation } from "@rowhouse/db";
import { columnSql, whereSql } from "./column-sql.ts";
import { type StepSql, stepSql } from "./step-sql.ts";

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
