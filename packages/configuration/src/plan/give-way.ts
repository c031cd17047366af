import { setTimeout as sleep } from "node:timers/promises";
import { advisoryLocks, type Database, type OwnTransaction, type Queryable } from "@rowhouse/db";
import { rolledBack } from "@rowhouse/ddl";
import { createError } from "@rowhouse/errors";

/** Attempts of a plan; each ends as soon as others wait for its locks. */
const attemptsMax = 6;
/** Time between two looks at the sessions that wait, and the step of the pauses between attempts, in milliseconds. */
const watchMs = 100;
const pauseMs = 200;

/**
 * Cancels the statement of a session `$1` that tries a plan, if others wait for it. Plans wait for each other: if both gave way,
 * both would start again forever. The lock shows that the session has not ended its transaction. The locks are read only if
 * a session waits: a plan of many tables has thousands.
 */
const giveWaySql = `with plans as materialized (
    select pid from pg_catalog.pg_locks
    where granted and locktype = 'advisory' and objsubid = 1
      and (classid::bigint << 32 | objid::bigint) = ${advisoryLocks.plans}),
  waiting as materialized (
    select w.pid from pg_catalog.pg_stat_get_backend_idset() b
    cross join lateral (select pg_catalog.pg_stat_get_backend_pid(b) as pid) w
    where $1::text::integer = any (pg_catalog.pg_blocking_pids(w.pid)))
  select pg_catalog.pg_cancel_backend($1::text::integer)::text
  where case when exists (select from waiting) then
    $1::text::integer in (select pid from plans)
    and exists (select from waiting w where w.pid not in (select pid from plans)) end`;

/**
 * Runs work in a transaction of `beside` that is rolled back. Trying a change locks rows and names; once a statement of others waits for
 * them, the transaction ends, and the work starts again after a pause.
 *
 * @throws AppError SERVICE_UNAVAILABLE if others wait again and again
 */
export async function rolledBackGivingWay<Result>(
  database: Database,
  beside: Pick<Database, "transaction">,
  work: (transaction: OwnTransaction) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const watch = new Watch(database);
    try {
      return await rolledBack(beside, async (transaction) => {
        await watch.start(transaction);
        return work(watched(transaction, () => watch.isInTheWay));
      });
    } catch (error) {
      if (!watch.isInTheWay) throw error;
      if (attempt === attemptsMax) {
        const message = "Others keep changing what this plan has to try; plan again later";
        throw createError("SERVICE_UNAVAILABLE", { message, cause: error });
      }
    } finally {
      await watch.end();
    }
    await sleep(pauseMs * attempt);
  }
}

/** Looks for sessions that wait for a transaction. */
class Watch {
  readonly #database: Database;
  readonly #ended = new AbortController();
  #looking: Promise<void> = Promise.resolve();
  isInTheWay = false;

  constructor(database: Database) {
    this.#database = database;
  }

  async start(transaction: OwnTransaction): Promise<void> {
    const [session] = await transaction.query<{ pid: string }>(
      `select pg_backend_pid()::text as pid, pg_advisory_xact_lock_shared(${advisoryLocks.plans})::text`,
    );
    this.#looking = this.#look(session?.pid ?? "");
  }

  async #look(pid: string): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      // A look that fails says nothing; the transaction itself fails without the database.
      const canceled = await this.#database.query(giveWaySql, [pid]).catch(() => []);
      if (canceled.length > 0) this.isInTheWay = true;
      await sleep(watchMs, undefined, { signal }).catch(() => {});
    }
  }

  end(): Promise<void> {
    this.#ended.abort();
    return this.#looking;
  }
}

/** Returns a transaction whose next statement fails once it is in the way of others. */
function watched(transaction: OwnTransaction, isInTheWay: () => boolean): OwnTransaction {
  return {
    ...transaction,
    get orm() {
      return transaction.orm;
    },
    get asService() {
      return watchedStatements(transaction.asService, isInTheWay);
    },
    ...watchedStatements(transaction, isInTheWay),
    savepoint: (work) => transaction.savepoint((inner) => work(watched(inner, isInTheWay))),
  };
}

function watchedStatements(statements: Queryable, isInTheWay: () => boolean): Queryable {
  return {
    query: async (text, parameters, options) => {
      if (isInTheWay()) throw createError("SERVICE_UNAVAILABLE");
      return statements.query(text, parameters, options);
    },
  };
}
