import type { ReadingEntry } from "./reading-api.ts";

/**
 * Returns entries with one of them moved by some places, and with the positions that keep this order. Positions that
 * already do are not changed.
 *
 * @param entries in the order of the navigation
 */
export function moveEntry(
  entries: readonly ReadingEntry[],
  id: string,
  by: number,
): readonly ReadingEntry[] {
  const from = entries.findIndex((one) => one.id === id);
  const moved = entries[from];
  if (moved === undefined) return entries;
  const to = Math.max(0, Math.min(entries.length - 1, from + by));
  const others = entries.filter((one) => one !== moved);
  const order = [...others.slice(0, to), moved, ...others.slice(to)];
  const before = new Map(entries.map((entry, index) => [entry.id, index]));
  const placed: ReadingEntry[] = [];
  for (const entry of order) {
    const last = placed.at(-1);
    placed.push(last === undefined ? entry : { ...entry, position: after(last, entry, before) });
  }
  return placed;
}

/** Returns the position of an entry that follows another one. Within a position, the order of the names remains. */
function after(
  last: ReadingEntry,
  entry: ReadingEntry,
  before: ReadonlyMap<string, number>,
): number {
  if (entry.position > last.position) return entry.position;
  const followed = (before.get(last.id) ?? 0) < (before.get(entry.id) ?? 0);
  return followed ? last.position : last.position + 1;
}
