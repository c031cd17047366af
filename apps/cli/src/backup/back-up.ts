import { mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { openSqlSession, type SqlSession } from "@rowhouse/db";
import { StartError } from "@rowhouse/errors";
import { moveObjects, openStorage, type Storage } from "@rowhouse/files";
import { type Manifest, parts } from "./manifest.ts";
import { requireProgram, runProgram } from "./postgres-programs.ts";
import { type BackupOptions, type Installation, readInstallation } from "./variables.ts";

/** Keys of objects that one statement returns. */
const keysAtOnce = 5000;
const namesShown = 5;

/**
 * Writes the database, the bytes of files and the secret of an installation to a new folder, while the service may run.
 * The folder appears when it is complete.
 *
 * The schema `system` is read as its owner and the rest as the service's login, in one snapshot: neither may read
 * everything.
 *
 * @returns what it did, for the operator
 * @throws StartError for a fault that the operator can correct
 */
export async function backUp({
  folder,
  withoutSecret,
  environment,
}: BackupOptions): Promise<string> {
  const target = resolve(folder);
  const installation = await readInstallation(environment);
  const secret = withoutSecret ? undefined : installation.secret;
  if (secret === undefined && !withoutSecret) {
    throw new StartError(
      `ROWHOUSE_SECRET is missing, and there is no ${installation.secretFile}: set it, or write --without-secret if the service has none yet or you store it elsewhere.`,
    );
  }
  if ((await stat(target).catch(() => undefined)) !== undefined) {
    throw new StartError(`${target} exists: name a new folder.`);
  }
  const partial = `${target}.partial`;
  await mkdir(dirname(target), { recursive: true });
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { mode: 0o700 });
  try {
    const copied = await writeParts(installation, partial);
    if (secret !== undefined) {
      await writeSecret(join(partial, parts.secret), secret);
      const others = installation.otherSecrets.join(",");
      if (others !== "") await writeSecret(join(partial, parts.otherSecrets), others);
    }
    const manifest = `${JSON.stringify(copied.manifest, null, 2)}\n`;
    await writeFile(join(partial, parts.manifest), manifest);
    await rename(partial, target);
    if (copied.missing.length > 0) throw new StartError(loss(target, copied.missing));
    return `Wrote ${target}: the database as of ${copied.manifest.takenAt}, ${copied.files} objects of files (${copied.bytes} bytes), and ${secret === undefined ? "no" : "the"} secret.\nWho can read the folder can read everything in it: store it as safely as the service.\n`;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

interface Copied {
  readonly manifest: Manifest;
  readonly files: number;
  readonly bytes: number;
  /** Keys of objects that the dump names and the storage did not have. */
  readonly missing: readonly string[];
}

async function writeParts(installation: Installation, folder: string): Promise<Copied> {
  const { ownerUrl, serviceUrl } = installation;
  const session = openSqlSession({
    url: ownerUrl,
    applicationName: "rowhouse-backup",
    connectTimeoutMs: 15_000,
    statementBytesMax: 16_777_216,
    statementTimeoutMs: 600_000,
    searchPath: "pg_catalog",
    onNotice: () => {},
  });
  try {
    const [server] = await session.query<{ version: string; has_system: string }>(
      `select (current_setting('server_version_num')::integer / 10000)::text as version,
         exists (select from pg_catalog.pg_namespace where nspname = 'system')::text as has_system`,
    );
    if (server?.has_system !== "true") {
      throw new StartError("The database has no schema system: no service has used it.");
    }
    const postgres = Number(server.version);
    const pgDump = await requireProgram("pg_dump", postgres);
    // The session waits for the dumps.
    await session.query("set idle_in_transaction_session_timeout = 0");
    await session.query("begin isolation level repeatable read read only");
    const [taken] = await session.query<{ snapshot: string; at: string }>(
      `select pg_export_snapshot() as snapshot, pg_catalog.to_json(date_trunc('milliseconds', now()) at time zone 'UTC') #>> '{}'::text[] || 'Z' as at`,
    );
    if (taken === undefined) throw new Error("PostgreSQL exported no snapshot");
    const dump = (url: string, part: string, ...choice: readonly string[]) =>
      runProgram("pg_dump", url, [
        ...["--format=custom", "--no-subscriptions", `--snapshot=${taken.snapshot}`],
        ...[`--file=${join(folder, part)}`, ...choice],
      ]);
    await dump(ownerUrl, parts.system, "--schema=system");
    await dump(serviceUrl, parts.data, ...["system", "rowhouse_queue"].map(exclude));
    // After the dump: an object stays for ten minutes after its row was deleted.
    const target = openStorage({ kind: "DIRECTORY", path: join(folder, parts.files) });
    const done = { files: 0, bytes: 0 };
    await moveObjects({
      from: openStorage(installation.files),
      to: target,
      onStep: ({ outcome, bytes }) => {
        if (outcome === "gone") return;
        done.files += 1;
        done.bytes += bytes;
      },
    });
    const missing = await missingObjects(session, target);
    const manifest = { format: "rowhouse-backup-1", takenAt: taken.at, postgres, pgDump } as const;
    return { manifest, ...done, missing };
  } finally {
    await session.close();
  }
}

const exclude = (schema: string) => `--exclude-schema=${schema}`;

/** Returns the keys that files of the snapshot name and the copy does not have. */
async function missingObjects(session: SqlSession, copy: Storage): Promise<string[]> {
  const missing: string[] = [];
  for (let after = ""; ; ) {
    const rows = await session.query<{ key: string }>(
      `select storage_key as key from system.files where storage_key > $1 order by 1 limit ${keysAtOnce}`,
      [after],
    );
    for (const { key } of rows) if ((await copy.head(key)) === undefined) missing.push(key);
    const last = rows.at(-1);
    if (last === undefined) return missing;
    after = last.key;
  }
}

const writeSecret = (path: string, text: string) => writeFile(path, `${text}\n`, { mode: 0o600 });

function loss(target: string, missing: readonly string[]): string {
  const more = missing.length > namesShown ? ` and ${missing.length - namesShown} more` : "";
  return `${target} is written, but the storage has no object for ${missing.length} files that the database names: ${missing.slice(0, namesShown).join(", ")}${more}.`;
}
