import { type CallerKind, callerRowSql } from "@rowhouse/access";
import { builtInType, proofQuery, type Snapshot } from "@rowhouse/db";
import type { StatementBuilder } from "./statement.ts";

/**
 * The query of the gate that every statement has: one row with the proof that the snapshot is current, the caller's version (null for a
 * credential that is not good), and whether both are what the statement was compiled for. Rows are read and written only
 * behind `gate.ok`, so a stale statement does nothing.
 *
 * Call it last: it provides the user columns that the rest of the statement asked for.
 */
export function gateSql(
  builder: StatementBuilder,
  snapshot: Pick<Snapshot, "guard">,
  scope: readonly number[] | "ALL",
  callerKind: CallerKind,
): string {
  const proof = builder.place({ kind: "PROOF" });
  const version = builder.place({ kind: "VERSION" });
  const userColumns = builder.userColumnNames().map((name) => `, c.${name}`);
  return `select e.proof, c.version, (e.proof = ${proof} and c.version = ${version}) as ok${userColumns.join("")}
  from (${proofQuery(snapshot, scope)}) e
  left join (
    select u.version::text as version${builder.userColumnsSql()}
    from ${callerRowSql(callerKind, (type, part) => builder.place({ kind: "CALLER", part }, type))}
  ) c on true`;
}

/**
 * A gate that also says who acts, before any row is written: the records of the system schema have triggers that ask.
 * Tables of the user's own have none, and their statements stay as they are.
 */
export function actingGateSql(builder: StatementBuilder, gate: string): string {
  const uuid = builtInType("uuid");
  const user = builder.place({ kind: "ACTOR", part: "USER" }, uuid);
  const token = builder.place({ kind: "ACTOR", part: "TOKEN" }, uuid);
  const address = builder.place({ kind: "ACTOR", part: "ADDRESS" }, builtInType("inet"));
  const request = builder.place({ kind: "ACTOR", part: "REQUEST" });
  return `select g.*, system.act_from(${user}, ${token}, ${address}, ${request}) as acting
  from (${gate}) g`;
}
