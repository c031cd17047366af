import type { Queryable } from "@rowhouse/db";

/**
 * Deletes uploads and has their objects deleted, in one statement. The object of an upload that a file took stays.
 *
 * @param condition SQL on `u`, a row of `system.uploads`
 * @returns the number of deleted uploads
 */
export async function discardUploads(
  queryable: Queryable,
  condition: string,
  parameters: readonly string[],
): Promise<number> {
  const [row] = await queryable.query<{ count: string }>(
    `with gone as (
       delete from system.uploads u where ${condition} returning u.id, u.storage_key, u.state
     ), keys as (
       select storage_key from gone where state <> 'ATTACHED'
       union all
       select s.storage_key from system.upload_segments s join gone g on g.id = s.upload_id
     ), removed as (
       insert into system.object_removals (storage_key, due_at) select storage_key, now() from keys
       on conflict do nothing
     )
     select pg_catalog.count(*)::text as count from gone`,
    parameters,
  );
  return Number(row?.count ?? 0);
}
