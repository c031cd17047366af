import { type Database, requireFound } from "@rowhouse/db";
import { type ClientKind, scopes, type TokenScope } from "../tokens/token.ts";
import {
  type AuthorizationDependencies,
  type AuthorizationRequest,
  type CheckedRequest,
  checkAuthorizationRequest,
} from "./check-request.ts";
import type { AuthorizationOffer } from "./metadata.ts";
import { hostOfRedirect, isLoopbackRedirect } from "./redirect-uri.ts";

/** What the consent page shows, or where it sends a client whose request has a fault. */
export type ConsentPreview =
  | {
      readonly kind: "CONSENT";
      readonly client: {
        readonly id: string;
        readonly name: string;
        readonly uri: string | null;
        /** The host of the document; null for a client that registered itself, whose name nothing proves. */
        readonly host: string | null;
        readonly kind: ClientKind;
      };
      readonly redirectUri: string;
      readonly redirectHost: string;
      /** Whether the redirect leads to a program on the person's own computer. */
      readonly isLoopback: boolean;
      readonly scopes: { readonly name: TokenScope; readonly isOffered: boolean }[];
      readonly account: { readonly name: string; readonly email: string };
      /** A name that none of the person's tokens has. */
      readonly tokenName: string;
      readonly days: number;
    }
  | { readonly kind: "REFUSED"; readonly redirectTo: string };

/**
 * Describes a request of a client for the person who decides on it.
 *
 * @param days the proposed lifetime of the consent
 * @throws AppError as `checkAuthorizationRequest`
 */
export async function previewConsent(
  database: Database,
  dependencies: AuthorizationDependencies,
  offer: AuthorizationOffer,
  request: AuthorizationRequest,
  { userId, days }: { readonly userId: string; readonly days: number },
): Promise<ConsentPreview> {
  const checked = await checkAuthorizationRequest(database, dependencies, offer, request);
  if (checked.kind === "REFUSED") return { kind: "REFUSED", redirectTo: checked.redirectTo };
  const { client, scopes: offered } = checked;
  const { id, name, uri, kind } = client;
  const { account, tokenName } = await readAccount(database, userId, client);
  return {
    kind: "CONSENT",
    client: { id, name, uri, host: kind === "DOCUMENT" ? new URL(id).host : null, kind },
    redirectUri: request.redirectUri,
    redirectHost: hostOfRedirect(request.redirectUri),
    isLoopback: isLoopbackRedirect(request.redirectUri),
    scopes: scopes.map((scope) => ({ name: scope, isOffered: offered.includes(scope) })),
    account,
    tokenName,
    days,
  };
}

async function readAccount(
  database: Database,
  userId: string,
  { name }: CheckedRequest["client"],
): Promise<{ account: { name: string; email: string }; tokenName: string }> {
  const [row] = await database.query<{ name: string; email: string; token_name: string }>(
    `select u.name, u.email, (
       select c.name from (
         select case n when 1 then $2::text else left($2::text, 90) || ' ' || n end as name, n from generate_series(1, 1001) n) c
       where not exists (select from system.tokens t where t.user_id = u.id and system.fold(t.name) = system.fold(c.name))
       order by c.n limit 1) as token_name
     from system.users u where u.id = $1::text::uuid`,
    [userId, name],
  );
  const { email, name: person, token_name: tokenName } = requireFound(row);
  return { account: { name: person, email }, tokenName };
}
