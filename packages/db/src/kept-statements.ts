import { StartError } from "@rowhouse/errors";
import { settleWithin } from "@rowhouse/limits";
import type postgres from "#postgres";
import { connectPool } from "./client.ts";
import type { DatabaseOptions } from "./queryable.ts";

/** Clients that take sessions of the pooler, at most. */
const othersMax = 8;
/** Time for a pooler to give a client a session, in milliseconds. */
const sessionMs = 1000;
const pidSql = "select pg_catalog.pg_backend_pid() as pid where $1::text = ''";

/** The driver's types omit this field: the error of a statement that it has prepared again. */
type SentStatement = postgres.PendingQuery<{ pid: number }[]> & { readonly retried?: unknown };

/**
 * Tries whether a pooler keeps the statements that its clients have prepared: prepares one, lets another client take
 * the session, and executes it on the next session. A pooler of a single session cannot fail.
 *
 * @param place host and database, as shown to an operator
 * @throws StartError if it does not: the driver prepares COMMIT as well, so writes would be lost without an error
 */
export async function requireKeptStatements(
  options: DatabaseOptions,
  place: string,
): Promise<void> {
  const clients: postgres.Sql[] = [];
  const connect = () => {
    const client = connectPool(options, { max: 1 });
    clients.push(client);
    return client;
  };
  try {
    const client = connect();
    const execute = () => client.unsafe<{ pid: number }[]>(pidSql, [""], { prepare: true });
    const [prepared] = await execute();
    const isTaken = await takeSession(connect, prepared?.pid);
    if (!isTaken) return;
    const again = execute() as SentStatement;
    await settleWithin(sessionMs, again);
    if (again.retried !== undefined && again.retried !== null) {
      throw new StartError(
        `The pooler at ${place} does not keep the prepared statements of its clients, so that writes would be lost: leave DATABASE_PREPARE unset, or use PgBouncer 1.21 or newer with max_prepared_statements above 500.`,
        { cause: again.retried },
      );
    }
  } finally {
    await Promise.all(clients.map((client) => client.end({ timeout: 0 })));
  }
}

/** Begins transactions of other clients until one of them has the session; returns false if none can have it. */
async function takeSession(connect: () => postgres.Sql, pid: number | undefined): Promise<boolean> {
  for (let count = 0; count < othersMax; count += 1) {
    let taken: number | undefined;
    const begun = new Promise<void>((resolve) => {
      const hold = connect().begin(async (transaction) => {
        const [row] = await transaction.unsafe<{ pid: number }[]>(pidSql, [""]);
        taken = row?.pid;
        resolve();
        // Until the client is closed.
        await new Promise(() => {});
      });
      hold.catch(() => resolve());
    });
    await settleWithin(sessionMs, begun);
    if (taken === undefined) return false;
    if (taken === pid) return true;
  }
  return false;
}
