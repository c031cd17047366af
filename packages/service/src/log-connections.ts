import { StartError } from "@rowhouse/errors";
import type { Logger } from "pino";

interface Connections {
  readonly own: number;
  readonly all: number;
  readonly limit: number;
}

/**
 * Logs at the start the maximum number of database connections of a process. If all processes together exceed the
 * limit, it warns or aborts the start.
 *
 * @throws StartError if the budget is enforced
 */
export function logConnections(
  logger: Pick<Logger, "info" | "warn">,
  { DATABASE_BUDGET: budget }: { readonly DATABASE_BUDGET: "warn" | "enforce" },
) {
  return (connections: Connections): void => {
    const { all, limit } = connections;
    if (all <= limit) {
      logger.info({ connections }, "Maximum number of database connections");
      return;
    }
    const sentence = `All processes together may open ${all} database connections, but the database allows ${limit}; reduce them (DATABASE_CONNECTIONS, WORKER_CONCURRENCY) or raise the limit`;
    if (budget === "enforce") throw new StartError(`${sentence}.`);
    logger.warn({ connections }, sentence);
  };
}

/** Returns a function that logs which exposed tables and views the service's login may not read. */
export function reportUnreadable(logger: Pick<Logger, "warn">) {
  return (relations: readonly string[]): void => {
    logger.warn(
      { relations },
      "The login of DATABASE_URL may not read these exposed tables and views; requests for them get 403",
    );
  };
}
