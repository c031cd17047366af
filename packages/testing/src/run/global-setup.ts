import { buildPages } from "../build-pages.ts";
import { startPostgresServer } from "../postgres-server.ts";

/** Vitest's global set-up: one PostgreSQL for the whole run, and pages that are as new as their sources. */
export async function setup(): Promise<() => Promise<void>> {
  buildPages();
  const server = await startPostgresServer();
  process.env.ROWHOUSE_TEST_SERVER_URL = server.url;
  return () => server.stop();
}
