import type { Database, Queryable } from "@rowhouse/db";
import type { Flight } from "../effect/flight.ts";
import { RowSession } from "./row-session.ts";

/**
 * The rows of a trial: one transaction for each login that its steps need, because the login that keeps the schema
 * `system` runs no code of the database's users.
 */
export class TrialRows {
  readonly #ofUsers: RowSession;
  readonly #ofSystem: RowSession;

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
    return (schema === "system" ? this.#ofSystem : this.#ofUsers).write(flight, work);
  }

  /** Runs the statements of one step that reads, which sees what earlier steps wrote in its schema. */
  read<Result>(
    schema: string,
    flight: Flight,
    work: (on: Queryable) => Promise<Result>,
  ): Promise<Result> {
    const sees = schema === "system" && this.#ofSystem.isOpen ? this.#ofSystem : this.#ofUsers;
    return sees.read(flight, work);
  }

  /** Rolls the transactions back, and waits for the end of their connections. */
  async close(): Promise<void> {
    await Promise.all([this.#ofUsers.close(), this.#ofSystem.close()]);
  }
}
