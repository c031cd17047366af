import { createSecret, digestSecret } from "@rowhouse/access";
import {
  type AuditEntry,
  appendAuditEntry,
  arrayLiteral,
  type Database,
  makeChange,
  requireFound,
  type Transaction,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { auditActorOf, type Origin } from "../origin.ts";
import { requireTokenOwner } from "../tokens/create-token.ts";
import type { TokenScope } from "../tokens/token.ts";
import {
  type AuthorizationDependencies,
  type AuthorizationRequest,
  type CheckedRequest,
  checkAuthorizationRequest,
  refusal,
} from "./check-request.ts";
import type { AuthorizationOffer } from "./metadata.ts";
import { redirectWith } from "./redirect-uri.ts";

/** The decision of a person on a request of a client. */
export type ConsentDecision =
  | { readonly decision: "DENY" }
  | {
      readonly decision: "APPROVE";
      readonly scopes: readonly TokenScope[];
      /** The name of the token. */
      readonly name: string;
      /** The lifetime of the token, 1 to 3650 days. */
      readonly days: number;
    };

const codeSeconds = 60;

/**
 * Records the decision of a person. An approval creates a token of the api plane with the client and the scopes; the
 * client exchanges the code for secrets of that token.
 *
 * @returns the address that the browser is sent to
 * @throws AppError as `checkAuthorizationRequest`; BODY_INVALID for scopes that are not offered; ACTION_DENIED if the person has no
 * API access; CONFLICT for a name that another token of the person has, and for too many tokens
 */
export async function decideConsent(
  database: Database,
  dependencies: AuthorizationDependencies,
  offer: AuthorizationOffer,
  request: AuthorizationRequest,
  decision: ConsentDecision,
  { userId, origin }: { readonly userId: string; readonly origin: Origin },
): Promise<string> {
  const checked = await checkAuthorizationRequest(database, dependencies, offer, request);
  if (checked.kind === "REFUSED") return checked.redirectTo;
  const actor = auditActorOf(userId, origin);
  if (decision.decision === "DENY") {
    await appendAuditEntry(database, actor, { ...entryFor(checked), outcome: "FAILED" });
    return refusal(request, checked.addresses, "access_denied", "The person denied the request");
  }
  requireOffered(decision.scopes, checked.scopes);
  const code = createSecret("LINK");
  await makeChange(
    database,
    actor,
    async (transaction) => {
      await forgetUnusedConsents(transaction, userId);
      await requireTokenOwner(transaction, { userId, plane: "api" }, "");
      const id = await insertConsent(transaction, { request, checked, decision, userId, code });
      const created = { action: "token.create" as const, targetKind: "token", targetId: id };
      return { result: undefined, entry: [entryFor(checked), created] };
    },
    { path: "/name", message: "Another of your tokens has this name" },
  );
  const { state } = request;
  const answer = { code, state, iss: checked.addresses.issuer, error: undefined };
  return redirectWith(request.redirectUri, answer);
}

function entryFor({ client }: CheckedRequest): AuditEntry {
  const targetKind = "oauth_client";
  return { action: `${targetKind}.authorize`, targetKind, targetId: client.id };
}

function requireOffered(chosen: readonly TokenScope[], offered: readonly TokenScope[]): void {
  if (!chosen.includes("read")) {
    throw createError("BODY_INVALID", { path: "/scopes", message: "scopes must include read" });
  }
  const excess = chosen.find((scope) => !offered.includes(scope));
  if (excess !== undefined) {
    throw createError("BODY_INVALID", {
      path: "/scopes",
      message: `The client did not ask for ${excess}, or the settings do not permit it`,
    });
  }
}

/** Deletes this person's consents whose code no client exchanged in time, so that their names are free again. */
async function forgetUnusedConsents(transaction: Transaction, userId: string): Promise<void> {
  await transaction.query(
    `delete from system.tokens t using system.authorization_codes c
     where t.user_id = $1::text::uuid and t.revoked_at is null
       and c.token_id = t.id and c.used_at is null and c.expires_at <= system.clock()`,
    [userId],
  );
}

interface Consent {
  readonly request: AuthorizationRequest;
  readonly checked: CheckedRequest & { readonly kind: "VALID" };
  readonly decision: Extract<ConsentDecision, { readonly decision: "APPROVE" }>;
  readonly userId: string;
  readonly code: string;
}

async function insertConsent(
  transaction: Transaction,
  { request, checked, decision, userId, code }: Consent,
): Promise<string> {
  const { id, name, uri, kind } = checked.client;
  const client = { id, name, uri, redirect: request.redirectUri, kind };
  const granted = checked.scopes.filter((scope) => decision.scopes.includes(scope));
  const [row] = await transaction.query<{ id: string }>(
    `with t as (
       insert into system.tokens (user_id, name, plane, lifetime_days, expires_at, created_by, client, scopes)
       values ($1::text::uuid, $2::text, 'api', $3::text::integer,
               system.clock() + make_interval(days => $3::text::integer), $1::text::uuid, $4::text::json, $5::text[])
       returning id)
     insert into system.authorization_codes (digest, token_id, client_id, redirect_uri, code_challenge, expires_at)
     select $6::text::bytea, t.id, $7::text, $8::text, $9::text, system.clock() + interval '${codeSeconds} seconds' from t
     returning token_id as id`,
    [
      userId,
      decision.name,
      String(decision.days),
      JSON.stringify(client),
      arrayLiteral(granted),
      digestSecret(code),
      id,
      request.redirectUri,
      checked.codeChallenge,
    ],
  );
  await transaction.query(
    "update system.oauth_clients set last_used_at = system.clock() where id = $1::text",
    [id],
  );
  return requireFound(row).id;
}
