import { type ItemGate, type ItemProof, proofOf, proofQuery, type Snapshot } from "@rowhouse/db";
import { callerRowSql } from "./caller.ts";
import type { Credential, CredentialKind } from "./credential.ts";
import type { Principal } from "./principal.ts";

/**
 * Returns what shows in a later statement that an authenticated caller has the same rights as before: the credential,
 * the version of its user's rights, and the snapshot in which its roles were evaluated.
 */
export function callerProof(
  { kind, digest }: Credential,
  { version }: Pick<Principal, "version">,
  snapshot: Snapshot,
): ItemProof {
  return { gate: gates[snapshot.guard][kind], values: [digest, version, proofOf(snapshot, "ALL")] };
}

const gatesOf = (guard: Snapshot["guard"]) => ({
  SESSION: gateOf("SESSION", guard),
  TOKEN: gateOf("TOKEN", guard),
});
const gates = {
  EVENT_TRIGGERS: gatesOf("EVENT_TRIGGERS"),
  FINGERPRINTS: gatesOf("FINGERPRINTS"),
};

function gateOf(kind: CredentialKind, guard: Snapshot["guard"]): ItemGate {
  return {
    types: ["bytea", "bigint", "text"],
    from: `(${proofQuery({ guard }, "ALL")}) as gate`,
    sql: ([digest = "", version = "", proof = ""]) =>
      `select from ${callerRowSql(kind, () => digest)} and u.version = ${version} and gate.proof = ${proof} limit 1`,
  };
}
