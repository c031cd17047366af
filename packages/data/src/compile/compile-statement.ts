import type { CallerKind } from "@rowhouse/access";
import type { Snapshot } from "@rowhouse/db";
import { actionOf } from "../authorize/authorize-plan.ts";
import type { AuthorizedList, AuthorizedPlan } from "../authorize/authorized-plan.ts";
import { isOfEveryRow } from "../authorize/sort-keys.ts";
import { compileAggregate } from "./compile-aggregate.ts";
import { compileDelete, compileUpdate } from "./compile-change.ts";
import { compileCreate } from "./compile-create.ts";
import { gateSql, writingGateSql } from "./compile-gate.ts";
import { compileHistory } from "./compile-history.ts";
import { compileList, compileRead } from "./compile-read.ts";
import { type GatePlace, gatePlaceholder, type Statement, StatementBuilder } from "./statement.ts";

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
  const place = gatePlaceOf(plan);
  const builder = new StatementBuilder(snapshot.catalogue, place);
  const rest = compileRest(plan, builder);
  const gate = gateSql(builder, snapshot, builder.scope, callerKind);
  return {
    text: withGate(rest, gate, place, () =>
      writingGateSql(builder, gate, plan.relation, snapshot.catalogue),
    ),
    parameters: builder.parameters,
    relation: plan.relation,
    scope: builder.scope,
    requested: builder.requested,
    lists: builder.lists,
  };
}

/** A subquery costs less than a common table expression, which a write needs, and a read of many rows. */
function gatePlaceOf(plan: AuthorizedPlan): GatePlace {
  if (actionOf(plan) !== "READ") return "ABOVE";
  return plan.kind === "AGGREGATE" || (plan.kind === "LIST" && readsMany(plan))
    ? "APART"
    : "BESIDE";
}

/** Whether a list counts its rows, or sorts them by values that are no columns or are hidden in some rows. */
function readsMany({ count, order }: AuthorizedList): boolean {
  return count !== null || order.some((key) => key.kind !== "FIELD" || !isOfEveryRow(key));
}

function withGate(rest: string, gate: string, place: GatePlace, writing: () => string): string {
  switch (place) {
    case "BESIDE":
      return rest.replace(gatePlaceholder, () => `(${gate} offset 0) gate`);
    case "APART":
      return `with gate as materialized (${gate})\n${rest.replace(gatePlaceholder, "gate")}`;
    case "ABOVE":
      return `with gate as materialized (${writing()})${rest}`;
    default:
      return place satisfies never;
  }
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
