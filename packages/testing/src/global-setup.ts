import { startPostgresServer } from "./postgres-server.ts";

/** Vitest's global set-up: one PostgreSQL for the whole run. */
export async function setup(): Promise<() => Promise<void>> {
  const server = await startPostgresServer();
  process.env.ROWHOUSE_TEST_SERVER_URL = server.url;
  return () => server.stop();
}
