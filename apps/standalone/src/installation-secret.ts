import { randomBytes } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "@rowhouse/errors";
import { keepFile } from "@rowhouse/local-postgres";

/** Minimum length, as for ROWHOUSE_SECRET. */
const lengthMin = 32;

/**
 * Returns the installation's secret from its data directory, readable by its owner only; creates it on first use.
 *
 * @param folder the data directory
 * @throws StartError for a file without a valid secret; the file system's error if it cannot be written
 */
export async function readInstallationSecret(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = pathIn(folder);
  return checked(path, await keepFile(path, () => randomBytes(32).toString("base64url")));
}

/**
 * Checks the secret of an earlier start, if there is one: an empty secret protects nothing, and a different one
 * decrypts nothing.
 *
 * @throws StartError for a file without a valid secret
 */
export async function checkInstallationSecret(folder: string): Promise<void> {
  const path = pathIn(folder);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`The installation's secret cannot be read: ${reason}.`, { cause: error });
  }
  checked(path, text);
}

function checked(path: string, text: string): string {
  const secret = text.trim();
  if (secret.length >= lengthMin) return secret;
  throw new StartError(
    `The file ${path} has ${secret.length} characters and the installation's secret at least ${lengthMin}: restore it from a backup, or delete it if nothing is sealed yet.`,
  );
}

function pathIn(folder: string): string {
  return join(folder, "secret");
}
