import type { ForeignKey, Relation } from "./relation.ts";

/** A foreign key as a step from one relation to another. */
export interface Edge {
  readonly name: string;
  /** `ONE`: this relation's row refers to the target's. `MANY`: the target's rows refer to this one's. */
  readonly kind: "ONE" | "MANY";
  readonly target: Relation;
  /** Pairs of columns that must be equal: a column here, a column of the target. */
  readonly columns: readonly (readonly [own: string, target: string])[];
}

/** The edges of one relation by name; an ambiguous name selects no edge. */
export interface Edges {
  readonly byName: ReadonlyMap<string, Edge>;
  /** Names that several foreign keys would have, with the edges that replace them. */
  readonly ambiguous: ReadonlyMap<string, readonly Edge[]>;
}

interface Candidate {
  /** Its name unless that is ambiguous. */
  readonly base: string;
  /** The to-one name of its foreign key, which distinguishes it from others of the same base name. */
  readonly toOneName: string;
  readonly foreignKey: ForeignKey;
  readonly edge: Omit<Edge, "name">;
}

/**
 * Names the edges of every relation: to-one by the foreign key's column without its `_id` (by the target if the key
 * has several columns), to-many by the referencing relation. Edges of the same name get the suffix `_by_<to-one
 * name>`.
 */
export function nameEdges(relations: readonly Relation[]): ReadonlyMap<number, Edges> {
  const byOid = new Map(relations.map((relation) => [relation.oid, relation]));
  const candidates = new Map<number, Candidate[]>();
  const add = (relation: Relation, candidate: Candidate): void => {
    const known = candidates.get(relation.oid);
    if (known === undefined) candidates.set(relation.oid, [candidate]);
    else known.push(candidate);
  };
  for (const relation of relations) {
    for (const foreignKey of relation.foreignKeys) {
      const target = byOid.get(foreignKey.targetOid);
      if (target === undefined) continue;
      const toOneName = toOneNameOf(foreignKey, target);
      const pairs = pairsOf(foreignKey, relation, target);
      if (pairs === undefined) continue;
      const common = { toOneName, foreignKey };
      add(relation, {
        ...common,
        base: toOneName,
        edge: { kind: "ONE", target, columns: pairs },
      });
      add(target, {
        ...common,
        base: relation.name,
        edge: {
          kind: "MANY",
          target: relation,
          columns: pairs.map(([own, other]) => [other, own] as const),
        },
      });
    }
  }
  return new Map(
    relations.map((relation) => [
      relation.oid,
      nameCandidates(relation, candidates.get(relation.oid) ?? []),
    ]),
  );
}

function toOneNameOf(foreignKey: ForeignKey, target: Relation): string {
  const [column, ...others] = foreignKey.columns;
  if (column === undefined || others.length > 0) return target.name;
  return column.length > 3 && column.endsWith("_id") ? column.slice(0, -3) : column;
}

/** Undefined if a column of the key does not exist for the Data API. */
function pairsOf(
  foreignKey: ForeignKey,
  own: Relation,
  target: Relation,
): [string, string][] | undefined {
  const pairs: [string, string][] = [];
  for (const [index, column] of foreignKey.columns.entries()) {
    const other = foreignKey.targetColumns[index];
    if (other === undefined || own.columnByName(column) === undefined) return undefined;
    if (target.columnByName(other) === undefined) return undefined;
    pairs.push([column, other]);
  }
  return pairs;
}

function nameCandidates(relation: Relation, candidates: readonly Candidate[]): Edges {
  const bases = new Set(candidates.map((candidate) => candidate.base));
  const byName = new Map<string, Edge>();
  const ambiguous = new Map<string, Edge[]>();
  const name = (candidate: Candidate, wanted: string): Edge => {
    // Two keys over the same columns to the same table are distinguished by their own names.
    const unique = byName.has(wanted) ? `${wanted}_${candidate.foreignKey.name}` : wanted;
    const edge = { name: unique, ...candidate.edge };
    byName.set(unique, edge);
    return edge;
  };
  for (const base of bases) {
    const namesakes = candidates.filter((candidate) => candidate.base === base);
    const [only] = namesakes;
    const isColumn =
      relation.columnByName(base) !== undefined &&
      !namesakes.every(
        ({ edge, foreignKey }) => edge.kind === "ONE" && foreignKey.columns[0] === base,
      );
    if (only !== undefined && namesakes.length === 1 && !isColumn) {
      name(only, base);
      continue;
    }
    ambiguous.set(
      base,
      namesakes.map((candidate) => name(candidate, `${base}_by_${candidate.toOneName}`)),
    );
  }
  return { byName, ambiguous };
}
