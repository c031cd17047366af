import { createFirstAdministrator } from "@rowhouse/accounts";
import type { Database } from "@rowhouse/db";
import { AppError, StartError } from "@rowhouse/errors";
import type { AdminApiConfig } from "./config.ts";

/**
 * Creates the first administrator from the environment, if the environment names one and none exists.
 *
 * @throws StartError for a password that violates the password rules
 */
export async function ensureAdministrator(
  database: Database,
  config: Pick<AdminApiConfig, "ROWHOUSE_ADMIN_EMAIL" | "ROWHOUSE_ADMIN_PASSWORD">,
): Promise<void> {
  const { ROWHOUSE_ADMIN_EMAIL: email, ROWHOUSE_ADMIN_PASSWORD: password } = config;
  if (email === undefined || password === undefined) return;
  try {
    await createFirstAdministrator(database, { email, password });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "BODY_INVALID") throw error;
    throw new StartError(`Invalid configuration: ROWHOUSE_ADMIN_PASSWORD: ${error.message}.`);
  }
}
