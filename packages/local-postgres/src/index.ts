export { type LocalPostgres, type LocalPostgresOptions, startLocalPostgres } from "./start.ts";
