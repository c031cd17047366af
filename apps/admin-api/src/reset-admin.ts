import { resetAdministrator } from "@rowhouse/accounts";
import { startDatabase } from "@rowhouse/db";
import { AppError, StartError } from "@rowhouse/errors";
import type { DatabasePlace } from "@rowhouse/service";

/**
 * `--reset-admin [address]`: gives an administrator a new password while other processes may serve requests.
 *
 * @param email the account, or null for the only administrator
 * @returns the message for the operator
 * @throws StartError if the database cannot be reached, or the account is ambiguous
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
      USER: "The account was not an administrator and is one now.",
      ADMINISTRATOR:
        "Its sessions are revoked. Its tokens and its sign-in through providers still work.",
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
