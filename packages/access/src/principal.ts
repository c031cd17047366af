import type { Queryable, Snapshot, SnapshotStore } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { LRUCache } from "lru-cache";
import { type Credential, parseAuthorization } from "./credential.ts";

/** Who a request acts for. Nothing in it outlives the request that proves it. */
export interface Principal {
  readonly userId: string;
  /** Raised by every change to what this user may do; each statement compares it. */
  readonly version: string;
  readonly roleIds: readonly string[];
  readonly session: { readonly id: string } | null;
  readonly tokenId: string | null;
}

/** What a principal's roles amount to in a snapshot. */
export interface Standing {
  readonly isAdministrator: boolean;
  readonly hasApiAccess: boolean;
}

export interface Authenticator {
  /**
   * The principal of a credential, its account and roles read at this moment.
   *
   * @throws AppError AUTHENTICATION_REQUIRED for a missing, malformed, unknown or ended credential, an inactive account,
   * and an owner without a role that has API access
   */
  authenticate(authorization: string | null | undefined): Promise<Principal & Standing>;
}

/** An authenticator that asks the database each time, for every route that is not the Data API's own. */
export function createAuthenticator(
  database: Queryable,
  snapshots: Pick<SnapshotStore, "fresh">,
): Authenticator {
  return {
    authenticate: async (authorization) => {
      const credential = parseAuthorization(authorization);
      const principal =
        credential === undefined ? undefined : await loadPrincipal(database, credential);
      if (principal === undefined) throw authenticationRequired();
      const standing = standingOf(principal, await snapshots.fresh());
      if (!standing.hasApiAccess) throw authenticationRequired();
      return { ...principal, ...standing };
    },
  };
}

/** The one answer to every credential that is not good. */
export function authenticationRequired(): Error {
  return createError("AUTHENTICATION_REQUIRED", { headers: { "WWW-Authenticate": "Bearer" } });
}

/** What the principal's roles amount to. */
export function standingOf(
  principal: Pick<Principal, "roleIds">,
  snapshot: Pick<Snapshot, "roles">,
): Standing {
  const roles = principal.roleIds.flatMap((id) => snapshot.roles.get(id) ?? []);
  return {
    isAdministrator: roles.some((role) => role.isAdministrators),
    hasApiAccess: roles.some((role) => role.apiAccess),
  };
}

interface PrincipalRow {
  user_id: string;
  version: string;
  role_ids: string;
  session_id: string | null;
}

const rolesSql =
  "coalesce((select string_agg(m.role_id::text, ',' order by m.role_id) from system.role_members m where m.user_id = u.id), '') as role_ids";

/** The condition under which a session row `s` and its user `u` are good; every statement that checks one uses it. */
export const sessionIsGoodSql =
  "s.digest = $DIGEST and s.expires_at > pg_catalog.now() and u.active and not u.is_system";

/** The principal of a living session of an active account. */
export async function loadPrincipal(
  database: Queryable,
  credential: Credential,
): Promise<Principal | undefined> {
  if (credential.kind !== "SESSION") return undefined;
  const [row] = await database.query<PrincipalRow>(
    `select u.id as user_id, u.version::text as version, s.id as session_id, ${rolesSql}
     from system.sessions s join system.users u on u.id = s.user_id
     where ${sessionIsGoodSql.replace("$DIGEST", "$1::text::bytea")}`,
    [credential.digest],
    { prepare: true },
  );
  return row === undefined ? undefined : toPrincipal(row);
}

/** The principal of a user for whom a run executes; system accounts may stand in here. */
export async function loadUserPrincipal(
  database: Queryable,
  userId: string,
): Promise<Principal | undefined> {
  const [row] = await database.query<PrincipalRow>(
    `select u.id as user_id, u.version::text as version, null as session_id, ${rolesSql}
     from system.users u where u.id = $1::text::uuid and u.active`,
    [userId],
    { prepare: true },
  );
  return row === undefined ? undefined : toPrincipal(row);
}

function toPrincipal(row: PrincipalRow): Principal {
  return {
    userId: row.user_id,
    version: row.version,
    roleIds: row.role_ids === "" ? [] : row.role_ids.split(","),
    session: row.session_id === null ? null : { id: row.session_id },
    tokenId: null,
  };
}

/** Who a statement of the data engine is to act for. */
export type Caller =
  | { readonly kind: "CREDENTIAL"; readonly credential: Credential }
  | { readonly kind: "USER"; readonly userId: string };

/** Principals at hand, by caller. An entry may be stale: the statement that uses it compares its version. */
export interface PrincipalCache {
  find(caller: Caller): Promise<Principal | undefined>;
  /** Forgets an entry that a statement has found stale. */
  forget(caller: Caller): void;
}

/** A bounded cache of principals. */
export function createPrincipalCache(database: Queryable, entriesMax = 10_000): PrincipalCache {
  const cache = new LRUCache<string, Principal>({ max: entriesMax });
  return {
    find: async (caller) => {
      const key = keyOf(caller);
      const known = cache.get(key);
      if (known !== undefined) return known;
      const principal =
        caller.kind === "USER"
          ? await loadUserPrincipal(database, caller.userId)
          : await loadPrincipal(database, caller.credential);
      if (principal !== undefined) cache.set(key, principal);
      return principal;
    },
    forget: (caller) => {
      cache.delete(keyOf(caller));
    },
  };
}

function keyOf(caller: Caller): string {
  return caller.kind === "USER" ? caller.userId : caller.credential.digest;
}
