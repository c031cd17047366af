import type { ColumnPair } from "./column-pairs.ts";
import { columnPairs, hasOneRow } from "./column-pairs.ts";
import { type JunctionStep, junctionSteps } from "./junctions.ts";
import type { ForeignKey, Relation } from "./relation.ts";

/** A step from one relation to another: a foreign key, or a junction table between the two. */
export type Edge = DirectEdge | JunctionEdge;

/** A foreign key as a step. */
export interface DirectEdge {
  readonly name: string;
  /** `ONE`: a row has at most one row of the target. `MANY`: it may have several. */
  readonly kind: "ONE" | "MANY";
  /** The relation that has the foreign key: this one, or the target. */
  readonly foreignKey: "OWN" | "TARGET";
  readonly target: Relation;
  /** Pairs of columns that must be equal: a column here, a column of the target. */
  readonly columns: readonly ColumnPair[];
  /** Whether rows of the target are parts of a row here, as the lines of an order are. */
  readonly isPart: boolean;
}

/** The two foreign keys of a junction table as one step. */
export interface JunctionEdge extends JunctionStep {
  readonly name: string;
  readonly kind: "MANY";
  readonly foreignKey: "JUNCTION";
}

/** The edges of one relation by name; an ambiguous name selects no edge. */
export interface Edges {
  readonly byName: ReadonlyMap<string, Edge>;
  /** Names that several edges would have, with the edges that replace them. */
  readonly ambiguous: ReadonlyMap<string, readonly Edge[]>;
}

/** Returns the columns by which an edge leads from a row, in the order of the key. */
export function ownColumns(edge: Edge): string[] {
  const pairs = edge.foreignKey === "JUNCTION" ? edge.near : edge.columns;
  return pairs.map(([own]) => own);
}

/** Identifies the foreign keys of an edge, also in another catalogue of the same tables. */
export function keyOfEdge(edge: Edge): string {
  return JSON.stringify(
    edge.foreignKey === "JUNCTION"
      ? [edge.target.oid, edge.junction.oid, edge.near, edge.far]
      : [edge.target.oid, edge.foreignKey, edge.columns],
  );
}

/** Returns the foreign key of a column alone, of the relation whose edges these are. */
export function referenceOf({ byName }: Edges, column: string): DirectEdge | undefined {
  for (const edge of byName.values()) {
    if (edge.foreignKey !== "OWN" || edge.columns.length > 1) continue;
    if (edge.columns[0]?.[0] === column) return edge;
  }
  return undefined;
}

/** Whether a column alone forms exactly one foreign key, so that an administrator may name its relation. */
export function isSoleReference({ foreignKeys }: Relation, column: string): boolean {
  const keys = foreignKeys.filter(({ columns }) => columns.length === 1 && columns[0] === column);
  return keys.length === 1;
}

interface Candidate {
  /** Its name unless that is ambiguous. */
  readonly base: string;
  /** The name that an administrator has given to it. */
  readonly given: string | undefined;
  /** The to-one name of its foreign key, which distinguishes it from others of the same base name. */
  readonly toOneName: string;
  readonly constraint: ForeignKey;
  readonly edge: Omit<DirectEdge, "name">;
}

interface NamedEdges {
  readonly byName: Map<string, Edge>;
  readonly ambiguous: Map<string, readonly Edge[]>;
}

/** The edges and the neighbours of each relation of a catalogue. */
export interface EdgesOfRelations {
  /** The foreign keys from and to a relation of this catalogue, with their names. */
  edgesOf(relation: Pick<Relation, "oid">): Edges;
  /** The OIDs of the relations on whose names and foreign keys the names of its edges depend. */
  neighboursOf(relation: Pick<Relation, "oid">): readonly number[];
}

/**
 * Returns functions that name the edges of a relation: to-one by the foreign key's column without its `_id` (by the target if the
 * key has several columns), the other direction by the referencing relation, junctions by their target. Edges of the same
 * name get the suffix `_by_<to-one name>`. Junctions are named last: they change no name of a foreign key. A name that an
 * administrator has given takes the place of a to-one name, but not within a suffix.
 *
 * The edges are named on demand: in a catalogue that changes often, most are never requested.
 */
