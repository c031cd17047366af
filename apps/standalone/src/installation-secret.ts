import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * The installation's secret, kept in its data directory for its owner's eyes only; made when it is first asked for.
 *
 * @param folder the data directory
 */
export async function readInstallationSecret(folder: string): Promise<string> {
  const path = join(folder, "secret");
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(path, randomBytes(32).toString("base64url"), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  return (await readFile(path, "utf8")).trim();
}
