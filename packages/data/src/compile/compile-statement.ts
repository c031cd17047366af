import type { CallerKind } from "@rowhouse/access";
import type { Snapshot } from "@rowhouse/db";
import { actionOf } from "../authorize/authorize-plan.ts";
import type { AuthorizedPlan } from "../authorize/authorized-plan.ts";
import { compileAggregate } from "./compile-aggregate.ts";
import { compileDelete, compileUpdate } from "./compile-change.ts";
import { compileCreate } from "./compile-create.ts";
import { gateSql, writingGateSql } from "./compile-gate.ts";
import { compileHistory } from "./compile-history.ts";
import { compileList, compileRead } from "./compile-read.ts";
import { gatePlaceholder, type Statement, StatementBuilder } from "./statement.ts";

/**
 * Compiles an authorized plan to one statement. It is stage 4 of a request and a pure function.
 *
 * @throws AppError of the contract
 */
export function compileStatement(
  plan: AuthorizedPlan,
  snapshot: Pick<Snapshot, "guard" | "catalogue">,
  callerKind: CallerKind,
): Statement {
  const reads = actionOf(plan) === "READ";
  const builder = new StatementBuilder(snapshot.catalogue, reads);
  const rest = compileRest(plan, builder);
  const gate = gateSql(builder, snapshot, builder.scope, callerKind);
  return {
    // A subquery costs less than a common table expression. Only a write needs the latter, because it names the gate
    // several times.
    text: reads
      ? rest.replace(gatePlaceholder, () => `(${gate} offset 0) gate`)
      : `with gate as materialized (${writingGateSql(builder, gate, plan.relation, snapshot.catalogue)})${rest}`,
    parameters: builder.parameters,
    relation: plan.relation,
    scope: builder.scope,
    requested: builder.requested,
    lists: builder.lists,
  };
}

/** Compiles a plan without its gate. */
export function compileRest(plan: AuthorizedPlan, builder: StatementBuilder): string {
  switch (plan.kind) {
    case "LIST":
      return compileList(plan, builder);
    case "AGGREGATE":
      return compileAggregate(plan, builder);
    case "READ":
      return compileRead(plan, builder);
    case "HISTORY":
      return compileHistory(plan, builder);
    case "CREATE":
      return compileCreate(plan, builder);
    case "UPDATE":
      return compileUpdate(plan, builder);
    case "DELETE":
      return compileDelete(plan, builder);
    default:
      return plan satisfies never;
  }
}
