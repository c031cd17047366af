import { builtInType, type ParameterType } from "@rowhouse/db";
import type { Credential, CredentialKind } from "./credential.ts";

/** Who a statement of the data engine is to act for. */
export type Caller = { readonly origin?: CallerOrigin } & (
  | { readonly kind: "CREDENTIAL"; readonly credential: Credential }
  | {
      readonly kind: "USER";
      readonly userId: string;
      /** The token that the run was started with: the user acts no longer than it works. */
      readonly tokenId?: string | null;
    }
);

/** From where a request came, for the audit log. */
export interface CallerOrigin {
  readonly address: string | null;
  readonly requestId: string | null;
}

/** What a statement checks its caller by; a part of the key of whatever was compiled. */
export type CallerKind = CredentialKind | "USER" | "USER_WITH_TOKEN";

export function callerKindOf(caller: Caller): CallerKind {
  if (caller.kind === "CREDENTIAL") return caller.credential.kind;
  return caller.tokenId == null ? "USER" : "USER_WITH_TOKEN";
}

/** A parameter of the check: who calls, and for a user with a token the token's id. */
export type CallerPart = "CALLER" | "TOKEN";

/** The value of a part: the credential's digest, the user's id, the token's id. */
export function callerPartOf(caller: Caller, part: CallerPart): string | null {
  if (caller.kind === "CREDENTIAL") return caller.credential.digest;
  return part === "CALLER" ? caller.userId : (caller.tokenId ?? null);
}

/**
 * What follows FROM to find the row `u` of `system.users` behind a caller that is good at this moment, and beside it `s`,
 * the session or the token's secret, or `k`, the token of a user with one. Every statement that checks a caller holds this text, so none can forget a condition.
 *
 * @param place the parameter of a part, as a value of a type
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
      // Triggers keep the secret's row in step with its token, in the transaction that changes the token.
      return `system.token_secrets s join system.users u on u.id = s.user_id
    where s.digest = ${place(builtInType("bytea"), "CALLER")} and s.expires_at > system.clock() and s.usable and u.active and not u.is_system`;
    case "USER":
      return `system.users u where u.id = ${place(builtInType("uuid"), "CALLER")} and u.active`;
    case "USER_WITH_TOKEN":
      return `system.users u join system.tokens k on k.id = ${place(builtInType("uuid"), "TOKEN")}
    where u.id = ${place(builtInType("uuid"), "CALLER")} and u.active and system.token_works(k.id)`;
    default:
      return kind satisfies never;
  }
}
