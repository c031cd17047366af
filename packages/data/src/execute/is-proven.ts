import { type Caller, callerKindOf, callerPartOf, type Principal } from "@rowhouse/access";
import { proofOf, type Queryable, type Snapshot } from "@rowhouse/db";
import { gateSql } from "../compile/compile-gate.ts";
import { type ParameterSource, StatementBuilder } from "../compile/statement.ts";

/** Returns whether snapshot, credential, account and roles are current. */
export async function isProven(
  database: Queryable,
  snapshot: Snapshot,
  principal: Principal,
  caller: Caller,
): Promise<boolean> {
  const builder = new StatementBuilder(snapshot.catalogue, "BESIDE");
  const gate = gateSql(builder, snapshot, "ALL", callerKindOf(caller));
  const textFor = (source: ParameterSource): string | null => {
    if (source.kind === "PROOF") return proofOf(snapshot, "ALL");
    if (source.kind === "VERSION") return principal.version;
    return source.kind === "CALLER" ? callerPartOf(caller, source.part) : null;
  };
  const [row] = await database.query<{ ok: string | null }>(
    `select gate.ok::text as ok from (${gate}) gate`,
    builder.parameters.map(textFor),
    { prepare: true },
  );
  return row?.ok === "true";
}
