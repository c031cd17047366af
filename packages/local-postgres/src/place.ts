import { createHash } from "node:crypto";
import { chmod, chown, mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isReachable, type ServerAccount } from "./server-account.ts";

/**
 * The folder that the server keeps its files in, owned by its account: `<directory>/postgres`, or, where the account
 * cannot get there (under root, in root's own folders), one under `/var/lib/rowhouse` that stands for it.
 */
export async function preparePlace(named: string, account: ServerAccount): Promise<string> {
  // The server's programs run in a folder of their own, where a relative path is another one.
  const directory = resolve(named);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if (account.ids === undefined) return ownFolder(join(directory, "postgres"), account);
  await chmod(directory, 0o711);
  if (await isReachable(directory, account)) return ownFolder(join(directory, "postgres"), account);
  const digest = createHash("sha256").update(directory).digest("hex").slice(0, 16);
  const parent = "/var/lib/rowhouse";
  await mkdir(parent, { recursive: true });
  await chmod(parent, 0o755);
  return ownFolder(join(parent, digest), account);
}

async function ownFolder(folder: string, { ids }: ServerAccount): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (ids !== undefined) await chown(folder, ids.uid, ids.gid);
  return folder;
}
