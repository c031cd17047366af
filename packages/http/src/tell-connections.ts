import { StartError } from "@rowhouse/errors";
import type { Logger } from "pino";

interface Connections {
  readonly own: number;
  readonly all: number;
  readonly limit: number;
}

/**
 * Says at the start how many connections to the database a process may open. Where all may open too many it warns, or
 * ends the start.
 *
 * @throws StartError where the budget is enforced
 */
export function tellConnections(
  logger: Pick<Logger, "info" | "warn">,
  { DATABASE_BUDGET: budget }: { readonly DATABASE_BUDGET: "warn" | "enforce" },
) {
  return (connections: Connections): void => {
    const { all, limit } = connections;
    if (all <= limit) {
      logger.info({ connections }, "Connections to the database, at most");
      return;
    }
    const sentence = `All processes together may open ${all} connections to the database, which allows ${limit}: give them fewer (DATABASE_CONNECTIONS, WORKER_CONCURRENCY), or the database more`;
    if (budget === "enforce") throw new StartError(`${sentence}.`);
    logger.warn({ connections }, sentence);
  };
}
