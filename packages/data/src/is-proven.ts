import { type Caller, callerKindOf, type Principal } from "@rowhouse/access";
import { proofOf, type Queryable, type Snapshot } from "@rowhouse/db";
import { gateSql } from "./compile-gate.ts";
import { StatementBuilder } from "./statement.ts";

/** Whether snapshot, credential, account and roles are those of this moment. */
export async function isProven(
  database: Queryable,
  snapshot: Snapshot,
  principal: Principal,
  caller: Caller,
): Promise<boolean> {
  const builder = new StatementBuilder(snapshot.catalogue, true);
  const gate = gateSql(builder, snapshot, "ALL", callerKindOf(caller));
  const values: Record<string, string> = {
    PROOF: proofOf(snapshot, "ALL"),
    VERSION: principal.version,
    CALLER: caller.kind === "USER" ? caller.userId : caller.credential.digest,
  };
  const [row] = await database.query<{ ok: string | null }>(
    `select gate.ok::text as ok from (${gate}) gate`,
    builder.parameters.map((source) => values[source.kind] ?? null),
    { prepare: true },
  );
  return row?.ok === "true";
}
