import type { Logger } from "pino";

interface Connections {
  readonly own: number;
  readonly all: number;
  readonly limit: number;
}

/** Says at the start how many connections to the database a process may open, and warns where all may open too many. */
export function tellConnections(logger: Pick<Logger, "info" | "warn">) {
  return (connections: Connections): void => {
    const { all, limit } = connections;
    if (all <= limit) {
      logger.info({ connections }, "Connections to the database, at most");
      return;
    }
    logger.warn(
      { connections },
      `All processes together may open ${all} connections to the database, which allows ${limit}: give them fewer (DATABASE_CONNECTIONS, WORKER_CONCURRENCY), or the database more`,
    );
  };
}
