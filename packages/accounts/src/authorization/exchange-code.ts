import { createHash } from "node:crypto";
import { parseLinkSecret } from "@rowhouse/access";
import { type Database, makeChange, type Transaction } from "@rowhouse/db";
import { auditActorOf, type Origin } from "../origin.ts";
import { endReplayed, type IssuedSecrets, issueSecrets } from "./issue-secrets.ts";
import { grantRefused } from "./oauth-fault.ts";

/** The parameters of a client that has a code. */
export interface CodeExchange {
  readonly clientId: string;
  readonly code: string;
  readonly redirectUri: string;
  readonly codeVerifier: string;
}

interface CodeRow {
  readonly token_id: string;
  readonly user_id: string;
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly code_challenge: string;
  readonly is_used: boolean;
  readonly is_expired: boolean;
  readonly works: boolean;
  readonly scopes: string;
}

/**
 * Exchanges a code. It works once, for a minute, and only with the client, the redirect address and the verifier of its
 * request. A second use, or one with anything else, ends the consent: someone else has the code.
 *
 * @throws OAuthFault invalid_grant
 */
export async function exchangeCode(
  database: Database,
  exchange: CodeExchange,
  origin: Origin,
): Promise<IssuedSecrets> {
  const digest = parseLinkSecret(exchange.code);
  const found = digest === undefined ? undefined : await findOwner(database, digest);
  if (digest === undefined || found === undefined) throw grantRefused();
  const actor = auditActorOf(found.userId, origin, found.tokenId);
  const issued = await makeChange(database, actor, async (transaction) => {
    const row = await lockCode(transaction, digest);
    if (row === undefined || (row.is_expired && !row.is_used)) return { result: null, entry: null };
    await transaction.query(
      "update system.authorization_codes set used_at = system.clock() where digest = $1::text::bytea and used_at is null",
      [digest],
    );
    if (row.works && !row.is_used && fits(row, exchange)) {
      const scopes = JSON.parse(row.scopes) as string[];
      return { result: await issueSecrets(transaction, row.token_id, scopes), entry: null };
    }
    const { token_id: tokenId, client_id: clientId } = row;
    return { result: null, entry: await endReplayed(transaction, { tokenId, clientId }) };
  });
  if (issued === null) throw grantRefused();
  return issued;
}

function fits(row: CodeRow, exchange: CodeExchange): boolean {
  const challenge = createHash("sha256").update(exchange.codeVerifier).digest("base64url");
  return (
    row.client_id === exchange.clientId &&
    row.redirect_uri === exchange.redirectUri &&
    row.code_challenge === challenge
  );
}

async function findOwner(
  database: Database,
  digest: string,
): Promise<{ userId: string; tokenId: string } | undefined> {
  const [row] = await database.query<{ user_id: string; token_id: string }>(
    `select t.user_id, c.token_id from system.authorization_codes c join system.tokens t on t.id = c.token_id
     where c.digest = $1::text::bytea`,
    [digest],
  );
  return row === undefined ? undefined : { userId: row.user_id, tokenId: row.token_id };
}

/** Locks a code and its token, so that of two exchanges one is the second. */
async function lockCode(transaction: Transaction, digest: string): Promise<CodeRow | undefined> {
  const [row] = await transaction.query<CodeRow>(
    `select c.token_id, t.user_id, c.client_id, c.redirect_uri, c.code_challenge, c.used_at is not null as is_used,
       c.expires_at <= system.clock() as is_expired, system.token_works(t.id) as works, pg_catalog.to_json(t.scopes)::text as scopes
     from system.authorization_codes c join system.tokens t on t.id = c.token_id
     where c.digest = $1::text::bytea for update`,
    [digest],
  );
  return row;
}
