import { type Database, type Queryable, toAppError } from "@rowhouse/db";
import { isObject } from "@rowhouse/wire";

/** A person's preferences for the pages; the App API checks their form. */
export type Preferences = Readonly<Record<string, unknown>>;

/** Returns the preferences of a person; empty at first. */
export async function readPreferences(database: Queryable, userId: string): Promise<Preferences> {
  const [row] = await database.query<{ content: Preferences }>(
    "select content from system.preferences where user_id = $1::text::uuid",
    [userId],
  );
  return row?.content ?? {};
}

/**
 * Merges changes into the preferences of a person: objects are merged, null removes a member, any other value replaces
 * it. Concurrent changes wait for each other.
 *
 * @param check throws if the merged preferences are invalid
 * @returns the merged preferences
 */
export async function mergePreferences(
  database: Database,
  userId: string,
  changes: Preferences,
  check: (merged: Preferences) => void,
): Promise<Preferences> {
  const merge = database.transaction(async (transaction) => {
    await transaction.query(
      "insert into system.preferences (user_id) values ($1::text::uuid) on conflict do nothing",
      [userId],
    );
    const [row] = await transaction.query<{ content: Preferences }>(
      "select content from system.preferences where user_id = $1::text::uuid for update",
      [userId],
    );
    const merged = mergeObjects(row?.content ?? {}, changes);
    check(merged);
    await transaction.query(
      "update system.preferences set content = $2::text::json, updated_at = now() where user_id = $1::text::uuid",
      [userId, JSON.stringify(merged)],
    );
    return merged;
  });
  return merge.catch((error: unknown) => {
    throw toAppError(error);
  });
}

/** RFC 7396 (JSON Merge Patch) on objects without prototype keys, which no body has. */
function mergeObjects(known: Preferences, changes: Preferences): Preferences {
  const merged = new Map(Object.entries(known));
  for (const [key, change] of Object.entries(changes)) {
    if (change === undefined) continue;
    if (change === null) merged.delete(key);
    else if (isObject(change)) {
      const before = merged.get(key);
      merged.set(key, mergeObjects(isObject(before) ? before : {}, change));
    } else merged.set(key, change);
  }
  return Object.fromEntries(merged);
}
