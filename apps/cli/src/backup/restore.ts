import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { admitLogins, connectDatabase, type Database, isServiceClosed } from "@rowhouse/db";
import { StartError } from "@rowhouse/errors";
import { moveObjects, openStorage, type StorageConfig, storagePrefixes } from "@rowhouse/files";
import { parts, readManifest } from "./manifest.ts";
import { type ProgramEnd, requireProgram, runProgram, tryProgram } from "./postgres-programs.ts";
import {
  type BackupOptions,
  type Installation,
  readIfThere,
  readInstallation,
} from "./variables.ts";

/**
 * Restores a backup into an empty database and an empty storage of files. No process of the service may use them yet.
 *
 * As a superuser every object gets the owner and the privileges that it had. Otherwise the schema `system` belongs to the
 * login of MIGRATIONS_DATABASE_URL, and everything else to that of DATABASE_URL, whose rights in `system` are as narrow as they
 * were if there is a login of SYSTEM_DATABASE_URL.
 *
 * @returns what it did, for the operator
 * @throws StartError for a fault that the operator can correct
 */
export async function restore({ folder: from, environment }: BackupOptions): Promise<string> {
  const folder = resolve(from);
  const manifest = await readManifest(folder);
  const installation = await readInstallation(environment);
  const secret = await readSecret(folder, installation);
  await requireProgram("pg_restore", manifest.pgDump);
  await requireEmptyStorage(installation.files);
  const owner = await connect(installation.ownerUrl);
  const service =
    installation.serviceUrl === installation.ownerUrl
      ? owner
      : await connect(installation.serviceUrl);
  let differences: readonly string[];
  try {
    await requireEmpty(owner, manifest.postgres);
    differences = await restoreDatabase(folder, installation, owner, service);
  } finally {
    await owner.close();
    if (service !== owner) await service.close();
  }
  const done = { files: 0, bytes: 0 };
  await moveObjects({
    from: openStorage({ kind: "DIRECTORY", path: join(folder, parts.files) }),
    to: openStorage(installation.files),
    onStep: ({ bytes }) => {
      done.files += 1;
      done.bytes += bytes;
    },
  });
  const said = await keepSecret(folder, installation, secret);
  const objects = `${done.files} objects of files (${done.bytes} bytes)`;
  return [
    `Restored ${folder}: the database as of ${manifest.takenAt}, and ${objects}.`,
    ...differences,
    ...said,
    "Runs that were in progress continue when workers start. Now start the service.\n",
  ].join("\n");
}

const connect = (url: string) =>
  connectDatabase({ url, applicationName: "rowhouse-restore", connectionsMax: 1 });

/** @throws StartError if the database has objects, or is older than the one of the backup */
async function requireEmpty(database: Database, postgres: number): Promise<void> {
  const [found] = await database.query<{ name: string; version: string; used: string }>(
    `select current_database()::text as name, (current_setting('server_version_num')::integer / 10000)::text as version,
       exists (select from pg_catalog.pg_namespace where nspname = 'system'
         union all
         select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
         where n.nspname !~ '^pg_'::text and n.nspname <> 'information_schema' and not exists (
           select from pg_catalog.pg_depend d
           where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'))::text as used`,
  );
  const version = Number(found?.version);
  if (version < postgres) {
    throw new StartError(
      `The backup is of PostgreSQL ${postgres}, and ${found?.name} is in PostgreSQL ${version}: an older server cannot restore it.`,
    );
  }
  if (found?.used !== "false") {
    throw new StartError(
      `The database ${found?.name} is not empty: create a new one, and name it in DATABASE_URL.`,
    );
  }
}

/** Two databases on one storage would remove each other's objects. */
async function requireEmptyStorage(config: StorageConfig): Promise<void> {
  const storage = openStorage(config);
  await storage.ping();
  for (const prefix of storagePrefixes) {
    for await (const _ of storage.list(prefix)) {
      const place = config.kind === "S3" ? config.bucket : config.path;
      throw new StartError(`The storage of files ${place} is not empty: name a new one.`);
    }
  }
}

/** Returns what is not as it was, for the operator. */
async function restoreDatabase(
  folder: string,
  { ownerUrl, serviceUrl, systemUrl }: Installation,
  owner: Database,
  service: Database,
): Promise<readonly string[]> {
  const [login] = await service.query<{ name: string; is_super: string }>(
    "select current_user::text as name, (select rolsuper from pg_catalog.pg_roles where rolname = current_user)::text as is_super",
  );
  const [system, data] = [join(folder, parts.system), join(folder, parts.data)];
  try {
    if (login?.is_super === "true") {
      await runProgram("pg_restore", serviceUrl, [...into(serviceUrl), system]);
      await runProgram("pg_restore", serviceUrl, [...into(serviceUrl), data]);
      return [];
    }
    const opened = await restoreSystem(system, ownerUrl, owner, systemUrl);
    // Triggers and foreign keys of the user's tables use objects of the schema.
    if (owner !== service) {
      const keeper = systemUrl === undefined ? undefined : await loginOf(systemUrl);
      await admitLogins(owner, { service: login?.name ?? "", system: keeper });
    }
    const refused = await restoreData(data, serviceUrl);
    return [...opened, ...refused.map((reason) => `Not restored: ${reason}`)];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `${reason.replace(/\.?$/, ".")} The database is incomplete: drop it and create it again before another try.`,
      { cause: error },
    );
  }
}

