import { createError } from "@rowhouse/errors";
import { illegibleName, isLegibleName } from "@rowhouse/wire";

/**
 * Requires that people can read a new name. A record that has another one keeps it: an update that sends the same name again is
 * accepted. An empty name is left to the schema of the record.
 *
 * @param stored returns the name of the record; it is called for an illegible name only
 * @throws AppError BODY_INVALID
 */
export async function requireLegibleName(
  name: string | null | undefined,
  path = "/data/name",
  stored: () => Promise<string | null | undefined> = async () => undefined,
): Promise<void> {
  if (name === null || name === undefined || name === "" || isLegibleName(name)) return;
  if ((await stored()) === name) return;
  throw createError("BODY_INVALID", { path, message: illegibleName });
}
