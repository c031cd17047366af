import { createHash } from "node:crypto";
import { chown, mkdir, readFile, realpath, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { createFileIfMissing } from "./keep-file.ts";
import { isReachable, type ServerAccount } from "./server-account.ts";

/** The location of a server's files. */
export interface ServerFolder {
  /** The folder that contains `data`. */
  readonly folder: string;
  /** Whether an earlier start created the database. */
  readonly hasDatabase: boolean;
  /** Records the location once the database is created. */
  record(): Promise<void>;
}

/**
 * The content of the location file if the database is inside the directory, so that the directory can be moved and
 * copied.
 */
const insideName = "postgres";
/** The file in a directory that names the location of its database. */
const placeFile = "postgres-place";
/** The file in an outside location that names its directory. */
const ownerFile = "belongs-to";
const outside = "/var/lib/rowhouse";

/**
 * Returns the folder of the server's files, which its account owns: `<directory>/postgres`, or, if the account cannot
 * enter the directory (under root, in root's private folders), a folder under `/var/lib/rowhouse` that the directory
 * names.
 *
 * @throws Error if an earlier start created a database that is missing now, or that the account cannot use
 */
export async function findServerFolder(
  named: string,
  account: ServerAccount,
): Promise<ServerFolder> {
  // The server's programs have their own working directory, where a relative path means another folder.
  const directory = resolve(named);
  await makeDirectory(directory, account);
  const inside = join(directory, insideName);
  const recorded = await readText(join(directory, placeFile));
  if (await isThere(join(inside, "data"))) {
    await requireUsable(inside, account);
    return serverFolderAt(directory, inside, true);
  }
  const digest = createHash("sha256").update(directory).digest("hex").slice(0, 16);
  const elsewhere = join(outside, digest);
  if (recorded !== undefined && recorded !== insideName) {
    await requireOwn(directory, recorded);
    return serverFolderAt(directory, recorded, true);
  }
  // Earlier builds recorded no location for a database outside the directory, but wrote the port after creating it.
  const isLater = recorded !== undefined || (await isThere(join(directory, "postgres-port")));
  if (isLater && recorded === undefined && (await isThere(join(elsewhere, "data")))) {
    return serverFolderAt(directory, elsewhere, true);
  }
  if (isLater) {
    throw new Error(
      `an earlier start has created a database, and ${join(inside, "data")} is missing. Restore it from a backup, or choose another ROWHOUSE_DATA_DIR to start with an empty database`,
    );
  }
  if (account.ids === undefined || (await isReachable(directory, account))) {
    await makeOwn(inside, account);
    return serverFolderAt(directory, inside, false);
  }
  await makeDirectory(outside, account);
  await makeOwn(elsewhere, account);
  if (!(await isReachable(elsewhere, account))) {
    throw new Error(
      `the account ${account.name} can enter neither ${directory} nor ${outside}: choose a ROWHOUSE_DATA_DIR that it can enter`,
    );
  }
  return serverFolderAt(directory, elsewhere, false);
}

function serverFolderAt(directory: string, folder: string, hasDatabase: boolean): ServerFolder {
  return {
    folder,
    hasDatabase,
    record: async () => {
      const isInside = folder === join(directory, insideName);
      await replace(join(directory, placeFile), isInside ? insideName : folder);
      if (!isInside) await replace(join(folder, ownerFile), directory);
    },
  };
}

/** A copied directory names the location of the original, which two servers must not share. */
async function requireOwn(directory: string, place: string): Promise<void> {
  if (!(await isThere(join(place, "data")))) {
    throw new Error(
      `its database was kept in ${place}, which does not exist. Restore the folder there, or a copy of it as ${join(directory, insideName)}`,
    );
  }
  const owner = await readText(join(place, ownerFile));
  if (owner === undefined || owner === directory) return;
  const namedByOwner = await readText(join(owner, placeFile));
  // The directory was moved, and its old path does not exist.
  if (namedByOwner !== place) return;
  if ((await realpath(owner)) === (await realpath(directory))) return;
  throw new Error(
    `its database in ${place} belongs to ${owner}. For a separate copy, put a copy of that folder, made while no server runs, as ${join(directory, insideName)}`,
  );
}

/** PostgreSQL starts only in a folder that its account owns. */
async function requireUsable(place: string, account: ServerAccount): Promise<void> {
  if (account.ids === undefined) return;
  if (!(await isReachable(dirname(place), account))) {
    throw new Error(
      `the account ${account.name} cannot enter ${dirname(place)}, where its database is: move the folder to one that it can enter, such as /srv, and set ROWHOUSE_DATA_DIR`,
    );
  }
  const { uid } = await stat(join(place, "data"));
  if (uid !== account.ids.uid) {
    throw new Error(
      `${place} does not belong to the account ${account.name}: chown -R ${account.name} ${place}`,
    );
  }
}

/**
 * Creates a directory that the account may pass through, unless it exists; the mode of an existing one belongs to its
 * owner.
 */
async function makeDirectory(directory: string, account: ServerAccount): Promise<void> {
  await mkdir(dirname(directory), { recursive: true });
  try {
    await mkdir(directory, { mode: account.ids === undefined ? 0o700 : 0o711 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

async function makeOwn(folder: string, { ids }: ServerAccount): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (ids !== undefined) await chown(folder, ids.uid, ids.gid);
}

async function replace(path: string, text: string): Promise<void> {
  if ((await readText(path)) === text) return;
  await rm(path, { force: true });
  await createFileIfMissing(path, text);
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch {
    return undefined;
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}
