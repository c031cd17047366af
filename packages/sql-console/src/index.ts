export { createSqlConsole, type SqlConsole, type SqlRequest } from "./sql-console.ts";
