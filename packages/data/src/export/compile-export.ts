import type { CallerKind } from "@rowhouse/access";
import type { ProvenSnapshot, Snapshot } from "@rowhouse/db";
import type { AuthorizedAggregate, AuthorizedList } from "../authorize/authorized-plan.ts";
import { holdsText, typeTextSql } from "../cells/cell-sql.ts";
import { whereSql } from "../compile/column-sql.ts";
import { orderKeys, orderSql } from "../compile/compile-order.ts";
import {
  aggregateParts,
  filteredFrom,
  groupSql,
  listConditions,
  listScope,
} from "../compile/compile-read.ts";
import { rowSql } from "../compile/compile-row.ts";
import { gateSql } from "../compile/compile-statement.ts";
import { gatePlaceholder, type Statement, StatementBuilder } from "../compile/statement.ts";
import type { ExportFormat } from "../parse/headers.ts";
import { type ExportColumn, type ExportForms, flattenProjection } from "./export-columns.ts";
import { unlimited } from "./export-request.ts";

/**
 * A statement of an export. Its first column states whether the statement is current, its second whether the list has
 * a row; the other columns are that row.
 */
export interface ExportStatement extends Statement {
  /** The columns of a tabular format; empty if each row is one object. */
  readonly columns: readonly ExportColumn[];
}

/**
 * Prevents the planner from flattening the query of the rows, so that the gate is evaluated before any row is read.
 */
const whole = " offset 0";

interface Rows {
  readonly select: readonly string[];
  /** Everything from FROM on. */
  readonly source: string;
  readonly columns: readonly ExportColumn[];
}

/**
 * Compiles an export: the rows of the list one by one, each beside the gate. The statement returns at least one row.
 * Without rows of the list, that row contains only the gate's result, which distinguishes an empty list from a refused
 * one.
 */
export function compileExport(
  plan: AuthorizedList | AuthorizedAggregate,
  format: ExportFormat,
  snapshot: ProvenSnapshot & Pick<Snapshot, "catalogue">,
  callerKind: CallerKind,
  forms: ExportForms,
): ExportStatement {
  const builder = new StatementBuilder(snapshot.catalogue, "BESIDE");
  const { select, source, columns } =
    plan.kind === "LIST"
      ? listRows(plan, format, builder, forms)
      : groupRows(plan, format, builder);
  const values = select.map((sql, index) => `${sql} as v${index}`);
  // PostgreSQL executes this as a nested loop over the gate's one row, so the order of the rows is that of the inner
  // query.
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
    lists: builder.lists,
    columns,
  };
}

function listRows(
  plan: AuthorizedList,
  format: ExportFormat,
  builder: StatementBuilder,
  forms: ExportForms,
): Rows {
  const { scope: root, from: own } = listScope(plan, builder);
  // The time limit bounds an export, so its to-many lists are complete.
  const scope = { ...root, relatedMax: null };
  const where = whereSql(["gate.ok", ...listConditions(plan, scope)]);
  const from = filteredFrom(own, scope);
  const order = orderSql(orderKeys(plan.order, scope));
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
  const { columns, joins } = flattenProjection(plan.projection, scope, plan.paths, forms);
  return {
    select: columns.map(({ sql }) => sql),
    source: `${from}${scope.joins.sql}${joins}${rest}`,
    columns,
  };
}

function groupRows(
  plan: AuthorizedAggregate,
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
    ({ name, sql, type, labelSql }): ExportColumn => ({
      name,
      head: name,
      sql: labelSql?.(sql) ?? typeTextSql(sql, type),
      holdsText: holdsText(type),
    }),
  );
  return { select: columns.map(({ sql }) => sql), source: rest, columns };
}

function limitSql({ limit }: Pick<AuthorizedList, "limit">): string {
  return limit === unlimited ? "" : ` limit ${limit}`;
}
