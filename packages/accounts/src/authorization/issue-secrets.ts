import { createSecret, digestSecret } from "@rowhouse/access";
import { type AuditEntry, requireFound, type Transaction } from "@rowhouse/db";

/** What a client receives for a code or a refresh token (RFC 6749, 5.1). */
export interface IssuedSecrets {
  readonly access_token: string;
  readonly token_type: "Bearer";
  /** Seconds. */
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

const accessMinutes = 60;
/** Requests that are under way with the previous access token end within this time. */
const graceSeconds = 60;

/** Issues an access token and a refresh token of a consent; earlier access tokens end within a minute. */
export async function issueSecrets(
  transaction: Transaction,
  tokenId: string,
  scopes: readonly string[],
): Promise<IssuedSecrets> {
  const access = createSecret("TOKEN");
  const refresh = createSecret("REFRESH");
  await transaction.query(
    `delete from system.token_secrets
     where token_id = $1::text::uuid and audience is not null and expires_at <= system.clock()`,
    [tokenId],
  );
  await transaction.query(
    `update system.token_secrets set expires_at = least(expires_at, system.clock() + interval '${graceSeconds} seconds')
     where token_id = $1::text::uuid and audience is not null`,
    [tokenId],
  );
  const [row] = await transaction.query<{ seconds: string }>(
    `insert into system.token_secrets (digest, token_id, is_current, audience, expires_at)
     values ($2::text::bytea, $1::text::uuid, null, 'mcp', system.clock() + interval '${accessMinutes} minutes')
     returning floor(extract(epoch from expires_at - system.clock()))::text as seconds`,
    [tokenId, digestSecret(access)],
  );
  await transaction.query(
    "insert into system.refresh_tokens (digest, token_id) values ($2::text::bytea, $1::text::uuid)",
    [tokenId, digestSecret(refresh)],
  );
  return {
    access_token: access,
    token_type: "Bearer",
    expires_in: Number(requireFound(row).seconds),
    refresh_token: refresh,
    scope: scopes.join(" "),
  };
}

/** Ends a consent and everything that was issued for it; returns the audit entry, or none if it had ended. */
export async function endConsent(
  transaction: Transaction,
  tokenId: string,
): Promise<readonly AuditEntry[]> {
  const ended = await transaction.query(
    `update system.tokens set revoked_at = system.clock()
     where id = $1::text::uuid and revoked_at is null and expires_at > system.clock() returning id`,
    [tokenId],
  );
  await transaction.query("delete from system.token_secrets where token_id = $1::text::uuid", [
    tokenId,
  ]);
  return ended.map(() => ({ action: "token.revoke", targetKind: "token", targetId: tokenId }));
}

/** Ends a consent whose code or refresh token was used again; returns the audit entries. */
export async function endReplayed(
  transaction: Transaction,
  { tokenId, clientId }: { readonly tokenId: string; readonly clientId: string },
): Promise<readonly AuditEntry[]> {
  const targetKind = "oauth_client";
  const action = `${targetKind}.replay`;
  const replayed = { action, targetKind, targetId: clientId, outcome: "FAILED" } as const;
  return [replayed, ...(await endConsent(transaction, tokenId))];
}
