import type { ApiOperations } from "@rowhouse/client";
import { client } from "../shell/client.ts";

/** The request of a program for access, as the service takes it. */
export type AuthorizationRequest = ApiOperations["POST /auth/authorizations/preview"]["body"];

type Preview = ApiOperations["POST /auth/authorizations/preview"]["answer"]["data"];

/** What the program asks for and of whom; each part is from the service, and the name of the program is its own claim. */
export type Consent = Extract<Preview, { readonly kind: "CONSENT" }>;

/** What a person lets a program do. */
export type Scope = Consent["scopes"][number]["name"];

/** How a person answers a program. */
export type Decision = Omit<
  ApiOperations["POST /auth/authorizations"]["body"],
  keyof AuthorizationRequest
>;

const names = {
  clientId: "client_id",
  redirectUri: "redirect_uri",
  responseType: "response_type",
  codeChallenge: "code_challenge",
  codeChallengeMethod: "code_challenge_method",
} as const;

/**
 * Reads the query of the authorization endpoint. A missing parameter is empty, which the service refuses.
 *
 * @returns undefined if a parameter is given twice (RFC 6749, section 3.1)
 */
export function readAuthorizationRequest(query: string): AuthorizationRequest | undefined {
  const given = new URLSearchParams(query);
  const optional = ["scope", "state", "resource"] as const;
  const used: readonly string[] = [...Object.values(names), ...optional];
  if (used.some((name) => given.getAll(name).length > 1)) return undefined;
  const read = (name: string) => given.get(name) ?? "";
  return {
    clientId: read(names.clientId),
    redirectUri: read(names.redirectUri),
    responseType: read(names.responseType),
    codeChallenge: read(names.codeChallenge),
    codeChallengeMethod: read(names.codeChallengeMethod),
    ...Object.fromEntries(
      optional.flatMap((name) => (given.has(name) ? [[name, read(name)]] : [])),
    ),
  };
}

/** Asks the service what a request is for. It throws for a request that must lead nowhere. */
export async function previewAuthorization(
  body: AuthorizationRequest,
  signal: AbortSignal,
): Promise<Preview> {
  return (await client.api.post("/auth/authorizations/preview", { body, signal })).data;
}

/** Sends the answer of the person, and returns the address that tells the program. */
export async function decideAuthorization(
  request: AuthorizationRequest,
  decision: Decision,
): Promise<string> {
  const body = { ...request, ...decision };
  return (await client.api.post("/auth/authorizations", { body })).data.redirectTo;
}

/** Schemes whose addresses are documents of this page's own, or files. */
const refusedSchemes = /^(?:javascript|data|blob|vbscript|file|filesystem|about|view-source):$/;

/**
 * Leaves the page for the program. The entry of this page in the browser's history is replaced.
 *
 * @throws Error for an address that no program can have
 */
export function leaveFor(address: string): void {
  if (refusedSchemes.test(new URL(address).protocol))
    throw new Error("The address is not a program's");
  location.replace(address);
}
