import type { Socket } from "node:net";
import {
  authenticationRequired,
  type Caller,
  type Credential,
  parseAuthorization,
} from "@rowhouse/access";
import type { BareContext, EdgeContext } from "@rowhouse/http";

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
export function callerOf({ req, env }: BareContext): CredentialCaller {
  const credential = readCredential(req.raw.headers.get("authorization"), env.incoming?.socket);
  if (credential === undefined) throw authenticationRequired();
  return callerWith(credential, env.edge);
}

/** The last credential of each open connection: its next request mostly carries the same, whose digest is then known. */
const lastOf = new WeakMap<Socket, { readonly header: string; readonly credential: Credential }>();

function readCredential(
  header: string | null,
  connection: Socket | undefined,
): Credential | undefined {
  if (header === null || connection === undefined) return parseAuthorization(header);
  const last = lastOf.get(connection);
  if (last?.header === header) return last.credential;
  const credential = parseAuthorization(header);
  if (credential !== undefined) lastOf.set(connection, { header, credential });
  return credential;
}
