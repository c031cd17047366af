import type { Database } from "@rowhouse/db";
import { discardUploads } from "../uploads/discard-uploads.ts";

const uploadsAtOnce = 100;

/** Rows that a writer has locked are left to the next turn. */
const expired = `u.id in (
  select e.id from system.uploads e where e.expires_at <= system.clock()
  order by e.expires_at limit ${uploadsAtOnce} for update skip locked)`;

/**
 * Deletes uploads that have expired, and has the objects removed that no file took.
 *
 * @returns the number of uploads
 */
export async function expireUploads(database: Database): Promise<number> {
  let count = 0;
  for (;;) {
    const discarded = await discardUploads(database, expired, []);
    count += discarded;
    if (discarded < uploadsAtOnce) return count;
  }
}
