import { resetAdministrator } from "@rowhouse/accounts";
import { startDatabase } from "@rowhouse/db";
import { AppError, StartError } from "@rowhouse/errors";
import type { DatabasePlace } from "@rowhouse/http";

/**
 * `--reset-admin [address]`: gives an administrator a new password, beside the processes that serve.
 *
 * @param email the account, or null for the one administrator that there is
 * @returns what the operator reads
 * @throws StartError where the database cannot be reached, or it is not clear which account is meant
 */
export async function resetAdmin(place: DatabasePlace, email: string | null): Promise<string> {
  const database = await startDatabase({
    ...place,
    applicationName: "reset-admin",
    connectionsMax: 2,
  });
  try {
    const reset = await resetAdministrator(database, email);
    const said = {
      NOTHING: "The account is new.",
      USER: "The account was no administrator; it is one now.",
      ADMINISTRATOR: "Its sessions have ended. Its tokens and its sign-in through providers go on.",
    }[reset.was];
    return [
      "",
      `  Administrator  ${reset.email}`,
      `  Password       ${reset.password}   (shown this once)`,
      "",
      said,
      "",
    ].join("\n");
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    throw new StartError(`The administrator was not reset: ${error.message}.`);
  } finally {
    await database.close();
  }
}