export function createEdgesOf(
  relations: readonly Relation[],
  byOid: ReadonlyMap<number, Relation>,
): EdgesOfRelations {
  const known = new Map<number, Edges>();
  let owners: ReadonlyMap<number, ReadonlySet<Relation>> | undefined;
  const ownersOf = (oid: number): readonly Relation[] => {
    owners ??= ownersOfKeys(relations);
    return [...(owners.get(oid) ?? [])];
  };
  return {
    edgesOf: ({ oid }) => {
      const named = known.get(oid);
      if (named !== undefined) return named;
      const relation = byOid.get(oid);
      if (relation === undefined) return { byName: new Map(), ambiguous: new Map() };
      const edges = nameEdges(relation, ownersOf(oid), byOid);
      known.set(oid, edges);
      return edges;
    },
    neighboursOf: ({ oid }) =>
      ownersOf(oid).flatMap((owner) => [
        owner.oid,
        ...owner.foreignKeys.map(({ targetOid }) => targetOid),
      ]),
  };
}

/** Returns the relations that have the foreign keys from and to each relation, in their order. */
function ownersOfKeys(relations: readonly Relation[]): ReadonlyMap<number, ReadonlySet<Relation>> {
  const owners = new Map<number, Set<Relation>>();
  for (const relation of relations) {
    for (const { targetOid } of relation.foreignKeys) {
      for (const end of [relation.oid, targetOid]) {
        const known = owners.get(end);
        if (known === undefined) owners.set(end, new Set([relation]));
        else known.add(relation);
      }
    }
  }
  return owners;
}

function nameEdges(
  relation: Relation,
  owners: readonly Relation[],
  byOid: ReadonlyMap<number, Relation>,
): Edges {
  const candidates = owners.flatMap((owner) =>
    owner.foreignKeys.flatMap((constraint) => candidatesOf(constraint, owner, relation, byOid)),
  );
  const named = nameCandidates(relation, candidates);
  const steps = owners
    .flatMap((junction) => junctionSteps(junction, byOid))
    .flatMap(({ from, step }) => (from.oid === relation.oid ? [step] : []));
  nameJunctions(relation, steps, named);
  return named;
}

/** Returns the edges of a relation by a foreign key of `owner`: two by one that leads to its own table. */
function candidatesOf(
  constraint: ForeignKey,
  owner: Relation,
  { oid }: Relation,
  byOid: ReadonlyMap<number, Relation>,
): readonly Candidate[] {
  const target = byOid.get(constraint.targetOid);
  const pairs = target && columnPairs(constraint, owner, target);
  // The range of one row may need those of several rows, so no column leads to one row.
  if (target === undefined || pairs === undefined || constraint.isPeriod) return [];
  const toOneName = toOneNameOf(constraint, target);
  const candidates: Candidate[] = [];
  if (owner.oid === oid) {
    candidates.push({
      ...{ toOneName, constraint, base: toOneName, given: givenName(owner, constraint) },
      edge: { kind: "ONE", foreignKey: "OWN", target, columns: pairs, isPart: false },
    });
  }
  if (target.oid === oid) {
    const kind = hasOneRow(owner, pairs, target) ? "ONE" : "MANY";
    const columns = pairs.map(([own, other]) => [other, own] as const);
    candidates.push({
      ...{ toOneName, constraint, base: owner.name, given: undefined },
      edge: {
        ...{ kind, foreignKey: "TARGET", target: owner, columns },
        isPart: isPart(owner, constraint, target),
      },
    });
  }
  return candidates;
}

/**
 * Whether rows are parts of the one that a foreign key names: the key begins their primary key or a unique one
 * (`order_details (order_id, product_id)`), or their table has a longer name of the same beginning (`invoice_line`). Rows of a
 * tree are no parts of their parent.
 */
function isPart(owner: Relation, { columns }: ForeignKey, target: Relation): boolean {
  const begins = (key: readonly string[]) =>
    columns.length < key.length &&
    key.slice(0, columns.length).every((name) => columns.includes(name));
  const keys = [owner.primaryKey, ...owner.uniqueKeys.map((unique) => unique.columns)];
  const isRequired = columns.every((name) => owner.columnByName(name)?.nullable === false);
  const isNamed = isNamedAfter(owner.name.toLowerCase(), target.name.toLowerCase());
  return owner !== target && isRequired && (isNamed || keys.some(begins));
}

/** Letters of a name after which another word may follow without a `_`. */
const wordMin = 4;

function isNamedAfter(name: string, other: string): boolean {
  const one = other.endsWith("ies") ? `${other.slice(0, -3)}y` : other.replace(/s$/, "");
  const rest = name.startsWith(one) ? name.slice(one.length) : "";
  return rest.startsWith("_") || (one.length >= wordMin && rest.length > 1);
}

function toOneNameOf({ columns }: Pick<ForeignKey, "columns">, target: Relation): string {
  const [column, ...others] = columns;
  if (column === undefined || others.length > 0) return target.name;
  return column.length > 3 && column.endsWith("_id") ? column.slice(0, -3) : column;
}

