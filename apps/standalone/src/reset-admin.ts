import { resetAdmin } from "@rowhouse/admin-api";
import type { StandaloneConfig } from "./config.ts";
import { openServer } from "./open-server.ts";

/**
 * Sets a new password for an administrator in the configured database. An embedded database runs only for this
 * command, so no other process may use it.
 *
 * @returns the text for the operator
 * @throws StartError as `resetAdmin` does, and if the embedded database cannot be started
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
