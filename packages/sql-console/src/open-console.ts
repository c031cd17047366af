import { type DatabaseOptions, openDatabase, spareConnections } from "@rowhouse/db";
import { settingDefinitions } from "@rowhouse/settings";
import { type ConsoleLogin, consolePool } from "./console-session.ts";
import { createSqlConsole, type SqlConsole } from "./sql-console.ts";

/** The connections that the console of a process opens at most: its runs, one to end a run, and the list of runs. */
export const consoleConnections =
  settingDefinitions["sql_console.max_runs"].default +
  1 +
  consolePool.connectionsMax +
  spareConnections;

export interface OpenedConsole {
  readonly sqlConsole: SqlConsole;
  /** Closes the console's pools. */
  close(): Promise<void>;
}

/**
 * Opens the console of a process, with a pool of its own. Connections open with the first run.
 *
 * @param makerUrl the login that creates the console's, if the service's may not
 */
export function openSqlConsole(
  place: Omit<DatabaseOptions, keyof typeof consolePool>,
  login: Omit<ConsoleLogin, "database" | "maker">,
  makerUrl?: string,
): OpenedConsole {
  const database = openDatabase({ ...place, ...consolePool });
  const own = { applicationName: "sql-console-login", connectionsMax: 1 } as const;
  const maker =
    makerUrl === undefined
      ? database
      : openDatabase({ url: makerUrl, searchPath: place.searchPath, ...own });
  return {
    sqlConsole: createSqlConsole({ ...login, database, maker }),
    close: async () => {
      await database.close();
      if (maker !== database) await maker.close();
    },
  };
}
