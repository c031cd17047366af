import { builtInType, type ParameterType } from "@rowhouse/db";
import type { Credential, CredentialKind } from "./credential.ts";

/** Who a statement of the data engine is to act for. */
export type Caller = { readonly origin?: CallerOrigin } & (
  | { readonly kind: "CREDENTIAL"; readonly credential: Credential }
  | { readonly kind: "USER"; readonly userId: string }
);

/** From where a request came, for the audit log. */
export interface CallerOrigin {
  readonly address: string | null;
  readonly requestId: string | null;
}

/** What a statement checks its caller by; a part of the key of whatever was compiled. */
export type CallerKind = CredentialKind | "USER";

export function callerKindOf(caller: Caller): CallerKind {
  return caller.kind === "USER" ? "USER" : caller.credential.kind;
}

/**
 * What follows FROM to find the row `u` of `system.users` behind a caller that is good at this moment, and beside it `s`,
 * the session or the token's secret. Every statement that checks a caller holds this text, so none can forget a condition.
 *
 * @param place the parameter with the digest or, for a user, with the id, as a value of a type
 */
export function callerRowSql(kind: CallerKind, place: (type: ParameterType) => string): string {
  switch (kind) {
    case "SESSION":
      return `system.sessions s join system.users u on u.id = s.user_id
    where s.digest = ${place(builtInType("bytea"))} and s.expires_at > system.clock() and u.active and not u.is_system`;
    case "TOKEN":
      // Triggers keep the secret's row in step with its token, in the transaction that changes the token.
      return `system.token_secrets s join system.users u on u.id = s.user_id
    where s.digest = ${place(builtInType("bytea"))} and s.expires_at > system.clock() and s.usable and u.active and not u.is_system`;
    case "USER":
      return `system.users u where u.id = ${place(builtInType("uuid"))} and u.active`;
    default:
      return kind satisfies never;
  }
}