/** Returns the name that an administrator has given to a foreign key. Two keys of one column cannot share its name. */
function givenName(relation: Relation, { columns }: ForeignKey): string | undefined {
  const [name = "", ...others] = columns;
  const column = others.length === 0 ? relation.columnByName(name) : undefined;
  const given = column && relation.resource.relationNames[column.attributeNumber];
  return given !== undefined && isSoleReference(relation, name) ? given : undefined;
}

/**
 * Names the foreign keys from and to a relation. A given name that a column or another edge has by now is lost: its edge
 * has the default name, and no edge has the lost one, which would otherwise lead elsewhere without notice.
 */
function nameCandidates(relation: Relation, candidates: readonly Candidate[]): NamedEdges {
  const lost = new Set<Candidate>();
  for (;;) {
    const named = nameWithout(lost, relation, candidates);
    const before = lost.size;
    for (const candidate of named.displaced) lost.add(candidate);
    if (lost.size === before) return named;
  }
}

/** Names the edges, and returns those that cannot have their given names. */
function nameWithout(
  lost: ReadonlySet<Candidate>,
  relation: Relation,
  candidates: readonly Candidate[],
): NamedEdges & { readonly displaced: readonly Candidate[] } {
  const isGiven = (it: Candidate) => it.given !== undefined && !lost.has(it);
  const reserved = new Set(Array.from(lost, ({ given }) => given));
  const groups = new Map<string, Candidate[]>();
  // Given names come last, so that they change no other name.
  for (const candidate of [
    ...candidates.filter((it) => !isGiven(it)),
    ...candidates.filter(isGiven),
  ]) {
    const base = (isGiven(candidate) ? candidate.given : undefined) ?? candidate.base;
    const group = groups.get(base);
    if (group === undefined) groups.set(base, [candidate]);
    else group.push(candidate);
  }
  const byName = new Map<string, Edge>();
  const ambiguous = new Map<string, readonly Edge[]>();
  const displaced: Candidate[] = [];
  const name = (candidate: Candidate, wanted: string): Edge => {
    // Two keys over the same columns to the same table are distinguished by their own names.
    const unique = byName.has(wanted) ? `${wanted}_${candidate.constraint.name}` : wanted;
    if (isGiven(candidate) && unique !== candidate.given) displaced.push(candidate);
    const edge = { name: unique, ...candidate.edge };
    byName.set(unique, edge);
    return edge;
  };
  for (const [base, namesakes] of groups) {
    const [only] = namesakes;
    const isColumn =
      relation.columnByName(base) !== undefined &&
      !namesakes.every(
        ({ edge, constraint }) => edge.foreignKey === "OWN" && constraint.columns[0] === base,
      );
    const isFree = !isColumn && !reserved.has(base);
    if (only !== undefined && namesakes.length === 1 && isFree) {
      name(only, base);
      continue;
    }
    ambiguous.set(
      base,
      namesakes.map((candidate) => name(candidate, `${base}_by_${candidate.toOneName}`)),
    );
  }
  return { byName, ambiguous, displaced };
}

/**
 * Adds the junctions to the named edges: `tracks`, else `tracks_by_playlist_track`, and of two over one junction
 * `parts_by_assemblies_child` and `parts_by_assemblies_parent`.
 */
function nameJunctions(
  relation: Relation,
  steps: readonly JunctionStep[],
  { byName, ambiguous }: NamedEdges,
): void {
  const isTaken = (name: string): boolean =>
    byName.has(name) || ambiguous.has(name) || relation.columnByName(name) !== undefined;
  const name = (step: JunctionStep, wanted: string): Edge => {
    let unique = wanted;
    while (isTaken(unique)) unique += `_${step.constraintName}`;
    const edge = { name: unique, kind: "MANY", foreignKey: "JUNCTION", ...step } as const;
    byName.set(unique, edge);
    return edge;
  };
  for (const base of new Set(steps.map(({ target }) => target.name))) {
    const namesakes = steps.filter(({ target }) => target.name === base);
    const [only] = namesakes;
    if (only !== undefined && namesakes.length === 1 && !isTaken(base)) {
      name(only, base);
      continue;
    }
    const edges = namesakes.map((step) => {
      const { junction, target, far } = step;
      const isOnly = namesakes.every((it) => it === step || it.junction.name !== junction.name);
      const toOneName = toOneNameOf({ columns: far.map(([own]) => own) }, target);
      return name(step, `${base}_by_${junction.name}${isOnly ? "" : `_${toOneName}`}`);
    });
    // A name that an edge has leads to this edge alone.
    if (!byName.has(base)) ambiguous.set(base, [...(ambiguous.get(base) ?? []), ...edges]);
  }
}
