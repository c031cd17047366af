import { type Database, type Queryable, schema } from "@rowhouse/db";
import type { ImagePreset } from "@rowhouse/settings";
import { and, eq, notInArray } from "drizzle-orm";
import { presetKeyOf } from "./preset-of.ts";

const { fileVariants } = schema;

/** A row of `system.file_variants`. */
export type VariantRow = Omit<typeof fileVariants.$inferSelect, "createdAt">;

/** A preset, with its definition, of one version of a file. */
export type VariantKey = Pick<VariantRow, "fileId" | "preset" | "sha256">;

/** Finds the variant of one version of a file; undefined if it was not made yet. */
export async function findVariant(
  { orm }: Pick<Database, "orm">,
  { fileId, preset, sha256 }: VariantKey,
): Promise<VariantRow | undefined> {
  const [row] = await orm
    .select()
    .from(fileVariants)
    .where(
      and(
        eq(fileVariants.fileId, fileId),
        eq(fileVariants.preset, preset),
        eq(fileVariants.sha256, sha256),
      ),
    );
  return row;
}

/**
 * Records a variant if its file still has the version. The lock of the file lets no new version pass in between, whose
 * trigger deletes the variants of the former one.
 *
 * @returns whether the row was written; otherwise the version is gone, or another process was faster
 */
export async function insertVariant(queryable: Queryable, row: VariantRow): Promise<boolean> {
  const written = await queryable.query(
    `insert into system.file_variants (file_id, preset, sha256, storage_key, media_type, bytes, width, height)
     select f.id, $2::text, f.sha256, $4::text, $5::text, $6::text::bigint, $7::text::integer, $8::text::integer
     from system.files f where f.id = $1::uuid and f.sha256 = $3::text and f.state = 'READY' for share
     on conflict do nothing
     returning file_id`,
    [
      row.fileId,
      row.preset,
      row.sha256,
      row.storageKey,
      row.mediaType,
      String(row.bytes),
      String(row.width),
      String(row.height),
    ],
  );
  return written.length > 0;
}

/** Deletes the variants of presets that were removed or changed; a trigger has their objects deleted. */
export async function purgeVariants(
  { orm }: Pick<Database, "orm">,
  presets: readonly ImagePreset[],
): Promise<void> {
  await orm.delete(fileVariants).where(notInArray(fileVariants.preset, presets.map(presetKeyOf)));
}
