import { randomBytes } from "node:crypto";
import { arrayLiteral, type Database, makeChange } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { auditActorOf, type Origin } from "../origin.ts";
import { cleanName, cleanUri, clientMetadata, usesCodes } from "./client-texts.ts";
import { imitatesHost, imitatesProduct } from "./imitation.ts";
import { OAuthFault } from "./oauth-fault.ts";
import { isPossibleRedirect } from "./redirect-uri.ts";

/** The answer to a registration (RFC 7591, 3.2.1). */
export interface RegisteredClient {
  readonly client_id: string;
  readonly client_id_issued_at: number;
  readonly client_name: string;
  readonly client_uri?: string;
  readonly redirect_uris: readonly string[];
  readonly grant_types: readonly string[];
  readonly response_types: readonly string[];
  readonly token_endpoint_auth_method: "none";
}

/** Maximum number of registered clients that nobody has consented to. */
const unusedMax = 1000;
const redirectsMax = 10;

/**
 * Registers a client. It receives no secret, whatever authentication it asks for: codes are bound to it by PKCE. One whose
 * name or addresses a person may take for this product or installation is refused.
 *
 * @throws OAuthFault invalid_client_metadata, invalid_redirect_uri; AppError RATE_LIMIT_EXCEEDED while too many
 * registered clients are unused
 */
export async function registerClient(
  database: Database,
  { body, publicUrl }: { readonly body: unknown; readonly publicUrl: string | null },
  origin: Origin,
): Promise<RegisteredClient> {
  const parsed = clientMetadata.safeParse(body);
  if (!parsed.success || !usesCodes(parsed.data)) {
    throw new OAuthFault(
      "invalid_client_metadata",
      "A client has redirect_uris, the grant type authorization_code and the response type code",
    );
  }
  const redirectUris = [...new Set(parsed.data.redirect_uris)];
  if (redirectUris.length > redirectsMax || !redirectUris.every(isPossibleRedirect)) {
    throw new OAuthFault(
      "invalid_redirect_uri",
      `A client has at most ${redirectsMax} redirect addresses: https, http on a loopback address, or a program's own scheme`,
    );
  }
  if (redirectUris.some((uri) => imitatesHost(uri, publicUrl))) {
    throw new OAuthFault(
      "invalid_redirect_uri",
      "The host of a redirect address must not look like this installation or like Rowhouse",
    );
  }
  const id = `rhc_${randomBytes(15).toString("hex")}`;
  const name = cleanName(parsed.data.client_name, "Unnamed client");
  const uri = cleanUri(parsed.data.client_uri);
  if (imitatesProduct(name) || (uri !== null && imitatesHost(uri, publicUrl))) {
    throw new OAuthFault(
      "invalid_client_metadata",
      "client_name and client_uri must not look like this installation or like Rowhouse",
    );
  }
  const issuedAt = await makeChange(database, auditActorOf(null, origin), async (transaction) => {
    await transaction.query(deleteUnusedClientsSql);
    const [row] = await transaction.query<{ issued: string }>(
      `insert into system.oauth_clients (id, name, uri, redirect_uris)
       select $1::text, $2::text, $3::text, $4::text[]
       where (select pg_catalog.count(*) from system.oauth_clients where last_used_at is null) < ${unusedMax}
       returning floor(extract(epoch from created_at))::text as issued`,
      [id, name, uri, arrayLiteral(redirectUris)],
    );
    if (row === undefined) {
      throw createError("RATE_LIMIT_EXCEEDED", { headers: { "Retry-After": "3600" } });
    }
    const entry = {
      action: "oauth_client.register" as const,
      targetKind: "oauth_client",
      targetId: id,
    };
    return { result: Number(row.issued), entry };
  });
  return {
    client_id: id,
    client_id_issued_at: issuedAt,
    client_name: name,
    ...(uri === null ? {} : { client_uri: uri }),
    redirect_uris: redirectUris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
}

/** Deletes registered clients a day after their registration, or 90 days after the last consent that has ended since. */
export const deleteUnusedClientsSql = `delete from system.oauth_clients c
  where coalesce(c.last_used_at + interval '90 days', c.created_at + interval '1 day') <= system.clock()
    and not exists (select from system.tokens t where t.client ->> 'id'::text = c.id)`;
