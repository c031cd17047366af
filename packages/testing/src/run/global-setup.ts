import { buildPages } from "../build-pages.ts";
import { startPostgresServer } from "../servers/postgres-server.ts";
import { prepareHostileTemplate } from "../servers/test-database.ts";

/** Vitest's global set-up: one PostgreSQL for the whole run, and pages that are as new as their sources. */
export async function setup(): Promise<() => Promise<void>> {
  buildPages();
  const server = await startPostgresServer();
  // Takes longer than the set-up of a test file may.
  if (process.env.ROWHOUSE_TEST_NAMES === "hostile") await prepareHostileTemplate(server.url);
  process.env.ROWHOUSE_TEST_SERVER_URL = server.url;
  return () => server.stop();
}
