export { consolePool } from "./console-session.ts";
export { createSqlConsole, type SqlConsole } from "./sql-console.ts";
export type { SqlRequest } from "./sql-request.ts";
