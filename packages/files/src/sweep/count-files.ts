import type { Database } from "@rowhouse/db";

/** What an installation stores. */
export interface FileCounts {
  /** Bytes of files and of their stored presets, and bytes received for uploads that no file has taken. */
  readonly bytes: Readonly<Record<"files" | "variants" | "uploads", number>>;
  /** Uploads that no file has taken, by their state. */
  readonly uploads: Readonly<Record<"receiving" | "complete", number>>;
  /** Objects that wait for their removal. */
  readonly removals: number;
}

/** Counts the stored files of an installation. */
export async function countFiles(database: Database): Promise<FileCounts> {
  const [row] = await database.query<Record<string, number>>(
    `select (select coalesce(sum(bytes), 0)::float8 from system.files) as files,
       (select coalesce(sum(bytes), 0)::float8 from system.file_variants) as variants,
       (select pg_catalog.count(*)::float8 from system.object_removals) as removals,
       coalesce(sum(received) filter (where state <> 'ATTACHED'), 0)::float8 as uploads,
       pg_catalog.count(*) filter (where state = 'RECEIVING')::float8 as receiving,
       pg_catalog.count(*) filter (where state = 'COMPLETE')::float8 as complete
     from system.uploads`,
  );
  const {
    files = 0,
    variants = 0,
    uploads = 0,
    receiving = 0,
    complete = 0,
    removals = 0,
  } = row ?? {};
  return { bytes: { files, variants, uploads }, uploads: { receiving, complete }, removals };
}
