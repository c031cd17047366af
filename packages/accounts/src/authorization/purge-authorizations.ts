import type { Transaction } from "@rowhouse/db";
import { deleteUnusedClientsSql } from "./register-client.ts";

/** Deletes what OAuth clients have no use for: consents without an exchange, codes, old secrets, and clients. */
export async function purgeAuthorizations(transaction: Transaction): Promise<void> {
  const dayAgo = "system.clock() - interval '1 day'";
  await transaction.query(`delete from system.tokens t using system.authorization_codes c
    where c.token_id = t.id and c.used_at is null and c.expires_at <= ${dayAgo} and t.revoked_at is null`);
  await transaction.query(`delete from system.authorization_codes where expires_at <= ${dayAgo}`);
  await transaction.query(
    "delete from system.token_secrets where audience is not null and expires_at <= system.clock()",
  );
  await transaction.query(
    "delete from system.refresh_tokens where used_at <= system.clock() - interval '30 days'",
  );
  await transaction.query(deleteUnusedClientsSql);
}
