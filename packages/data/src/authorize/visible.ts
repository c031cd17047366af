import {
  type Access,
  accessTo,
  type EffectiveGrant,
  type ParsedFilter,
  type Principal,
} from "@rowhouse/access";
import type { Column, Edge, Relation, Snapshot } from "@rowhouse/db";

/** What a principal may read of a relation. */
export interface Visible {
  readonly relation: Relation;
  /** The filters of which one must match a row; null where every row is readable, none where no row is. */
  readonly rows: readonly ParsedFilter[] | null;
  readonly fields: readonly VisibleField[];
  /** How a column shows, or undefined where the principal may not know of it. */
  fieldByName(name: string): VisibleField | undefined;
  /** A related relation that the principal may read, by the edge's name. */
  edgeByName(name: string): VisibleEdge | undefined;
  /** The names that stand for an ambiguous one, as far as the principal may know of them. */
  choicesOf(name: string): readonly string[];
}

export interface VisibleField {
  readonly column: Column;
  /** The grants that list it. */
  readonly grants: readonly EffectiveGrant[];
  /** The filters of which one must match for the field to show in a row; null where it shows in every readable row. */
  readonly rows: readonly ParsedFilter[] | null;
}

export interface VisibleEdge {
  readonly edge: Edge;
  readonly target: Visible;
}

const kindsWithStatistics: ReadonlySet<string> = new Set([
  "TABLE",
  "PARTITIONED_TABLE",
  "MATERIALIZED_VIEW",
]);

/** Whether a relation has statistics, and the principal may read all that they are about. */
export function isOpen({ relation, rows, fields }: Visible): boolean {
  const isWhole = rows === null && fields.every((field) => field.rows === null);
  return isWhole && kindsWithStatistics.has(relation.kind);
}

/** What a principal may read of any relation, each worked out once. */
export class Visibility {
  readonly #snapshot: Snapshot;
  readonly #principal: Pick<Principal, "roleIds">;
  readonly #known = new Map<number, Visible>();

  constructor(snapshot: Snapshot, principal: Pick<Principal, "roleIds">) {
    this.#snapshot = snapshot;
    this.#principal = principal;
  }

  accessTo(relation: Relation, action: Parameters<typeof accessTo>[3]): Access {
    return accessTo(this.#snapshot, this.#principal, relation, action);
  }

  of(relation: Relation): Visible {
    const known = this.#known.get(relation.oid);
    if (known !== undefined) return known;
    const access = this.accessTo(relation, "READ");
    const grants = access.kind === "GRANTED" ? access.grants : [];
    const fields = new Map<string, VisibleField>();
    for (const column of relation.columns) {
      const listing = grants.filter(
        (grant) => grant.fields === null || grant.fields.has(column.name),
      );
      if (listing.length === 0) continue;
      const rows = listing.length === grants.length ? null : filtersOf(listing);
      fields.set(column.name, { column, grants: listing, rows });
    }
    const edges = this.#snapshot.catalogue.edgesOf(relation);
    const visible: Visible = {
      relation,
      rows: filtersOf(grants),
      fields: [...fields.values()],
      fieldByName: (name) => fields.get(name),
      edgeByName: (name) => this.#edge(edges.byName.get(name)),
      choicesOf: (name) =>
        (edges.ambiguous.get(name) ?? [])
          .filter((edge) => this.#edge(edge) !== undefined)
          .map((edge) => edge.name),
    };
    this.#known.set(relation.oid, visible);
    return visible;
  }

  /** A relation needs GET exposed and READ granted on its target (contract §3). */
  #edge(edge: Edge | undefined): VisibleEdge | undefined {
    if (edge === undefined || !edge.target.resource.exposedMethods.includes("GET")) {
      return undefined;
    }
    const target = this.of(edge.target);
    return target.fields.length === 0 ? undefined : { edge, target };
  }
}

/** Null where one of the grants has no filter, and so every row matches. */
function filtersOf(grants: readonly EffectiveGrant[]): readonly ParsedFilter[] | null {
  const filters = grants.flatMap((grant) => grant.filter ?? []);
  return filters.length < grants.length ? null : filters;
}
