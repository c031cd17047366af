import { advisoryLocks, type Database, type Transaction } from "@rowhouse/db";
import { deleteUnusedClientsSql } from "./authorization/register-client.ts";

/**
 * Deletes expired records: tokens some days after they expired or were revoked, and outdated sessions, links, flows,
 * codes, invitations, sign-in attempts, and records of OAuth clients. One process at a time does so, by an advisory lock.
 *
 * @param tokenDays `api_keys.purge_after_days`
 * @returns the number of deleted tokens, or undefined if another process holds the lock
 */
export async function purgeIdentity(
  database: Database,
  tokenDays: number,
): Promise<number | undefined> {
  return database.transaction(async (transaction) => {
    const [lock] = await transaction.query<{ taken: boolean }>(
      `select pg_try_advisory_xact_lock(${advisoryLocks.purge}) as taken`,
    );
    if (lock?.taken !== true) return undefined;
    await transaction.query("delete from system.sessions where expires_at <= system.clock()");
    await transaction.query(`delete from system.links where expires_at <= system.clock()
         and created_at <= system.clock() - interval '1 day'`);
    await transaction.query("delete from system.provider_flows where expires_at <= system.clock()");
    await transaction.query("delete from system.sign_in_codes where expires_at <= system.clock()");
    await transaction.query(
      "delete from system.invitations where expires_at <= system.clock() - interval '30 days'",
    );
    await transaction.query(
      `delete from system.sign_in_attempts
       where last_at <= system.clock() - interval '1 day' and (locked_until is null or locked_until <= system.clock())`,
    );
    await purgeAuthorizations(transaction);
    const purged = await transaction.query(
      `delete from system.tokens where least(revoked_at, expires_at) <= system.clock() - make_interval(days => $1::text::integer)
       returning id`,
      [String(tokenDays)],
    );
    return purged.length;
  });
}

/** Deletes what OAuth clients have no use for: consents without an exchange, codes, old secrets, and clients. */
async function purgeAuthorizations(transaction: Transaction): Promise<void> {
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
