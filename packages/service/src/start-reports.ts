import { type StartOptions, testedVersions } from "@rowhouse/db";
import { StartError } from "@rowhouse/errors";
import type { Logger } from "pino";

type Reports = Required<
  Pick<StartOptions, "onConnections" | "onUnreadable" | "onUntriedServer" | "onCodeLogins">
>;

/**
 * Returns what a start logs of its database. If all processes together may open more connections than the database
 * allows, it warns or aborts the start.
 *
 * @throws StartError in `onConnections`, if the budget is enforced
 */
export function startReports(
  logger: Pick<Logger, "info" | "warn">,
  { DATABASE_BUDGET: budget }: { readonly DATABASE_BUDGET: "warn" | "enforce" },
): Reports {
  return {
    onConnections: (connections) => {
      const { all, limit, logins } = connections;
      const exceeded = [
        { all, limit, of: "" },
        ...logins.map((login) => ({ ...login, of: ` for ${login.login}` })),
      ].find((each) => each.all > each.limit);
      if (exceeded === undefined) {
        logger.info({ connections }, "Maximum number of database connections");
        return;
      }
      const sentence = `All processes together may open ${exceeded.all} database connections${exceeded.of}, but the database allows ${exceeded.limit}; reduce them (DATABASE_CONNECTIONS, WORKER_CONCURRENCY) or raise the limit`;
      if (budget === "enforce") throw new StartError(`${sentence}.`);
      logger.warn({ connections }, sentence);
    },
    onUnreadable: (relations) => {
      logger.warn(
        { relations },
        "The login of DATABASE_URL may not read these exposed tables and views; requests for them get 403",
      );
    },
    onUntriedServer: ({ version }) => {
      logger.warn(
        { postgresql: version },
        `PostgreSQL ${version} is newer than the versions that Rowhouse is tested on (${testedVersions.from} to ${testedVersions.to}). Not tried: its locks and event triggers, the limits of the SQL console, new statements and types, and backups`,
      );
    },
    onCodeLogins: (logins) => {
      logger.info(
        { logins },
        "A login that may create triggers or functions in this database can act as an administrator",
      );
    },
  };
}
