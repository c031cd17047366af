import {
  authenticationRequired,
  type Caller,
  type Credential,
  parseAuthorization,
} from "@rowhouse/access";
import type { EdgeContext, ServiceEnvironment } from "@rowhouse/http";
import type { Context } from "hono";

/** A caller by a credential that the engine has yet to check. */
export type CredentialCaller = Extract<Caller, { readonly kind: "CREDENTIAL" }>;

/** The caller of a request with this credential. */
export function callerWith(
  credential: Credential,
  { clientAddress, requestId }: EdgeContext,
): CredentialCaller {
  return {
    kind: "CREDENTIAL",
    credential,
    origin: { address: clientAddress || null, requestId },
  };
}

/** The caller of a request. @throws AppError AUTHENTICATION_REQUIRED without a credential */
export function callerOf(c: Context<ServiceEnvironment>): CredentialCaller {
  const credential = parseAuthorization(c.req.raw.headers.get("authorization"));
  if (credential === undefined) throw authenticationRequired();
  return callerWith(credential, c.env.edge);
}
