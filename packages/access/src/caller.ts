import { builtInType, type ParameterType } from "@rowhouse/db";
import type { Credential, CredentialKind } from "./credential.ts";

/** The caller that a statement of the data engine acts for. */
export type Caller = { readonly origin?: CallerOrigin } & (
  | {
      readonly kind: "CREDENTIAL";
      readonly credential: Credential;
      /** Set by the MCP server, which also admits the access tokens of OAuth clients. */
      readonly audience?: Audience | undefined;
    }
  | {
      readonly kind: "USER";
      readonly userId: string;
      /** The token that started the run: the user may act only while it is valid. */
      readonly tokenId?: string | null;
    }
  /** A person whose answers an administrator views, as if by a session of that person. */
  | { readonly kind: "PERSON"; readonly userId: string }
  /** Somebody with these roles alone, whose answers an administrator views; every `$USER` variable is null. */
  | { readonly kind: "ROLES"; readonly roleIds: readonly string[] }
);

/** A server that admits credentials which are valid nowhere else. */
export type Audience = "MCP";

/** The source of a request, for the audit log. */
export interface CallerOrigin {
  readonly address: string | null;
  readonly requestId: string | null;
}

/** How a statement checks its caller; part of the cache key of compiled statements. */
export type CallerKind =
  | CredentialKind
  | "MCP_TOKEN"
  | "USER"
  | "USER_WITH_TOKEN"
  | "PERSON"
  | "ROLES";

export function callerKindOf(caller: Caller): CallerKind {
  if (caller.kind === "CREDENTIAL") return credentialCallerKind(caller.credential, caller.audience);
  if (caller.kind !== "USER") return caller.kind;
  return caller.tokenId == null ? "USER" : "USER_WITH_TOKEN";
}

/** How a statement checks a credential that a server with this audience received. */
export function credentialCallerKind(
  { kind }: Pick<Credential, "kind">,
  audience: Audience | undefined,
): CredentialKind | "MCP_TOKEN" {
  return kind === "TOKEN" && audience === "MCP" ? "MCP_TOKEN" : kind;
}

/** A parameter of the check: the caller, and for a user with a token the token's id. */
export type CallerPart = "CALLER" | "TOKEN";

/** The version of a caller of the kind ROLES, whose rights depend on the roles alone. */
export const versionOfRoles = "0";

/** The value of a part: the credential's digest, the user's id, or the token's id. */
export function callerPartOf(caller: Caller, part: CallerPart): string | null {
  if (caller.kind === "CREDENTIAL") return caller.credential.digest;
  if (caller.kind === "ROLES") return null;
  if (part === "CALLER") return caller.userId;
  return caller.kind === "USER" ? (caller.tokenId ?? null) : null;
}

/**
 * SQL after FROM that finds the row `u` of `system.users` of a caller that is valid now. Beside it are `s`, the
 * session or the token's secret, or `k`, the token of a user with one. Every statement that checks a caller contains
 * this text, so none can omit a condition.
 *
 * @param place returns the parameter of a part, with its type
 */
export function callerRowSql(
  kind: CallerKind,
  place: (type: ParameterType, part: CallerPart) => string,
): string {
  switch (kind) {
    case "SESSION":
      return `system.sessions s join system.users u on u.id = s.user_id
    where s.digest = ${place(builtInType("bytea"), "CALLER")} and s.expires_at > system.clock() and u.active and not u.is_system`;
    case "TOKEN":
    case "MCP_TOKEN":
      // Triggers update the secret's row in the transaction that changes its token.
      return `system.token_secrets s join system.users u on u.id = s.user_id
    where s.digest = ${place(builtInType("bytea"), "CALLER")} and s.expires_at > system.clock() and s.usable and u.active and not u.is_system
      and ${kind === "TOKEN" ? "s.audience is null" : "coalesce(s.audience, 'mcp') = 'mcp'"}`;
    case "USER":
      return `system.users u where u.id = ${place(builtInType("uuid"), "CALLER")} and u.active`;
    case "USER_WITH_TOKEN":
      return `system.users u join system.tokens k on k.id = ${place(builtInType("uuid"), "TOKEN")}
    where u.id = ${place(builtInType("uuid"), "CALLER")} and u.active and system.token_works(k.id)`;
    case "PERSON":
      return `system.users u where u.id = ${place(builtInType("uuid"), "CALLER")} and u.active and not u.is_system`;
    case "ROLES":
      return `pg_catalog.jsonb_populate_record(null::system.users, '{"version": ${versionOfRoles}}') u`;
    default:
      return kind satisfies never;
  }
}
