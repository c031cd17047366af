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
  /** Closes the pool of the list of runs. */
  close(): Promise<void>;
}

/** Opens the console of a process, with a pool of its own. Connections open with the first run. */
export function openSqlConsole(
  place: Omit<DatabaseOptions, keyof typeof consolePool>,
  login: Omit<ConsoleLogin, "database">,
): OpenedConsole {
  const database = openDatabase({ ...place, ...consolePool });
  return { sqlConsole: createSqlConsole({ ...login, database }), close: () => database.close() };
}
