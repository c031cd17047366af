import { type GuardedView, guardView } from "@rowhouse/ddl";
import { Pauses } from "../../documents/pauses.ts";

interface OrderedView {
  readonly names: readonly string[];
  readonly query: string;
}

/**
 * Sorts views after those that they read, as PostgreSQL's own grammar finds them: a name in a comment or a text is none. Views
 * that read each other, and those that PostgreSQL will refuse, stay in their order.
 */
export async function viewsInOrder<View extends OrderedView>(
  views: readonly View[],
): Promise<View[]> {
  const byName = new Map(views.map((view) => [keyOf(view.names), view]));
  const waiting = new Map<View, number>();
  const readers = new Map<View, View[]>();
  const pauses = new Pauses();
  for (const view of views) {
    await pauses.next();
    const read = new Set(
      (await relationsIn(view)).flatMap(
        ({ schema, name }) => byName.get(keyOf([schema, name])) ?? [],
      ),
    );
    read.delete(view);
    waiting.set(view, read.size);
    for (const other of read) {
      const known = readers.get(other);
      if (known === undefined) readers.set(other, [view]);
      else known.push(view);
    }
  }
  const sorted = new Set(views.filter((view) => waiting.get(view) === 0));
  // A set that grows is iterated to its new end.
  for (const view of sorted) {
    for (const reader of readers.get(view) ?? []) {
      const left = (waiting.get(reader) ?? 0) - 1;
      waiting.set(reader, left);
      if (left === 0) sorted.add(reader);
    }
  }
  return [...sorted, ...views.filter((view) => !sorted.has(view))];
}

/** Returns what a SELECT reads; nothing for one that PostgreSQL will refuse. */
export async function relationsIn({
  names,
  query,
}: OrderedView): Promise<GuardedView["references"]["relations"]> {
  const [schema = "", name = ""] = names;
  try {
    const { references } = await guardView(schema, { name, definition: query });
    return references.relations;
  } catch {
    return [];
  }
}

function keyOf(names: readonly string[]): string {
  return JSON.stringify(names);
}
