import { createError } from "@rowhouse/errors";

export interface PageRequest {
  /** Maximum number of items. */
  readonly limit: number;
  /** The cursor of the previous page; null for the first page. */
  readonly cursor: string | null;
  /** Text to search for in the columns that the list searches; null for every item. */
  readonly search: string | null;
}

/**
 * A part of a list. Pages follow the order of a key, so items that are inserted or deleted in between neither repeat
 * nor hide other items.
 */
export interface Page<Item> {
  readonly items: Item[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/**
 * Parses the cursor into the key after which a page begins; returns nulls for the first page.
 *
 * @param isPart checks each part of a key of this list
 * @throws AppError QUERY_INVALID for a cursor that this list did not return
 */
export function readCursor<const Checks extends readonly ((part: string) => boolean)[]>(
  cursor: string | null,
  isPart: Checks,
): { [Index in keyof Checks]: string | null } {
  type Key = { [Index in keyof Checks]: string | null };
  if (cursor === null) return isPart.map(() => null) as unknown as Key;
  const parts = decode(cursor);
  const fits =
    Array.isArray(parts) &&
    parts.length === isPart.length &&
    parts.every((part, index) => typeof part === "string" && isPart[index]?.(part) === true);
  if (!fits) throw createError("QUERY_INVALID", { path: "cursor", message: "Unknown cursor" });
  return parts as unknown as Key;
}

/**
 * Cuts a page from a result that holds up to one item more than the page.
 *
 * @param keyOf the parts of an item's key, in the order of the list
 */
export function toPage<Item>(
  items: readonly Item[],
  limit: number,
  keyOf: (item: Item) => readonly string[],
): Page<Item> {
  const kept = items.slice(0, limit);
  const last = kept.at(-1);
  const hasMore = items.length > limit && last !== undefined;
  return {
    items: kept,
    nextCursor: hasMore ? writePageCursor(keyOf(last)) : null,
  };
}

/** Returns the cursor of a page that begins after a key, for lists that do not use `toPage`. */
export function writePageCursor(key: readonly string[]): string {
  return Buffer.from(JSON.stringify(key)).toString("base64url");
}

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns whether a part of a key is the id of a record. */
export function isUuid(part: string): boolean {
  return uuidForm.test(part);
}

/** Returns whether `text` contains the search text, ignoring case. */
export function matchesSearch(text: string, search: string | null): boolean {
  return search === null || text.toLowerCase().includes(search.toLowerCase());
}

function decode(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
