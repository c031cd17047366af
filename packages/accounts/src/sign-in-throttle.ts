import type { Queryable } from "@rowhouse/db";

/** Attempts that wait for nothing; each one after them waits twice as long as the one before. */
const freeAttempts = 4;
/** Attempts after which an address is locked. */
const attemptsMax = 10;
const lockMinutes = 15;
/** A pause after which attempts are counted anew. */
const forgetHours = 24;
/** What an address `$1` is counted by: the database folds it as it does to find its account. */
const digestSql = "sha256(convert_to(system.fold_address($1::text), 'UTF8'))";

/**
 * Takes one attempt to guess the password behind an address, before it is known how it ends: so attempts at once are
 * counted one after another, and no more of them are looked at than the throttle lets through. Addresses without an
 * account are counted like all others.
 *
 * @returns false while the address is slowed down or locked
 */
export async function takeAttempt(database: Queryable, email: string): Promise<boolean> {
  const rows = await database.query(
    `insert into system.sign_in_attempts as a (address_digest, attempts, last_at)
     values (${digestSql}, 1, system.clock())
     on conflict (address_digest) do update set
       (attempts, locked_until, last_at) = (
         select n, case when n >= ${attemptsMax} then system.clock() + interval '${lockMinutes} minutes'
                        when n > ${freeAttempts} then system.clock() + make_interval(secs => power(2, n - ${freeAttempts + 1}))
                   end, system.clock()
         from (select case when a.last_at <= system.clock() - interval '${forgetHours} hours' then 1 else a.attempts + 1 end) c (n))
     where a.locked_until is null or a.locked_until <= system.clock()
     returning 1`,
    [email],
    { prepare: true },
  );
  return rows.length > 0;
}

/** Forgets the attempts of an address, after the right password was given. */
export async function forgetAttempts(database: Queryable, email: string): Promise<void> {
  await database.query(
    `delete from system.sign_in_attempts where address_digest = ${digestSql}`,
    [email],
    { prepare: true },
  );
}
