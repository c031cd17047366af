import { parseRefreshSecret, parseSecret } from "@rowhouse/access";
import { type Database, makeChange } from "@rowhouse/db";
import { auditActorOf, type Origin } from "../origin.ts";
import { endConsent } from "./issue-secrets.ts";

/**
 * Ends what a client no longer needs (RFC 7009): a refresh token with the whole consent, an access token alone. An
 * unknown secret and one of another client have no effect and the same answer.
 */
export async function revokeSecret(
  database: Database,
  { clientId, secret }: { readonly clientId: string; readonly secret: string },
  origin: Origin,
): Promise<void> {
  const refresh = parseRefreshSecret(secret);
  if (refresh === undefined) {
    const access = parseSecret(secret);
    if (access?.kind !== "TOKEN") return;
    await database.query(
      `delete from system.token_secrets s using system.tokens t
       where s.digest = $1::text::bytea and s.audience is not null and t.id = s.token_id and t.client ->> 'id'::text = $2::text`,
      [access.digest, clientId],
    );
    return;
  }
  const [row] = await database.query<{ token_id: string; user_id: string }>(
    `select r.token_id, t.user_id from system.refresh_tokens r join system.tokens t on t.id = r.token_id
     where r.digest = $1::text::bytea and t.client ->> 'id'::text = $2::text`,
    [refresh, clientId],
  );
  if (row === undefined) return;
  const { token_id: tokenId, user_id: userId } = row;
  const actor = auditActorOf(userId, origin, tokenId);
  await makeChange(database, actor, async (transaction) => ({
    result: undefined,
    entry: await endConsent(transaction, tokenId),
  }));
}
