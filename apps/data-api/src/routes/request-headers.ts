import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import {
  authenticationRequired,
  type Caller,
  type Credential,
  parseAuthorization,
} from "@rowhouse/access";
import type { Origin } from "@rowhouse/accounts";
import type { BareContext, EdgeContext, ServiceEnvironment } from "@rowhouse/http";
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
export function credentialCallerOf({ req, env }: BareContext): CredentialCaller {
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

/** The origin of a request, for sessions and the audit log. */
export function originOf(c: Context<ServiceEnvironment>): Origin {
  return {
    address: c.env.edge.clientAddress,
    requestId: c.env.edge.requestId,
    userAgent: c.req.header("user-agent") ?? null,
  };
}

/** The readable part of `Headers`. */
export type ReadableHeaders = Pick<Headers, "get" | "has">;

/**
 * Returns the headers of a request for a handler that looks for many of which few are sent. The absence of a header is
 * found without a lookup in the web `Headers`, which validates and normalizes the name each time.
 */
export function requestHeadersOf({ req, env }: BareContext): ReadableHeaders {
  const { headers } = req.raw;
  const sent = env.incoming?.headers;
  if (sent === undefined) return headers;
  return {
    get: (name) => (isAbsent(sent, name) ? null : headers.get(name)),
    has: (name) => !isAbsent(sent, name) && headers.has(name),
  };
}

function isAbsent(sent: IncomingHttpHeaders, name: string): boolean {
  return !Object.hasOwn(sent, name.toLowerCase());
}
