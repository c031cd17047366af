export { consoleConnections, type OpenedConsole, openSqlConsole } from "./open-console.ts";
export { createSqlConsole, type SqlConsole } from "./sql-console.ts";
export type { SqlRequest } from "./sql-request.ts";
