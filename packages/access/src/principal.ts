import { type ParameterType, parameterSql, type Queryable, type Snapshot } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { LRUCache } from "lru-cache";
import {
  type Caller,
  type CallerKind,
  type CallerPart,
  callerKindOf,
  callerPartOf,
  callerRowSql,
} from "./caller.ts";
import type { TokenUses } from "./token-uses.ts";

/** Who a request acts for. Nothing in it outlives the request that proves it. */
export interface Principal {
  readonly userId: string;
  /** Raised by every change to what this user may do; each statement compares it. */
  readonly version: string;
  readonly roleIds: readonly string[];
  /** Set for whoever came with a session. */
  readonly session: { readonly id: string } | null;
  /** Set, both, where a personal access token was sent, or started the run that acts. */
  readonly tokenId: string | null;
  readonly plane: Plane | null;
}

/** How far a personal access token reaches (spec §5.7). */
export type Plane = "api" | "admin";

/** What a principal's roles amount to in a snapshot. */
export interface Standing {
  readonly isAdministrator: boolean;
  readonly hasApiAccess: boolean;
  readonly mayCreateTokens: boolean;
}

/**
 * The session of a principal, for the routes that change an account (spec §5.9).
 *
 * @throws AppError SESSION_REQUIRED for a principal that came with a token
 */
export function requireSession(principal: Pick<Principal, "session">): { readonly id: string } {
  if (principal.session === null) throw createError("SESSION_REQUIRED");
  return principal.session;
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
    mayCreateTokens: roles.some((role) => role.tokenCreation),
  };
}

/**
 * Whether the owner still has what the credential needs (spec §5.4, "Needs"): a token of the admin plane is good for
 * nothing, the Data API included, once its owner is no administrator.
 */
export function isCredentialGood(
  principal: Pick<Principal, "plane">,
  standing: Pick<Standing, "isAdministrator" | "hasApiAccess">,
): boolean {
  return principal.plane === "admin" ? standing.isAdministrator : standing.hasApiAccess;
}

/** What is read of a principal. */
export interface PrincipalRow {
  user_id: string;
  version: string;
  role_ids: string;
  session_id: string | null;
  token_id: string | null;
  plane: Plane | null;
}

const userSql = `u.id as user_id, u.version::text as version,
  coalesce((select string_agg(m.role_id::text, ',' order by m.role_id) from system.role_members m where m.user_id = u.id), '') as role_ids`;

/** A `PrincipalRow`, out of what `callerRowSql` finds. */
export const principalSql: Readonly<Record<CallerKind, string>> = {
  SESSION: `${userSql}, s.id as session_id, null as token_id, null as plane`,
  TOKEN: `${userSql}, null as session_id, s.token_id, (select t.plane from system.tokens t where t.id = s.token_id) as plane`,
  USER: `${userSql}, null as session_id, null as token_id, null as plane`,
  USER_WITH_TOKEN: `${userSql}, null as session_id, k.id as token_id, k.plane`,
};

/**
 * The principal behind a credential that is good at this moment, or the user for whom a run executes (a system account
 * may stand in there).
 */
export async function loadPrincipal(
  database: Queryable,
  caller: Caller,
): Promise<Principal | undefined> {
  const kind = callerKindOf(caller);
  const parameters: (string | null)[] = [];
  const place = (type: ParameterType, part: CallerPart) =>
    parameterSql(`$${parameters.push(callerPartOf(caller, part))}`, type);
  const [row] = await database.query<PrincipalRow>(
    `select ${principalSql[kind]} from ${callerRowSql(kind, place)}`,
    parameters,
    { prepare: true },
  );
  return row === undefined ? undefined : toPrincipal(row);
}

export function toPrincipal(row: PrincipalRow): Principal {
  return {
    userId: row.user_id,
    version: row.version,
    roleIds: row.role_ids === "" ? [] : row.role_ids.split(","),
    session: row.session_id === null ? null : { id: row.session_id },
    tokenId: row.token_id,
    plane: row.plane,
  };
}

/** Principals at hand, by caller. An entry may be stale: the statement that uses it compares its version. */
export interface PrincipalCache {
  find(caller: Caller): Promise<Principal | undefined>;
  /** Forgets an entry that a statement has found stale. */
  forget(caller: Caller): void;
}

/** Principals at most. */
const principalsMax = 10_000;

/**
 * A bounded cache of principals.
 *
 * @param uses hears of each request with a token
 * @param onAsked hears whether the cache knew
 */
export function createPrincipalCache(
  database: Queryable,
  uses: TokenUses,
  onAsked?: (isHit: boolean) => void,
): PrincipalCache {
  const cache = new LRUCache<string, Principal>({ max: principalsMax });
  return {
    find: async (caller) => {
      const key = keyOf(caller);
      let principal = cache.get(key);
      onAsked?.(principal !== undefined);
      if (principal === undefined) {
        principal = await loadPrincipal(database, caller);
        if (principal === undefined) return undefined;
        cache.set(key, principal);
      }
      if (principal.tokenId !== null) uses.record(principal.tokenId);
      return principal;
    },
    forget: (caller) => {
      cache.delete(keyOf(caller));
    },
  };
}

function keyOf(caller: Caller): string {
  if (caller.kind === "CREDENTIAL") return caller.credential.digest;
  return caller.tokenId == null ? caller.userId : `${caller.userId} ${caller.tokenId}`;
}
