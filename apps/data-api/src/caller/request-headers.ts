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
  return sent === undefined ? headers : new SentHeaders(sent, headers);
}

class SentHeaders implements ReadableHeaders {
  readonly #sent: IncomingHttpHeaders;
  readonly #headers: Headers;

  constructor(sent: IncomingHttpHeaders, headers: Headers) {
    this.#sent = sent;
    this.#headers = headers;
  }

  get(name: string): string | null {
    return this.#isAbsent(name) ? null : this.#headers.get(name);
  }

  has(name: string): boolean {
    return !this.#isAbsent(name) && this.#headers.has(name);
  }

  #isAbsent(name: string): boolean {
    const known = lowerNames.get(name);
    if (known !== undefined) return !Object.hasOwn(this.#sent, known);
    lowerNames.set(name, name.toLowerCase());
    return this.#isAbsent(name);
  }
}

/** The names that handlers look for, all of which are written in this code base. */
const lowerNames = new Map<string, string>();
