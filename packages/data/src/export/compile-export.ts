import type { CallerKind } from "@rowhouse/access";
import type { Snapshot } from "@rowhouse/db";
import type { AuthorizedPlan } from "../authorize/authorize-plan.ts";
import { aggregateParts, groupSql } from "../compile/compile-aggregate.ts";
import { gateSql } from "../compile/compile-gate.ts";
import { orderKeys, orderSql } from "../compile/compile-order.ts";
import { listConditions, rootScope } from "../compile/compile-read.ts";
import { rowSql } from "../compile/compile-row.ts";
import { whereSql } from "../compile/scope.ts";
import { gatePlaceholder, type Statement, StatementBuilder } from "../compile/statement.ts";
import type { AggregatePlan, ListPlan } from "../plan/plan-request.ts";
import { type ExportColumn, flattenProjection, holdsText, typeTextSql } from "./export-columns.ts";
import type { ExportFormat } from "./export-format.ts";
import { unlimited } from "./export-request.ts";

/** A statement whose first column says whether it is current, its second whether there is a row, and the rest is the row. */
export interface ExportStatement extends Statement {
  /** The columns of a table; none where a row is one object. */
  readonly columns: readonly ExportColumn[];
}

/** Keeps the planner from taking the rows' query apart, and with it the gate that stands before it. */
const whole = " offset 0";

interface Rows {
  readonly select: readonly string[];
  /** Everything from FROM on. */
  readonly source: string;
  readonly columns: readonly ExportColumn[];
}

/**
 * The statement of an export: the rows of the list one by one, each beside the gate. It gives at least one row, without
 * anything in it but what the gate says, so that an empty list can be told from one that was refused.
 */
export function compileExport(
  plan: AuthorizedPlan & (ListPlan | AggregatePlan),
  format: ExportFormat,
  snapshot: Pick<Snapshot, "guard" | "catalogue">,
  callerKind: CallerKind,
): ExportStatement {
  const builder = new StatementBuilder(snapshot.catalogue, true);
  const { select, source, columns } =
    plan.kind === "LIST" ? listRows(plan, format, builder) : groupRows(plan, format, builder);
  const values = select.map((sql, index) => `${sql} as v${index}`);
  // A nested loop over the gate's one row: the order of the rows is that of the inner query.
  const rest = `select gate.ok::text, d.*
from ${gatePlaceholder} left join lateral (
  select 'true' as present, ${values.join(", ")} from ${source}
) d on true`;
  const gate = gateSql(builder, snapshot, builder.scope, callerKind);
  return {
    text: rest.replace(gatePlaceholder, () => `(${gate} offset 0) gate`),
    parameters: builder.parameters,
    relation: plan.relation,
    scope: builder.scope,
    requested: builder.requested,
    cuts: builder.cuts,
    columns,
  };
}

function listRows(
  plan: AuthorizedPlan & ListPlan,
  format: ExportFormat,
  builder: StatementBuilder,
): Rows {
  const { scope: root, from } = rootScope(plan, builder);
  // An export is bounded by its time, and its lists are whole.
  const scope = { ...root, relatedMax: null };
  const where = whereSql(["gate.ok", ...listConditions(plan, scope)]);
  const order = orderSql(orderKeys(plan.order, scope, "order_by"));
  const offset = plan.hasOffset ? builder.offsetSql() : "";
  const rest = `${where}${order}${limitSql(plan)}${offset || whole}`;
  if (format === "NDJSON") {
    const row = rowSql(plan.projection, scope);
    return {
      select: [row.json],
      source: `(select ${row.select} from ${from}${scope.joins.sql}${rest}) r`,
      columns: [],
    };
  }
  const { columns, joins } = flattenProjection(plan.projection, scope, plan.fields);
  return {
    select: columns.map(({ sql }) => sql),
    source: `${from}${scope.joins.sql}${joins}${rest}`,
    columns,
  };
}

function groupRows(
  plan: AuthorizedPlan & AggregatePlan,
  format: ExportFormat,
  builder: StatementBuilder,
): Rows {
  const { outputs, body, order, offset } = aggregateParts(plan, builder, "gate.ok");
  const rest = `${body}${order}${limitSql(plan)}${offset || whole}`;
  if (format === "NDJSON") {
    const group = groupSql(outputs);
    return {
      select: [group.json],
      source: `(select ${group.select} from ${rest}) r`,
      columns: [],
    };
  }
  const columns = outputs.map(
    ({ name, sql, type }): ExportColumn => ({
      name,
      sql: typeTextSql(sql, type),
      holdsText: holdsText(type),
    }),
  );
  return { select: columns.map(({ sql }) => sql), source: rest, columns };
}

function limitSql({ limit }: Pick<ListPlan, "limit">): string {
  return limit === unlimited ? "" : ` limit ${limit}`;
}
