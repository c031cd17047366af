import type { CallerKind } from "@rowhouse/access";
import type { Parameter, Queryable, Snapshot } from "@rowhouse/db";
import type { AuthorizedPlan } from "../authorize/authorized-plan.ts";
import { whereSql } from "./column-sql.ts";
import { gateSql } from "./compile-gate.ts";
import { filteredFrom, isEstimated, listConditions, manyRowsScope } from "./compile-read.ts";
import { type Statement, StatementBuilder } from "./statement.ts";

/**
 * Compiles the statement that returns PostgreSQL's estimate of the number of rows of a list; null if the list's own
 * statement counts (docs/decisions/0037-estimates-for-readers-of-all-rows.md).
 */
export function compileEstimate(
  plan: AuthorizedPlan,
  snapshot: Pick<Snapshot, "guard" | "catalogue">,
  callerKind: CallerKind,
): Statement | null {
  if (plan.kind !== "LIST" || plan.count !== "estimated") return null;
  const builder = new StatementBuilder(snapshot.catalogue, "BESIDE");
  const { scope, from } = manyRowsScope(plan, builder);
  const conditions = listConditions(plan, scope);
  if (!isEstimated(plan, conditions, scope)) return null;
  const rows = `select 1 from ${filteredFrom(from, scope)}${whereSql(conditions)}`;
  // This gate only provides columns of the user. The list's statement proves that rights and catalogue are those of the
  // estimate.
  const text =
    builder.userColumnNames().length === 0
      ? rows
      : `select 1 from (${gateSql(builder, snapshot, builder.scope, callerKind)} offset 0) gate, lateral (${rows}) d`;
  return {
    text: `explain (format json) ${text}`,
    parameters: builder.parameters,
    relation: plan.relation,
    scope: builder.scope,
    requested: builder.requested,
    lists: [],
  };
}

/** Returns the number of rows that PostgreSQL expects of a statement, as text; null if the plan contains none. */
export async function estimateRows(
  queryable: Queryable,
  { text }: Statement,
  parameters: readonly Parameter[],
  userId: string,
): Promise<string | null> {
  const [row] = await queryable.query<{ "QUERY PLAN": unknown }>(text, parameters, { userId });
  const result = row?.["QUERY PLAN"];
  const plans = typeof result === "string" ? (JSON.parse(result) as unknown) : result;
  const rows = (plans as { Plan?: { "Plan Rows"?: unknown } }[] | undefined)?.[0]?.Plan?.[
    "Plan Rows"
  ];
  return typeof rows === "number" ? String(Math.round(rows)) : null;
}
