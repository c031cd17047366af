import { type CallerKind, callerRowSql } from "@rowhouse/access";
import {
  builtInType,
  type Catalogue,
  compareSql,
  listType,
  type ParameterType,
  type ProvenSnapshot,
  proofQuery,
  quoteIdentifier,
  type Relation,
  type Snapshot,
} from "@rowhouse/db";
import { actionOf } from "../authorize/authorize-plan.ts";
import type { AuthorizedList, AuthorizedPlan } from "../authorize/authorized-plan.ts";
import { isOfEveryRow } from "../authorize/sort-keys.ts";
import { columnSql, whereSql } from "./column-sql.ts";
import { compileDelete, compileUpdate } from "./compile-change.ts";
import { compileCreate } from "./compile-create.ts";
import { compileHistory } from "./compile-history.ts";
import {
  compileAggregate,
  compileList,
  compileRead,
  filteredFrom,
  isEstimated,
  listConditions,
  manyRowsScope,
  rootScope,
} from "./compile-read.ts";
import {
  boundedSql,
  type GatePlace,
  gatePlaceholder,
  membersAlias,
  type Statement,
  StatementBuilder,
} from "./statement.ts";
import { keyJsonSql, rowAnswer } from "./write-parts.ts";

/**
 * Compiles an authorized plan to one statement. It is stage 4 of a request and a pure function.
 *
 * @throws AppError of the contract
 */
