import type { Queryable } from "@rowhouse/db";

/** Attempts without a delay; the delay doubles with each further attempt. */
const freeAttempts = 4;
/** Attempts after which an address is locked. */
const attemptsMax = 10;
const lockMinutes = 15;
/** After this pause, attempts count from zero. */
const forgetHours = 24;
/** SQL key of an address `$1`, folded by the database as in the lookup of the account. */
const digestSql = "sha256(convert_to(system.fold($1::text), 'UTF8'))";

/**
 * Counts an attempt at the password of an address before its result is known. Concurrent attempts are counted one
 * after another, so no more of them are verified than the throttle permits. Addresses without an account are counted
 * too.
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

/** Resets the count of an address after a correct password. */
export async function forgetAttempts(database: Queryable, email: string): Promise<void> {
  await database.query(
    `delete from system.sign_in_attempts where address_digest = ${digestSql}`,
    [email],
    { prepare: true },
  );
}
