import {
  createFirstAdministrator,
  createFirstSignInCode,
  generatePassword,
} from "@rowhouse/accounts";
import type { Database } from "@rowhouse/db";
import { AppError, StartError } from "@rowhouse/errors";
import type { StandaloneConfig } from "./config.ts";

/** An account that was just created. */
export interface NewAdministrator {
  readonly email: string;
  /** Set if it was generated; it is printed once and stored only as a hash. */
  readonly password: string | undefined;
  /** The code of the printed link, which signs the administrator in once. */
  readonly code: string;
}

/**
 * Creates the first administrator, unless there is one.
 *
 * @throws StartError for a password that the password rules reject
 */
export async function ensureLocalAdministrator(
  database: Database,
  config: Pick<StandaloneConfig, "ROWHOUSE_ADMIN_EMAIL" | "ROWHOUSE_ADMIN_PASSWORD">,
): Promise<NewAdministrator | undefined> {
  const email = config.ROWHOUSE_ADMIN_EMAIL;
  const generated = config.ROWHOUSE_ADMIN_PASSWORD === undefined ? generatePassword() : undefined;
  try {
    const password = config.ROWHOUSE_ADMIN_PASSWORD ?? generated ?? "";
    const created = await createFirstAdministrator(database, { email, password });
    if (!created) return undefined;
    return { email, password: generated, code: await createFirstSignInCode(database, email) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "BODY_INVALID") throw error;
    throw new StartError(`Invalid configuration: ROWHOUSE_ADMIN_PASSWORD: ${error.message}.`);
  }
}
