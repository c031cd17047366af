export { keepFile } from "./keep-file.ts";
export { type LocalPostgres, type LocalPostgresOptions, startLocalPostgres } from "./start.ts";
export { withLocalPostgres } from "./with-local-postgres.ts";
