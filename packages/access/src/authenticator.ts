import {
  createBatch,
  type ItemGate,
  type ItemProof,
  proofOf,
  proofQuery,
  type Queryable,
  type Snapshot,
  type SnapshotStore,
  sqlForEach,
  valuesSql,
} from "@rowhouse/db";
import { type Audience, callerRowSql, credentialCallerKind } from "./caller.ts";
import { type Credential, type CredentialKind, parseAuthorization } from "./credential.ts";
import {
  authenticationRequired,
  isCredentialGood,
  type Principal,
  type PrincipalRow,
  principalSql,
  type Standing,
  standingOf,
  toPrincipal,
} from "./principal.ts";
import type { TokenUses } from "./token-uses.ts";

export interface Authenticator {
  /**
   * Returns the principal of a credential. Account and roles are read during this call.
   *
   * @throws AppError AUTHENTICATION_REQUIRED for a missing, malformed, unknown, expired or revoked credential, an
   * inactive account, and an owner without a role that has API access
   * @param audience of the MCP server, which also admits the access tokens of OAuth clients
   */
  authenticate(
    authorization: string | null | undefined,
    audience?: Audience,
  ): Promise<Principal & Standing>;
  /**
   * Returns also the proof with which a statement can check that nothing has changed since: the caller's next request
   * then needs no query of its own. Accepts no credentials of OAuth clients.
   *
   * @throws AppError AUTHENTICATION_REQUIRED as `authenticate`
   */
  authenticateWithProof(authorization: string | null | undefined): Promise<Authenticated>;
  /** Records a request that a statement has proven. */
  recordProven(principal: Pick<Principal, "tokenId">): void;
}

/** An authenticated caller, and the proof for its next requests. */
export interface Authenticated {
  readonly principal: Principal & Standing;
  readonly proof: ItemProof;
}

/**
 * Creates an authenticator that queries the database for each credential, for all routes except the Data API's.
 * Credentials that arrive during a query share the next one.
 *
 * @param uses receives each use of a token
 */
export function createAuthenticator(
  database: Queryable,
  snapshots: Pick<SnapshotStore, "current" | "fresh">,
  uses: TokenUses,
): Authenticator {
  const loadRow = createLoadRow(database);
  const recordProven = ({ tokenId }: Pick<Principal, "tokenId">) => {
    if (tokenId !== null) uses.record(tokenId);
  };
  const check = async (authorization: string | null | undefined, audience?: Audience) => {
    const credential = parseAuthorization(authorization);
    if (credential === undefined) throw authenticationRequired();
    const cached = await snapshots.current();
    const row = await loadRow(credential, audience, cached.guard);
    if (row === undefined) throw authenticationRequired();
    const found = toPrincipal(row);
    const isCurrent = row.proof === proofOf(cached, "ALL");
    const snapshot = isCurrent ? cached : await snapshots.fresh();
    const principal = { ...found, ...standingOf(found, snapshot) };
    if (!isCredentialGood(principal, principal)) throw authenticationRequired();
    recordProven(principal);
    return { credential, principal, snapshot };
  };
  return {
    authenticate: async (authorization, audience) =>
      (await check(authorization, audience)).principal,
    authenticateWithProof: async (authorization) => {
      const { credential, principal, snapshot } = await check(authorization);
      return { principal, proof: callerProof(credential, principal, snapshot) };
    },
    recordProven,
  };
}

/**
 * Loads the row of a credential, read after this call starts, with the proof that shows whether a snapshot with this
 * guard is current.
 */
type LoadRow = (
  credential: Credential,
  audience: Audience | undefined,
  guard: Snapshot["guard"],
) => Promise<ProvenRow | undefined>;

type CheckedKind = CredentialKind | "MCP_TOKEN";

function createLoadRow(database: Queryable): LoadRow {
  const batchOf = (kind: CheckedKind, guard: Snapshot["guard"]) => {
    const sql = sqlForEach((count) => provenSql(kind, guard, count));
    const load = async (digests: readonly string[]) => {
      const different = [...new Set(digests)];
      const rows = await database.query<ProvenRow>(sql(different.length), different, {
        prepare: true,
      });
      const byDigest = new Map(rows.map((row) => [row.digest, row]));
      return digests.map((digest) => byDigest.get(digest));
    };
    const alone = async (digest: string) => {
      const [row] = await load([digest]);
      return row;
    };
    return createBatch({ alone, together: load });
  };
  const batchesOf = (guard: Snapshot["guard"]) => ({
    SESSION: batchOf("SESSION", guard),
    TOKEN: batchOf("TOKEN", guard),
    MCP_TOKEN: batchOf("MCP_TOKEN", guard),
  });
  const batches = {
    EVENT_TRIGGERS: batchesOf("EVENT_TRIGGERS"),
    FINGERPRINTS: batchesOf("FINGERPRINTS"),
  };
  return (credential, audience, guard) =>
    batches[guard][credentialCallerKind(credential, audience)](credential.digest);
}

interface ProvenRow extends PrincipalRow {
  /** The credential's digest, as a PostgreSQL bytea. */
  readonly digest: string;
  readonly proof: string;
}

/**
 * Each of several credentials is looked up by a lateral subquery. A plain join of the whole table is cheaper while the
 * table is small, and the cached plan would keep it.
 */
function provenSql(kind: CheckedKind, guard: Snapshot["guard"], count: number): string {
  const found = `select ${principalSql[kind]} from ${callerRowSql(kind, () => "asked.digest")}`;
  return `select e.proof, '\\x' || encode(asked.digest, 'hex') as digest, found.*
    from (${proofQuery({ guard }, "ALL")}) e, (${valuesSql(["bytea"], count)}) as asked (digest),
      lateral (${count === 1 ? found : `${found} limit 1`}) as found`;
}

/**
 * Returns what shows in a later statement that an authenticated caller has the same rights as before: the credential,
 * the version of its user's rights, and the snapshot in which its roles were evaluated.
 */
function callerProof(
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