const into = (url: string) => [
  `--dbname=${decodeURIComponent(new URL(url).pathname.slice(1))}`,
  "--exit-on-error",
];

/** Only superusers create them; the start or the operator does (event-triggers.sql). */
const ofSuperusers = /^\d+; \d+ \d+ (?:EVENT TRIGGER|COMMENT - (?:EVENT TRIGGER|EXTENSION)) /;
const privileges = /^\d+; \d+ \d+ (?:DEFAULT )?ACL /;

/** It belongs to the service's login, and a start creates it: as a function of the owner it would lend the owner's rights. */
const asService = /^\d+; \d+ \d+ FUNCTION system as_service\(/;

/** Restores the schema `system`. Without a login for it the service's has all its rights in the schema, which is returned. */
async function restoreSystem(
  archive: string,
  url: string,
  owner: Database,
  systemUrl: string | undefined,
): Promise<readonly string[]> {
  const end = await restoreEntries(archive, url, (line) => !asService.test(line), [
    ...into(url),
    "--no-acl",
  ]);
  requireOk(end);
  if (systemUrl !== undefined || !(await isServiceClosed(owner))) return [];
  await owner.query("update system.installation set service_is_closed = false");
  return [
    "SYSTEM_DATABASE_URL is missing, and the original service had it: the login of DATABASE_URL has all rights of the service, so a login that may create triggers or functions in this database can act as an administrator.",
  ];
}

/** Returns the privileges that this server rejects, for example of roles that it does not have. */
async function restoreData(archive: string, url: string): Promise<readonly string[]> {
  const isObject = (line: string) => !ofSuperusers.test(line) && !privileges.test(line);
  requireOk(await restoreEntries(archive, url, isObject, into(url)));
  const [dbname = ""] = into(url);
  const granted = await restoreEntries(archive, url, (line) => privileges.test(line), [dbname]);
  return granted.reasons.filter((line) => line.includes("ERROR:"));
}

/** Restores the chosen entries of an archive, all as objects of this login. */
async function restoreEntries(
  archive: string,
  url: string,
  isChosen: (line: string) => boolean,
  options: readonly string[],
): Promise<ProgramEnd> {
  const place = await mkdtemp(join(tmpdir(), "rowhouse-restore-"));
  try {
    const listed = await runProgram("pg_restore", url, ["--list", archive]);
    const entries = listed.split("\n").filter((line) => /^\d/.test(line));
    const list = join(place, "entries");
    await writeFile(list, `${entries.filter(isChosen).join("\n")}\n`);
    const all = ["--no-owner", `--use-list=${list}`, ...options, archive];
    return await tryProgram("pg_restore", url, all);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

function requireOk({ isOk, reasons }: ProgramEnd): void {
  if (!isOk) throw new StartError(`pg_restore failed: ${reasons.join(" ")}`);
}

async function loginOf(url: string): Promise<string> {
  const database = await connect(url);
  try {
    const [row] = await database.query<{ name: string }>("select current_user::text as name");
    return row?.name ?? "";
  } finally {
    await database.close();
  }
}

/**
 * Returns the secret of the backup, if it has one.
 *
 * @throws StartError if the service would use another one
 */
async function readSecret(folder: string, installation: Installation): Promise<string | undefined> {
  const stored = await readIfThere(join(folder, parts.secret));
  const { secret, secretFile } = installation;
  if (secret === undefined || stored === undefined || secret === stored) return stored;
  throw new StartError(
    `ROWHOUSE_SECRET, or the file ${secretFile}, differs from the secret of the backup: the restored service could decrypt nothing.`,
  );
}

/** Returns sentences for the operator. */
async function keepSecret(
  folder: string,
  { secret, secretFile }: Installation,
  stored: string | undefined,
): Promise<readonly string[]> {
  if (stored === undefined) {
    return secret === undefined
      ? [
          "The backup has no secret: set ROWHOUSE_SECRET to that of the original service, if it had one.",
        ]
      : [];
  }
  const said: string[] = [];
  if (secret === undefined) {
    await mkdir(dirname(secretFile), { recursive: true });
    await writeFile(secretFile, `${stored}\n`, { mode: 0o600, flag: "wx" });
    said.push(`Wrote the secret to ${secretFile}.`);
  }
  const others = join(folder, parts.otherSecrets);
  if ((await readIfThere(others)) !== undefined) {
    said.push(
      `A rotation was in progress: set ROWHOUSE_OTHER_SECRETS to the content of ${others}.`,
    );
  }
  return said;
}
