import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { promisify } from "node:util";

/** The account of the server. PostgreSQL refuses to run as root. */
export interface ServerAccount {
  readonly name: string;
  /** Set if it differs from the account of this process. */
  readonly ids: { readonly uid: number; readonly gid: number } | undefined;
}

const run = promisify(execFile);

/**
 * Returns the account of this process; under root the account `postgres`, which is created if it is missing, or
 * `nobody` if it cannot be created.
 */
export async function chooseServerAccount(): Promise<ServerAccount> {
  if (process.getuid?.() !== 0) return { name: "the current user", ids: undefined };
  const known =
    (await findAccount("postgres")) ?? (await makeAccount()) ?? (await findAccount("nobody"));
  if (known === undefined) {
    throw new Error("PostgreSQL does not run as root, and there is no account postgres or nobody");
  }
  return known;
}

async function makeAccount(): Promise<ServerAccount | undefined> {
  try {
    await run("useradd", ["--system", "--user-group", "--no-create-home", "postgres"]);
  } catch {
    return undefined;
  }
  return findAccount("postgres");
}

async function findAccount(name: string): Promise<ServerAccount | undefined> {
  const lines = (await readFile("/etc/passwd", "utf8")).split("\n");
  const fields = lines.map((line) => line.split(":")).find(([first]) => first === name);
  const [uid, gid] = [Number(fields?.[2]), Number(fields?.[3])];
  return Number.isInteger(uid) && Number.isInteger(gid) && fields !== undefined
    ? { name, ids: { uid, gid } }
    : undefined;
}

/** Whether the account may enter every folder on the way to `path`, including `path` itself. */
export async function isReachable(path: string, { ids }: ServerAccount): Promise<boolean> {
  if (ids === undefined) return true;
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = await stat(folder);
    const bit = uid === ids.uid ? 0o100 : gid === ids.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
