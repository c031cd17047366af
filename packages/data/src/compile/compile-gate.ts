import { type CallerKind, callerRowSql } from "@rowhouse/access";
import {
  builtInType,
  type Catalogue,
  proofQuery,
  type Relation,
  type Snapshot,
} from "@rowhouse/db";
import { isAdministrative } from "./refused-change.ts";
import type { StatementBuilder } from "./statement.ts";

/**
 * Returns the query of the gate that every statement contains. Its one row has the proof of the current state, the
 * caller's version (null for an invalid credential), and `ok`: whether both equal those of the cached snapshot and
 * principal. Rows are read and written only if `gate.ok` is true, so a stale statement has no effect.
 *
 * Call it last: it includes the user columns that the rest of the statement requested.
 */
export function gateSql(
  builder: StatementBuilder,
  snapshot: Pick<Snapshot, "guard">,
  scope: readonly number[] | "ALL",
  callerKind: CallerKind,
): string {
  return gateFrom(builder, `(${proofQuery(snapshot, scope)}) ${epochAlias}`, callerKind);
}

/**
 * Returns the query of the gate of each request in a shared statement, which has one proof of the current state, under
 * `epochAlias`.
 */
export function memberGateSql(builder: StatementBuilder, callerKind: CallerKind): string {
  return gateFrom(builder, "(select) o", callerKind);
}

/** The alias of the proof of the current state. */
export const epochAlias = "e";

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
