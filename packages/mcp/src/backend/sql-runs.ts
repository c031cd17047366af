import type { SnapshotStore } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import type { SqlConsole } from "@rowhouse/sql-console";
import type { McpIdentity } from "../base/access.ts";
import { withPaths } from "./argument-paths.ts";
import type { ToolCall } from "./tool-call.ts";

export interface SqlRunDependencies {
  readonly sqlConsole: SqlConsole;
  readonly snapshots: SnapshotStore;
}

export interface SqlCall {
  readonly sql: string;
  readonly parameters?: readonly (string | null)[] | undefined;
  readonly rowsMax?: number | undefined;
  readonly readOnly: boolean;
  /** Approximate limit of the values of all results. */
  readonly bytesMax: number;
}

/**
 * Runs SQL in the SQL console, with its login, limits and audit entries.
 *
 * @param identity of an administrator, with proven rights
 * @returns a JSON object: id, durationMs, notices, results
 * @throws AppError as the SQL console does, with JSON pointers into the arguments
 */
export async function executeSql(
  { sqlConsole, snapshots }: SqlRunDependencies,
  { userId, tokenId }: McpIdentity,
  { bytesMax, ...request }: SqlCall,
  { caller, signal }: ToolCall,
): Promise<string> {
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
}

/** Throws an error of the console with the arguments of the tool as paths: `/data/sql` becomes `/sql`. */
function inArguments(error: unknown): never {
  if (!(error instanceof AppError)) throw error;
  throw withPaths(error, (path) => (path.startsWith("/data/") ? path.slice(5) : path));
}
