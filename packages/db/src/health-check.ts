import { isDiskFull } from "@rowhouse/errors";
import { outcomeWithin, singleFlight } from "@rowhouse/limits";
import type { Database, DatabaseHealth } from "./queryable.ts";
import { toAppError } from "./sqlstate.ts";

interface HealthProbes {
  /** A statement on a connection to the server that the pool's statements cannot occupy. */
  readonly server: () => Promise<unknown>;
  /** The same through the pooler. */
  readonly pooler: (() => Promise<unknown>) | undefined;
  /** A statement of the pool. */
  readonly read: () => Promise<unknown>;
  /** A transaction of the pool that writes, and leaves nothing. */
  readonly write: () => Promise<unknown>;
}

/** Time for a probe, in milliseconds; the gateway waits for two seconds. */
const probeMs = 1500;
/** After this number of failures in a row, of any callers, a probe decides. */
const failuresMax = 3;

/**
 * Checks the server, the pooler and the pool. Calls during a check share it: health paths are open to everyone. A server
 * that does not answer in time is unavailable; a pooler or a pool is busy.
 */
export class HealthCheck {
  readonly read: () => Promise<DatabaseHealth>;
  readonly #failures = { read: 0, write: 0 };
  #isDiskFull = false;
  #doubt: (() => Promise<unknown>) | undefined;

  constructor({ server, pooler, read, write }: HealthProbes) {
    const ask = { server: singleFlight(server), pooler: pooler && singleFlight(pooler) };
    const probes = { read: singleFlight(read), write: singleFlight(write) };
    this.read = singleFlight(async () => {
      const [database, throughPooler, reads, writes, isUsable] = await Promise.all([
        outcomeWithin(probeMs, ask.server()),
        ask.pooler === undefined ? "DONE" : outcomeWithin(probeMs, ask.pooler()),
        this.#prove("read", probes.read),
        this.#prove("write", probes.write),
        this.#dispel(),
      ]);
      const serves = throughPooler !== "FAILED" && reads;
      const isThere = database === "DONE" && isUsable;
      return {
        database: isThere && (pooler !== undefined || reads),
        ...(pooler === undefined ? {} : { pooler: serves }),
        ...(isThere && serves && !writes
          ? { writes, ...(this.#isDiskFull && { disk: false }) }
          : {}),
      };
    });
  }

  /** Records that PostgreSQL rejected a statement of the service; the database is unusable until `again` succeeds. */
  doubt(again: () => Promise<unknown>): void {
    this.#doubt = again;
  }

  async #dispel(): Promise<boolean> {
    const again = this.#doubt;
    if (again === undefined) return true;
    // Also if it succeeds after this check has answered.
    const settled = again().then(() => {
      if (this.#doubt === again) this.#doubt = undefined;
    });
    return (await outcomeWithin(probeMs, settled)) === "DONE";
  }

  /** Counts the failures in a row that no caller caused. */
  note(kind: "read" | "write", error?: unknown): void {
    if (error === undefined) this.#failures[kind] = 0;
    // A trial decides at once.
    else if (isDiskFull(error)) this.#failures[kind] = failuresMax;
    else if (isOutage(error)) this.#failures[kind] += 1;
  }

  /** Returns false if statements of a kind have failed in a row, and the probe fails as well. */
  async #prove(kind: "read" | "write", probe: () => Promise<unknown>): Promise<boolean> {
    if (this.#failures[kind] < failuresMax) return true;
    const trial = probe().catch((error: unknown) => {
      if (kind === "write") this.#isDiskFull = isDiskFull(error);
      throw error;
    });
    const outcome = await outcomeWithin(probeMs, trial);
    if (outcome === "DONE") this.#failures[kind] = 0;
    return outcome !== "FAILED";
  }
}

function isOutage(error: unknown): boolean {
  const { code } = toAppError(error);
  return code === "SERVICE_UNAVAILABLE" || code === "QUERY_TIMEOUT" || code === "INTERNAL_ERROR";
}

/** Locks a row and fills a temporary table, which needs space on the disk, and undoes both. */
export async function tryWrite(database: Pick<Database, "transaction">): Promise<void> {
  const undone = new Error("undone");
  const trial = database.transaction(async (transaction) => {
    // A table that the service's own login may change.
    await transaction.query("select from system.object_sweeps for no key update skip locked");
    // As the service: an event trigger of the database's users would run with the rights of the login.
    await transaction.asService.query(
      "create temporary table rowhouse_trial on commit drop as select pg_catalog.repeat('x', 1000) as x from pg_catalog.generate_series(1, 100)",
    );
    throw undone;
  });
  await trial.catch((error: unknown) => {
    if (error !== undone) throw error;
  });
}
