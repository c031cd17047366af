import { arrayLiteral, type Database, schema } from "@rowhouse/db";
import { eq, sql } from "drizzle-orm";

const { files } = schema;

/** A file with bytes that may be served. */
export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly isPublic: boolean;
  readonly mediaType: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly storageKey: string;
}

/**
 * Finds a file by its id, with the key of its object; undefined if there is none, if it has no bytes, and while it is
 * in quarantine. The caller of this function checks the rights.
 */
export async function findFile(
  { orm }: Pick<Database, "orm">,
  id: string,
): Promise<StoredFile | undefined> {
  const [row] = await orm.select().from(files).where(eq(files.id, id));
  return row === undefined ? undefined : storedFileOf(row);
}

/** Finds several files by their ids as `findFile`, those that there are. */
export async function findFiles(
  { orm }: Pick<Database, "orm">,
  ids: readonly string[],
): Promise<StoredFile[]> {
  const rows = await orm
    .select()
    .from(files)
    .where(sql`${files.id} = any (${arrayLiteral(ids)}::text::uuid[])`);
  return rows.map(storedFileOf).filter((file) => file !== undefined);
}

function storedFileOf(row: typeof files.$inferSelect): StoredFile | undefined {
  if (row.state !== "READY") return undefined;
  const { id, name, visibility, mediaType, bytes, sha256, storageKey } = row;
  if (mediaType === null || bytes === null || sha256 === null || storageKey === null) {
    return undefined;
  }
  return {
    ...{ id, name, mediaType, bytes, sha256, storageKey },
    isPublic: visibility === "PUBLIC",
  };
}
