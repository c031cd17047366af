import type { Queryable } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { scopes, type TokenScope } from "../tokens/token.ts";
import { type AuthorizationAddresses, namesResource, requireAddresses } from "./addresses.ts";
import type { ReadClientDocument } from "./client-document.ts";
import type { KnownClient } from "./known-client.ts";
import type { AuthorizationOffer } from "./metadata.ts";
import { isRedirectOf, redirectWith } from "./redirect-uri.ts";

/** A request of a client, as the consent page received it in its address. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly responseType?: string | undefined;
  readonly scope?: string | undefined;
  readonly state?: string | undefined;
  readonly codeChallenge?: string | undefined;
  readonly codeChallengeMethod?: string | undefined;
  readonly resource?: string | undefined;
}

export interface AuthorizationDependencies {
  /** `system.public_url`, or its fallback. */
  readonly publicUrl: () => Promise<string | null>;
  readonly readDocument: ReadClientDocument;
}

/** A request whose client and redirect address belong together. */
export type CheckedRequest = {
  readonly client: KnownClient;
  readonly addresses: AuthorizationAddresses;
} & (
  | {
      readonly kind: "VALID";
      readonly scopes: readonly TokenScope[];
      readonly codeChallenge: string;
    }
  /** The client receives the error at its redirect address. */
  | { readonly kind: "REFUSED"; readonly redirectTo: string }
);

/**
 * Checks a request of a client. Every fault of a known client is an answer to its redirect address.
 *
 * @throws AppError BODY_INVALID for an unknown client, and for a redirect address that is not the client's: nobody is
 * sent to such an address; SERVICE_UNAVAILABLE if no base URL is known
 */
export async function checkAuthorizationRequest(
  database: Queryable,
  { publicUrl, readDocument }: AuthorizationDependencies,
  offer: AuthorizationOffer,
  request: AuthorizationRequest,
): Promise<CheckedRequest> {
  const addresses = await requireAddresses(publicUrl);
  const client = await requireClient(database, readDocument, request.clientId);
  if (!isRedirectOf(client.redirectUris, request.redirectUri)) {
    throw createError("BODY_INVALID", {
      path: "/redirectUri",
      message: "This redirect address is not one of the client's",
    });
  }
  const asked = scopesIn(request.scope);
  const fault = faultOf(request, addresses, asked);
  if (fault !== undefined) {
    return {
      kind: "REFUSED",
      client,
      addresses,
      redirectTo: refusal(request, addresses, ...fault),
    };
  }
  return {
    kind: "VALID",
    client,
    addresses,
    scopes: offer.scopes.filter((scope) => scope === "read" || asked?.includes(scope)),
    codeChallenge: request.codeChallenge ?? "",
  };
}

/** The address that tells the client why it gets no code. */
export function refusal(
  { redirectUri, state }: AuthorizationRequest,
  { issuer }: AuthorizationAddresses,
  error: string,
  description: string,
): string {
  const answer = { error, error_description: description, state, iss: issuer, code: undefined };
  return redirectWith(redirectUri, answer);
}

function faultOf(
  request: AuthorizationRequest,
  addresses: AuthorizationAddresses,
  asked: readonly TokenScope[] | undefined,
): [error: string, description: string] | undefined {
  if (request.responseType !== "code") {
    return ["unsupported_response_type", "response_type must be code"];
  }
  if (!/^[A-Za-z0-9_-]{43}$/.test(request.codeChallenge ?? "")) {
    return ["invalid_request", "code_challenge must be the SHA-256 of the code verifier"];
  }
  if (request.codeChallengeMethod !== "S256") {
    return ["invalid_request", "code_challenge_method must be S256"];
  }
  if (!namesResource(addresses, request.resource)) {
    return ["invalid_target", `resource must be ${addresses.resource}`];
  }
  if (asked === undefined) {
    return ["invalid_scope", `The scopes are ${scopes.join(", ")}`];
  }
  return undefined;
}

/**
 * The scopes of a text that separates them by spaces; undefined if one is unknown. `offline_access` is the refresh
 * token, which every client receives.
 */
export function scopesIn(text: string | undefined): readonly TokenScope[] | undefined {
  const names = (text ?? "").split(" ").filter((name) => name !== "" && name !== "offline_access");
  const known = scopes.filter((scope) => names.includes(scope));
  return names.every((name) => known.some((scope) => scope === name)) ? known : undefined;
}

/** `registerClient` makes such ids; the database permits capital letters too. */
const registeredId = /^rhc_[0-9a-f]{30}$/;

/**
 * Loads a client that registered itself, or reads the document at the address that is its id.
 *
 * @throws AppError BODY_INVALID for an unknown client; the reason is not in it, so that the addresses of the network
 * behind this process cannot be explored
 */
async function requireClient(
  database: Queryable,
  readDocument: ReadClientDocument,
  id: string,
): Promise<KnownClient> {
  const client = registeredId.test(id)
    ? await loadRegistered(database, id)
    : await readDocument(id).catch(() => undefined);
  if (client !== undefined) return client;
  throw createError("BODY_INVALID", {
    path: "/clientId",
    message:
      "Unknown client: the id must be the https address of a client's document, or of a registered client",
  });
}

async function loadRegistered(database: Queryable, id: string): Promise<KnownClient | undefined> {
  const [row] = await database.query<{ name: string; uri: string | null; uris: string }>(
    "select name, uri, pg_catalog.to_json(redirect_uris)::text as uris from system.oauth_clients where id = $1::text",
    [id],
  );
  if (row === undefined) return undefined;
  const { name, uri, uris } = row;
  return { id, name, uri, kind: "REGISTERED", redirectUris: JSON.parse(uris) as string[] };
}
