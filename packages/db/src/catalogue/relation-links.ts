/**
 * How one relation is tied to others, and whether its own definition runs code of the database's users. A missing list is
 * empty. Relations that are no resources are included.
 */
export interface RelationLinks {
  /** Not empty if reads of the relation run such code. */
  readonly reads?: readonly number[];
  /** Not empty if writes run it. */
  readonly writes?: readonly number[];
  /** The bits of `pg_trigger.tgtype` for the events after which its triggers run it. */
  readonly after?: readonly number[];
  /** The relations that its query reads, for a view. */
  readonly bases?: readonly number[];
  /** The relations that it inherits from, or of which it is a partition. */
  readonly parents?: readonly number[];
  /** The relations whose changed rows change its own by a foreign key. */
  readonly cascades?: readonly number[];
  readonly indexes?: readonly number[];
}

/** The links of all relations, by OID. */
export type Links = ReadonlyMap<number, RelationLinks>;

/** The relations whose statements can run code of the database's users, by what they do. */
export interface CodeReach {
  readonly reads: ReadonlySet<number>;
  readonly writes: ReadonlySet<number>;
  readonly after: ReadonlyMap<number, number>;
}

/**
 * Follows the links from the relations that run code themselves: it also runs in a statement of a view over them, of what they
 * inherit from, and of rows whose change changes theirs.
 */
export function reachOfCode(links: Links): CodeReach {
  const views = new Map<number, number[]>();
  for (const [view, { bases = [] }] of links) {
    for (const base of bases) append(views, base, view);
  }
  const own = [...links];
  const rowsOf = (oid: number) => [...(views.get(oid) ?? []), ...(links.get(oid)?.parents ?? [])];
  const reads = closure(
    own.flatMap(([oid, { reads = [] }]) => (reads.length > 0 ? [oid] : [])),
    rowsOf,
  );
  const writes = closure(
    own.flatMap(([oid, link]) =>
      (link.reads ?? []).length + (link.writes ?? []).length > 0 ? [oid] : [],
    ),
    (oid) => [...rowsOf(oid), ...(links.get(oid)?.cascades ?? [])],
  );
  const after = new Map<number, number>();
  for (const [oid, link] of own) {
    const bits = (link.after ?? []).reduce((all, each) => all | each, 0);
    if (bits === 0) continue;
    for (const it of closure([oid], (at) => links.get(at)?.parents ?? [])) {
      after.set(it, (after.get(it) ?? 0) | bits);
    }
  }
  return { reads, writes, after };
}

/** What DDL has changed: OIDs of relations and indexes, some of which exist no longer. */
export interface NamedRelations {
  readonly relations: readonly number[];
  /** What the relations inherit from or refer to. */
  readonly beside: readonly number[];
}

/**
 * Returns the relations whose definition may have changed. The links from before add what DDL cannot name any more: the owners
 * of dropped indexes, what has inherited from the relations, and what they have inherited from.
 */
export function changedBy(
  links: Links,
  { relations, beside }: NamedRelations,
): ReadonlySet<number> {
  const named = new Set(relations);
  const children = new Map<number, number[]>();
  for (const [oid, { parents = [], indexes = [] }] of links) {
    for (const parent of parents) append(children, parent, oid);
    if (indexes.some((index) => named.has(index))) named.add(oid);
  }
  const parents = [...named].flatMap((oid) => links.get(oid)?.parents ?? []);
  return new Set([...closure([...named], (oid) => children.get(oid) ?? []), ...parents, ...beside]);
}

/**
 * Returns a function for the relations and indexes on which DDL may change the definition of the given relations, or the code that
 * their statements run.
 */
export function createRelevance(
  links: Links,
): (relations: readonly number[]) => ReadonlySet<number> {
  const sources = new Map<number, number[]>();
  for (const [oid, { parents = [], cascades = [] }] of links) {
    for (const target of [...parents, ...cascades]) append(sources, target, oid);
  }
  return (relations) => {
    const relevant = closure(relations, (oid) => [
      ...(sources.get(oid) ?? []),
      ...(links.get(oid)?.bases ?? []),
      ...(links.get(oid)?.parents ?? []),
    ]);
    return new Set([...relevant].flatMap((oid) => [oid, ...(links.get(oid)?.indexes ?? [])]));
  };
}

function closure(
  begun: readonly number[],
  next: (oid: number) => readonly number[],
): ReadonlySet<number> {
  const found = new Set(begun);
  // A set yields what is added while it is read.
  for (const oid of found) for (const it of next(oid)) found.add(it);
  return found;
}

function append(map: Map<number, number[]>, key: number, value: number): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
