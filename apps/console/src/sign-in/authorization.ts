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
  responseType: "response_type",
  scope: "scope",
  state: "state",
  codeChallenge: "code_challenge",
  codeChallengeMethod: "code_challenge_method",
  resource: "resource",
} as const;

/**
 * Reads the query of the authorization endpoint. The service judges what is missing or wrong.
 *
 * @returns undefined if a parameter is given twice (RFC 6749, section 3.1)
 */
export function readAuthorizationRequest(query: string): AuthorizationRequest | undefined {
  const given = new URLSearchParams(query);
  const used = ["client_id", "redirect_uri", ...Object.values(names)];
  if (used.some((name) => given.getAll(name).length > 1)) return undefined;
  const others = Object.entries(names).flatMap(([member, name]) => {
    const value = given.get(name);
    return value === null ? [] : [[member, value]];
  });
  return {
    clientId: given.get("client_id") ?? "",
    redirectUri: given.get("redirect_uri") ?? "",
    ...Object.fromEntries(others),
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