export function compileStatement(
  plan: AuthorizedPlan,
  snapshot: ProvenSnapshot & Pick<Snapshot, "catalogue">,
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
function compileRest(plan: AuthorizedPlan, builder: StatementBuilder): string {
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

/**
 * Returns the query of the gate that every statement contains. Its one row has the proof of the current state, the
 * caller's version (null for an invalid credential), and `ok`: whether both equal those of the cached snapshot and
 * principal. Rows are read and written only if `gate.ok` is true, so a stale statement has no effect.
 *
 * Call it last: it includes the user columns that the rest of the statement requested.
 */
export function gateSql(
  builder: StatementBuilder,
  snapshot: ProvenSnapshot,
  scope: readonly number[] | "ALL",
  callerKind: CallerKind,
): string {
  return gateFrom(builder, `(${proofQuery(snapshot, scope)}) ${epochAlias}`, callerKind);
}

/**
 * Returns the query of the gate of each request in a shared statement, which has one proof of the current state, under
 * `epochAlias`.
 */
function memberGateSql(builder: StatementBuilder, callerKind: CallerKind): string {
  return gateFrom(builder, "(select) o", callerKind);
}

/** The alias of the proof of the current state. */
const epochAlias = "e";

function gateFrom(builder: StatementBuilder, epoch: string, callerKind: CallerKind): string {
  const proof = builder.place({ kind: "PROOF" });
  const version = builder.place({ kind: "VERSION" });
  // Whether a value is valid must not depend on the rows that it is compared with: some may be hidden from the caller.
  const converted = [...builder.arrays].map((sql) => ` and ${sql} >= 0`).join("");
  const userColumns = builder.userColumnNames().map((name) => `, c.${name}`);
  return `select ${epochAlias}.proof, c.version, (${epochAlias}.proof = ${proof} and c.version = ${version}${converted}) as ok${userColumns.join("")}
  from ${epoch}
  left join (
    select u.version::text as version${builder.userColumnsSql()}
    from ${callerRowSql(callerKind, (type, part) => builder.place({ kind: "CALLER", part }, type))}
  ) c on true`;
}

/**
 * Returns the gate of a write, which also names the author of the change. Statements on the user's tables omit it while
 * no table has a row history; any of them may cause changes in another table.
 */
export function writingGateSql(
  builder: StatementBuilder,
  gate: string,
  relation: Relation,
  { relations }: Pick<Catalogue, "relations">,
): string {
  const acting = isAdministrative(relation) ? actingGateSql(builder, gate) : gate;
  if (!relations.some(({ resource }) => resource.history)) return acting;
  // Not the actor: it would give the triggers of the table's owner the rights of the caller on system records.
  const writer = builder.place({ kind: "WRITER" });
  return `select w.*, pg_catalog.set_config('rowhouse.writer', ${writer}, true) as writer
  from (${acting}) w`;
}

/**
 * Extends a gate: it also sets the actor before a row is written, because the triggers of the system schema check the
 * actor. The user's tables have no such triggers, so their statements omit it.
 */
function actingGateSql(builder: StatementBuilder, gate: string): string {
  const uuid = builtInType("uuid");
  const user = builder.place({ kind: "ACTOR", part: "USER" }, uuid);
  const token = builder.place({ kind: "ACTOR", part: "TOKEN" }, uuid);
  const address = builder.place({ kind: "ACTOR", part: "ADDRESS" }, builtInType("inet"));
  const request = builder.place({ kind: "ACTOR", part: "REQUEST" });
  return `select g.*, system.act_from(${user}, ${token}, ${address}, ${request}) as acting
  from (${gate}) g`;
}

/** Whether a relation holds records of the service itself: users, roles, members, templates. */
export function isAdministrative(relation: Pick<Relation, "schema">): boolean {
  return relation.schema === "system";
}

/** A statement that answers several requests of one compiled statement. */
export interface SharedStatement {
  /** Its rows are those of the statement for one request, with `member`, the number of the request from 1. */
  readonly text: string;
  /** For each parameter, whether it is an array with the value of each request, or one value for all. */
  readonly isList: readonly boolean[];
}

/** Maximum number of rows of a list that may share a statement. */
const rowsMax = 50;

/**
 * Compiles the statement that several requests share: it reads the state of the system once, and proves each caller and
 * reads each request's rows on its own, with the parameters of that request.
 *
 * @returns null if the requests must not share a statement: only a short read of tables may, whose every value is
 * stored, so that no request can make the statement of the others slow or fail
 */
export function compileShared(
  plan: AuthorizedPlan,
  snapshot: ProvenSnapshot & Pick<Snapshot, "catalogue">,
  callerKind: CallerKind,
): SharedStatement | null {
  if (!isShort(plan)) return null;
  const { catalogue } = snapshot;
  const builder = new StatementBuilder(catalogue, "BESIDE", "SHARED");
  const rest = compileRest(plan, builder);
  if (!builder.scope.every((oid) => isStored(catalogue, oid))) return null;
  const gate = memberGateSql(builder, callerKind);
  const { members, parameters } = builder;
  if (!members.every(({ type }) => isListable(type))) return null;
  // A subquery hides the length of a list from the planner, which would otherwise plan each execution anew: a plan for the
  // few requests that it sees costs less than one for ten, and planning takes several times as long as the statement.
  const lists = members.map(({ number, type }) => `(select $${number}::${listType(type).plain})`);
  const columns = [...members.map(({ number }) => `p${number}`), "member"];
  const listed = new Set(members.map(({ number }) => number));
  const own = rest.replace(gatePlaceholder, () => `(${gate} offset 0) gate`);
  return {
    text: `select ${membersAlias}.member::text, own.*
from (${proofQuery(snapshot, builder.scope)} offset 0) ${epochAlias}
cross join unnest(${lists.join(", ")}) with ordinality ${membersAlias}(${columns.join(", ")})
cross join lateral (${own} offset 0) own`,
    isList: parameters.map((_, index) => listed.has(index + 1)),
  };
}

/** `unnest` would take a list of arrays apart, and a type of the user may not have the same name in each schema. */
function isListable({ plain, ownOid, bindable }: ParameterType): boolean {
  return bindable && ownOid === null && !plain.endsWith("]");
}

/** Whether a read visits few rows: one by its key, or a short page. */
function isShort(plan: AuthorizedPlan): boolean {
  if (plan.kind === "READ") return true;
  if (plan.kind !== "LIST") return false;
  const { limit, count, hasOffset, search } = plan;
  return limit <= rowsMax && count === null && !hasOffset && search === null;
}

/** Whether each value of a relation is stored: reading a computed one may take long, fail, or have an effect. */
function isStored(catalogue: Catalogue, oid: number): boolean {
  const relation = catalogue.relationByOid(oid);
  if (relation === undefined) return false;
  const isTable = relation.kind === "TABLE" || relation.kind === "PARTITIONED_TABLE";
  return isTable && !relation.columns.some((column) => catalogue.isComputed(relation, column));
}

/** The alias of the keys of the written rows. */
const keyAlias = "k";

/**
 * Compiles the statement that reads written rows again, in the transaction of the write. Its `data` is a JSON array with one
 * text per row: the row, or its key alone if the reader may not read it or the rights have changed since the write. Null if
 * RETURNING shows the rows as they remain.
 */
export function compileAgain(
  plan: AuthorizedPlan,
  snapshot: ProvenSnapshot & Pick<Snapshot, "catalogue">,
  callerKind: CallerKind,
): Statement | null {
  const isWrite = plan.kind === "CREATE" || plan.kind === "UPDATE";
  if (!isWrite || plan.again === null) return null;
  const { relation, again } = plan;
  const builder = new StatementBuilder(snapshot.catalogue, "ABOVE");
  const { scope, from } = rootScope(plan, builder);
  const texts = again.map((_, index) =>
    builder.place({ kind: "WRITTEN_KEYS", index }, listType(builtInType("text"))),
  );
  const keys = again.map(
    (column, index) => `x.c${index}::${column.type.plain} as ${quoteIdentifier(column.name)}`,
  );
  const same = again.map((column) =>
    compareSql(
      columnSql(column, scope.alias),
      "=",
      `${keyAlias}.${quoteIdentifier(column.name)}`,
      column.type,
    ),
  );
  const { shown, unless } = rowAnswer(plan.projection, scope);
  const row = unless === null ? shown : `case when ${unless.readable} then ${shown} end`;
  const rows = `(select pg_catalog.json_agg(coalesce(d.data, ${keyJsonSql(relation, keyAlias)}) order by x.n)::text
  from rows from (${texts.map((text) => `pg_catalog.unnest(${text})`).join(", ")}) with ordinality x (${texts.map((_, index) => `c${index}`).join(", ")}, n)
  cross join lateral (select ${keys.join(", ")}) ${keyAlias}
  left join lateral (select ${row} as data from ${from}${whereSql([...same, "gate.ok"])} offset 0) d on true)`;
  const data = boundedSql(rows, builder);
  const gate = gateSql(builder, snapshot, builder.scope, callerKind);
  return {
    text: `with gate as materialized (${gate})
select gate.proof, ${data} as data from gate`,
    parameters: builder.parameters,
    relation,
    scope: builder.scope,
    requested: builder.requested,
    lists: builder.lists,
  };
}

/**
 * Compiles the statement that returns PostgreSQL's estimate of the number of rows of a list; null if the list's own
 * statement counts (docs/decisions/0037-estimates-for-readers-of-all-rows.md).
 */
export function compileEstimate(
  plan: AuthorizedPlan,
  snapshot: ProvenSnapshot & Pick<Snapshot, "catalogue">,
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
