export { consolePool } from "./console-session.ts";
export { createSqlConsole, type SqlConsole, type SqlRequest } from "./sql-console.ts";
