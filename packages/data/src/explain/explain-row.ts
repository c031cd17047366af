import { accessTo, type Principal } from "@rowhouse/access";
import type { Database, Parameter, Snapshot } from "@rowhouse/db";
import { createFault } from "@rowhouse/errors";
import { actionOf } from "../authorize/authorize-plan.ts";
import { whereSql } from "../compile/column-sql.ts";
import { keyConditions } from "../compile/compile-read.ts";
import { gateSql } from "../compile/compile-statement.ts";
import { StatementBuilder } from "../compile/statement.ts";
import { bindParameters } from "../execute/bind-parameters.ts";
import { rowIdOf } from "../parse/request.ts";
import type { Plan } from "../plan/plan-request.ts";
import type { ExplainedFault } from "./explain-refusal.ts";

/** Whether the row of a request exists, and which grants' row filters match it. */
export interface RowReport {
  readonly exists: boolean;
  /** Empty for an administrator, and for a row that does not exist. */
  readonly grants: readonly { readonly id: string; readonly passes: boolean }[];
}

/** The statement that finds out what a `RowReport` says. */
export interface RowQuery {
  readonly text: string;
  readonly parameters: readonly Parameter[];
  readonly grantIds: readonly string[];
}

/**
 * Compiles the question which grants for the action of a request match the row that it names by its key. The answer has
 * no value of the row.
 *
 * @returns null for a request that names no row
 */
export function compileRowQuery(
  { request, relation }: Plan,
  snapshot: Snapshot,
  principal: Principal,
): RowQuery | null {
  if (rowIdOf(request) === null) return null;
  const access = accessTo(snapshot, principal, relation, actionOf(request));
  const grants = access.kind === "GRANTED" ? access.grants.filter(({ id }) => id !== null) : [];
  const builder = new StatementBuilder(snapshot.catalogue, "BESIDE");
  const { sql, alias } = builder.from(relation);
  const passes = grants.map(({ filter }, index) => {
    const condition = filter === null ? "true" : builder.grantFilterSql(filter, relation, alias);
    return `, (${condition}) is true as g${index}`;
  });
  const columns = relation.primaryKey.flatMap((name) => relation.columnByName(name) ?? []);
  const key = keyConditions(columns, { alias, builder });
  const gate = gateSql(builder, snapshot, builder.scope, "USER");
  const statement = {
    text: `select true as found${passes.join("")} from (${gate} offset 0) gate, ${sql}${whereSql(key)}`,
    parameters: builder.parameters,
    relation,
    scope: builder.scope,
    requested: builder.requested,
    lists: builder.lists,
  };
  const caller = { kind: "USER", userId: principal.userId } as const;
  return {
    text: statement.text,
    parameters: bindParameters(statement, { request, snapshot, principal, caller }),
    grantIds: grants.flatMap(({ id }) => id ?? []),
  };
}

/** Finds out which row filters match the row; the statement cannot write. */
export async function reportRow(database: Database, query: RowQuery): Promise<RowReport> {
  const [row] = await database.transaction(
    (transaction) => transaction.query<Record<string, boolean>>(query.text, [...query.parameters]),
    { readOnly: true },
  );
  const grants = query.grantIds.map((id, index) => ({ id, passes: row?.[`g${index}`] === true }));
  return { exists: row !== undefined, grants: row === undefined ? [] : grants };
}

/** Returns the refusal of a request whose row is missing for the user; null if the row is there. */
export function refusalOfRow({ exists, grants }: RowReport): {
  readonly stage: "ROW";
  readonly status: number;
  readonly faults: readonly ExplainedFault[];
} | null {
  if (exists && (grants.length === 0 || grants.some(({ passes }) => passes))) return null;
  const reason = exists
    ? "The row filter of no grant matches the row"
    : "There is no row with this id";
  return { stage: "ROW", status: 404, faults: [{ ...createFault("NOT_FOUND"), reason }] };
}
