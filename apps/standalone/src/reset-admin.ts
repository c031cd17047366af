import { resetAdmin } from "@rowhouse/admin-api";
import type { StandaloneConfig } from "./config.ts";
import { openServer } from "./open-server.ts";

/**
 * Gives an administrator a new password, on the database that the configuration names. An embedded one runs for as long as
 * that takes, so no other process may have it.
 *
 * @returns what the operator reads
 * @throws StartError as `resetAdmin`, and where the embedded database cannot be started
 */
export async function resetStandaloneAdmin(
  config: StandaloneConfig,
  email: string | null,
): Promise<string> {
  const server = await openServer(config);
  try {
    return await resetAdmin(server.place, email);
  } finally {
    await server.stop();
  }
}
