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
  versionOfRoles,
} from "./caller.ts";
import type { TokenUses } from "./token-uses.ts";

/** The user that a request acts for. It is valid only for the request that proves it. */
export interface Principal {
  readonly userId: string;
  /** Increases with every change to this user's rights; each statement compares it. */
  readonly version: string;
  readonly roleIds: readonly string[];
  /** Set if the credential is a session. */
  readonly session: { readonly id: string } | null;
  /** Both are set if the credential is a personal access token, or if one started the run. */
  readonly tokenId: string | null;
  readonly plane: Plane | null;
  /** Set if the credential is an access token of an OAuth client. */
  readonly client: TokenClient | null;
}

/** The OAuth client of an access token, and what its person has consented to. */
export interface TokenClient {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly ("read" | "write" | "workflows")[];
}

/** The plane of a personal access token: `api` reaches the Data API, `admin` also the Admin and App API. */
export type Plane = "api" | "admin";

/** The combined rights of a principal's roles in a snapshot. */
export interface Standing {
  readonly isAdministrator: boolean;
  readonly hasApiAccess: boolean;
  readonly mayCreateTokens: boolean;
}

/**
 * Returns the session of a principal, for routes that change the own account and refuse tokens.
 *
 * @throws AppError SESSION_REQUIRED for a principal with a token
 */
export function requireSession(principal: Pick<Principal, "session">): { readonly id: string } {
  if (principal.session === null) throw createError("SESSION_REQUIRED");
  return principal.session;
}

/** The same error for every invalid credential. */
export function authenticationRequired(): Error {
  return createError("AUTHENTICATION_REQUIRED", { headers: { "WWW-Authenticate": "Bearer" } });
}

/** Combines the rights of the principal's roles. */
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
 * Whether the owner still has what the credential requires. A token of the admin plane is invalid everywhere, the Data
 * API included, once its owner has left Administrators.
 */
export function isCredentialGood(
  principal: Pick<Principal, "plane">,
  standing: Pick<Standing, "isAdministrator" | "hasApiAccess">,
): boolean {
  return principal.plane === "admin" ? standing.isAdministrator : standing.hasApiAccess;
}

/** The columns of a principal. */
export interface PrincipalRow {
  user_id: string;
  version: string;
  role_ids: string;
  session_id: string | null;
  token_id: string | null;
  plane: Plane | null;
  /** A `TokenClient` as JSON. */
  client: string | null;
}

const userSql = `u.id as user_id, u.version::text as version,
  coalesce((select string_agg(m.role_id::text, ',' order by m.role_id) from system.role_members m where m.user_id = u.id), '') as role_ids`;

const tokenSql = `${userSql}, null as session_id, s.token_id,
  (select t.plane from system.tokens t where t.id = s.token_id) as plane`;
const withoutCredentialSql = `${userSql}, null as session_id, null as token_id, null as plane, null as client`;

/** The select list of a `PrincipalRow` for the rows of `callerRowSql`. */
export const principalSql: Readonly<Record<CallerKind, string>> = {
  SESSION: `${userSql}, s.id as session_id, null as token_id, null as plane, null as client`,
  TOKEN: `${tokenSql}, null as client`,
  MCP_TOKEN: `${tokenSql}, (select pg_catalog.json_build_object('id', t.client ->> 'id'::text, 'name', t.client ->> 'name'::text, 'scopes', t.scopes)::text
     from system.tokens t where t.id = s.token_id and s.audience is not null) as client`,
  USER: withoutCredentialSql,
  USER_WITH_TOKEN: `${userSql}, null as session_id, k.id as token_id, k.plane, null as client`,
  PERSON: withoutCredentialSql,
  ROLES: withoutCredentialSql,
};

/** The user id of a principal that stands for roles; no user has it. */
const nobody = "00000000-0000-0000-0000-000000000000";

/** The principal of somebody with these roles alone. */
function principalOfRoles(roleIds: readonly string[]): Principal {
  const sorted = [...new Set(roleIds)].sort();
  const none = { session: null, tokenId: null, plane: null, client: null };
  return { userId: nobody, version: versionOfRoles, roleIds: sorted, ...none };
}

/** Loads the principal of a valid credential, or the user that a run executes as (which may be a system account). */
export async function loadPrincipal(
  database: Queryable,
  caller: Caller,
): Promise<Principal | undefined> {
  if (caller.kind === "ROLES") return principalOfRoles(caller.roleIds);
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
    client: row.client === null ? null : (JSON.parse(row.client) as TokenClient),
  };
}

/** A cache of principals by caller. An entry may be stale: the statement that uses it compares its version. */
export interface PrincipalCache {
  /** Returns the principal, without a promise if it is cached; undefined for an invalid credential. */
  find(caller: Caller): Principal | Promise<Principal | undefined>;
  /** Removes an entry that a statement found stale. */
  forget(caller: Caller): void;
}

/** Maximum number of cached principals. */
const principalsMax = 10_000;

/**
 * Creates a bounded cache of principals.
 *
 * @param uses receives each request with a token
 * @param onAsked receives whether the cache had the principal
 */
export function createPrincipalCache(
  database: Queryable,
  uses: TokenUses,
  onAsked?: (isHit: boolean) => void,
): PrincipalCache {
  const cache = new LRUCache<string, Principal>({ max: principalsMax });
  const used = (principal: Principal): Principal => {
    if (principal.tokenId !== null) uses.record(principal.tokenId);
    return principal;
  };
  const load = async (caller: Caller, key: string): Promise<Principal | undefined> => {
    const principal = await loadPrincipal(database, caller);
    if (principal === undefined) return undefined;
    cache.set(key, principal);
    return used(principal);
  };
  return {
    find: (caller) => {
      const key = keyOf(caller);
      const principal = cache.get(key);
      onAsked?.(principal !== undefined);
      return principal === undefined ? load(caller, key) : used(principal);
    },
    forget: (caller) => {
      cache.delete(keyOf(caller));
    },
  };
}

function keyOf(caller: Caller): string {
  if (caller.kind === "CREDENTIAL") return `${callerKindOf(caller)} ${caller.credential.digest}`;
  if (caller.kind === "PERSON") return `PERSON ${caller.userId}`;
  if (caller.kind === "ROLES") return `ROLES ${[...caller.roleIds].sort().join()}`;
  return caller.tokenId == null ? caller.userId : `${caller.userId} ${caller.tokenId}`;
}
