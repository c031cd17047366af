import type { Database, Queryable } from "@rowhouse/db";
import { RunFault } from "../base/run-fault.ts";
import type { Flight } from "../effect/flight.ts";
import { RowSession } from "./row-session.ts";

/**
 * The rows of a trial: one transaction for each login that its steps need, because the login that keeps the schema
 * `system` runs no code of the database's users.
 */
export class TrialRows {
  readonly #ofUsers: RowSession;
  readonly #ofSystem: RowSession;
  /** Whether the transaction on tables of `system` has rights or users that the other one does not see. */
  #hasOtherRights = false;

  /** @param leftMs when the transactions end at the latest, in milliseconds from now */
  constructor(database: Pick<Database, "service" | "stage">, runId: string, leftMs: number) {
    this.#ofUsers = new RowSession(database.service, runId, leftMs);
    this.#ofSystem =
      database.service === database ? this.#ofUsers : new RowSession(database, runId, leftMs);
  }

  /** Runs the statements of one step that writes rows of a schema; see `RowSession.write`. */
  write<Result>(
    schema: string,
    flight: Flight,
    work: (on: Queryable) => Promise<Result>,
  ): Promise<Result> {
    if (schema !== "system") return this.#withRights(() => this.#ofUsers.write(flight, work));
    if (this.#ofSystem === this.#ofUsers) return this.#ofSystem.write(flight, work);
    return this.#ofSystem.write(flight, async (on) => {
      const before = await rightsIn(on);
      const result = await work(on);
      if ((await rightsIn(on)) !== before) this.#hasOtherRights = true;
      return result;
    });
  }

  /** Runs the statements of one step that reads, which sees what earlier steps wrote in its schema. */
  read<Result>(
    schema: string,
    flight: Flight,
    work: (on: Queryable) => Promise<Result>,
  ): Promise<Result> {
    const sees = schema === "system" && this.#ofSystem.isOpen ? this.#ofSystem : this.#ofUsers;
    return sees === this.#ofUsers
      ? this.#withRights(() => sees.read(flight, work))
      : sees.read(flight, work);
  }

  async #withRights<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#hasOtherRights) throw rightsChanged();
    return work();
  }

  /** Rolls the transactions back, and waits for the end of their connections. */
  async close(): Promise<void> {
    await Promise.all([this.#ofUsers.close(), this.#ofSystem.close()]);
  }
}

/** Returns a text that changes with the rights and users that a transaction sees. */
async function rightsIn(on: Queryable): Promise<string | undefined> {
  const [row] = await on.query<{ seen: string }>(
    `select pg_catalog.concat((select pg_catalog.sum(value) from system.epoch), ' ',
       (select pg_catalog.sum(version) from system.users), ' ', (select pg_catalog.count(*) from system.users)) as seen`,
  );
  return row?.seen;
}

/** Rows cannot be read or written by rights that only a transaction of the trial sees. */
export function rightsChanged(): RunFault {
  return new RunFault(
    "TEST_RIGHTS_CHANGED",
    "An earlier step has changed rights or users; a test without effects reads and writes no rows after that",
  );
}
