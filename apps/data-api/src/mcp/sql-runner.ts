import type { SnapshotStore } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import type { SqlRunner } from "@rowhouse/mcp";
import { settingsOf } from "@rowhouse/settings";
import type { SqlConsole } from "@rowhouse/sql-console";
import { withPaths } from "./argument-paths.ts";

interface SqlRunnerDependencies {
  readonly sqlConsole: SqlConsole;
  readonly snapshots: SnapshotStore;
}

/** Creates the SQL of the tools: runs of the SQL console, with its login, limits and audit entries. */
export function createSqlRunner({ sqlConsole, snapshots }: SqlRunnerDependencies): SqlRunner {
  return {
    run: async ({ userId, tokenId }, { bytesMax, ...request }, { caller, signal }) => {
      const settings = settingsOf(await snapshots.current());
      const maxBytes = Math.min(settings["sql_console.max_bytes"], bytesMax);
      const { address = null, requestId = null } = caller.origin ?? {};
      return sqlConsole
        .run(
          request,
          { ...settings, "sql_console.max_bytes": maxBytes },
          { userId, actor: { userId, tokenId, address, requestId }, signal: signal() },
        )
        .catch(inArguments);
    },
  };
}

/** Throws an error of the console with the arguments of the tool as paths: `/data/sql` becomes `/sql`. */
function inArguments(error: unknown): never {
  if (!(error instanceof AppError)) throw error;
  throw withPaths(error, (path) => (path.startsWith("/data/") ? path.slice(5) : path));
}
