import { createError } from "@rowhouse/errors";

/** Which part of a list is wanted. */
export interface PageRequest {
  /** Items at most. */
  readonly limit: number;
  /** From the page before; null for the first page. */
  readonly cursor: string | null;
  /** Text to look for, in whatever the list searches; null for everything. */
  readonly search: string | null;
}

/** A part of a list. Pages follow the order of a key, so items that come and go in between repeat or hide no other. */
export interface Page<Item> {
  readonly items: Item[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/**
 * The key after which a page begins, or nulls for the first page.
 *
 * @param isPart tells, part by part, what a key of this list is made of
 * @throws AppError QUERY_INVALID for a cursor that this list did not give
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
 * A page from one item more than it may hold.
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
    nextCursor: hasMore ? writeCursor(keyOf(last)) : null,
  };
}

/** The cursor of a page that begins after a key, for lists whose pages are not cut by `toPage`. */
export function writeCursor(key: readonly string[]): string {
  return Buffer.from(JSON.stringify(key)).toString("base64url");
}

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A part of a key that is a record's id. */
export function isUuid(part: string): boolean {
  return uuidForm.test(part);
}

/** Whether `text` holds what was searched for, whatever the case. */
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
