import { type Database, isUuid, schema } from "@rowhouse/db";
import { and, eq, sql } from "drizzle-orm";
import type { Upload } from "./upload.ts";

const { uploads } = schema;

/** Finds a resumable upload of a user that has not expired; undefined if there is none. */
export async function findUpload(
  { orm }: Database,
  id: string,
  userId: string,
): Promise<Upload | undefined> {
  if (!isUuid(id)) return undefined;
  const [row] = await orm
    .select()
    .from(uploads)
    .where(
      and(
        eq(uploads.id, id),
        eq(uploads.userId, userId),
        eq(uploads.isResumable, true),
        sql`${uploads.expiresAt} > now()`,
      ),
    );
  return row;
}
