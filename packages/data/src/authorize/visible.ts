import {
  type Access,
  accessTo,
  type EffectiveGrant,
  mergedFilters,
  type ParsedFilter,
  type Principal,
} from "@rowhouse/access";
import type { Column, Edge, Relation, Snapshot } from "@rowhouse/db";

/** The part of a relation that a principal may read. */
export interface Visible {
  readonly relation: Relation;
  /** A row is readable if at least one of these filters matches; null if every row is readable, empty if none is. */
  readonly rows: readonly ParsedFilter[] | null;
  readonly fields: readonly VisibleField[];
  /** Returns the column's visibility, or undefined if the column is missing or hidden from the principal. */
  fieldByName(name: string): VisibleField | undefined;
  /** Returns the edge of this name if the principal may read its target. */
  edgeByName(name: string): VisibleEdge | undefined;
  /** The edges whose targets the principal may read. */
  edges(): readonly VisibleEdge[];
  /** Returns the unambiguous names for an ambiguous one, without those hidden from the principal. */
  choicesOf(name: string): readonly string[];
}

export interface VisibleField {
  readonly column: Column;
  /** The READ grants that include the field. */
  readonly grants: readonly EffectiveGrant[];
  /**
   * The field is present in a row if at least one of these filters matches; null if it is present in every readable
   * row.
   */
  readonly rows: readonly ParsedFilter[] | null;
}

export interface VisibleEdge {
  readonly edge: Edge;
  readonly target: Visible;
  /** The junction that the edge leads over; null for a foreign key. */
  readonly junction: Visible | null;
}

const kindsWithStatistics: ReadonlySet<string> = new Set([
  "TABLE",
  "PARTITIONED_TABLE",
  "MATERIALIZED_VIEW",
]);

/**
 * Whether PostgreSQL keeps statistics of a relation, and the principal may read every row and field that they
 * describe.
 */
export function isOpen({ relation, rows, fields }: Visible): boolean {
  const isWhole = rows === null && fields.every((field) => field.rows === null);
  return isWhole && kindsWithStatistics.has(relation.kind);
}

/** Computes which part of each relation a principal may read, once per relation. */
export class Visibility {
  readonly #snapshot: Snapshot;
  readonly #principal: Pick<Principal, "roleIds">;
  readonly #known = new Map<number, Visible>();

  constructor(snapshot: Snapshot, principal: Pick<Principal, "roleIds">) {
    this.#snapshot = snapshot;
    this.#principal = principal;
  }

  get catalogue(): Snapshot["catalogue"] {
    return this.#snapshot.catalogue;
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
      const rows =
        listing.length === grants.length ? null : mergedFilters(listing, relation, this.catalogue);
      fields.set(column.name, { column, grants: listing, rows });
    }
    const edges = this.#snapshot.catalogue.edgesOf(relation);
    const visible: Visible = {
      relation,
      rows: mergedFilters(grants, relation, this.catalogue),
      fields: [...fields.values()],
      fieldByName: (name) => fields.get(name),
      edgeByName: (name) => this.#edge(edges.byName.get(name)),
      edges: () => [...edges.byName.values()].flatMap((edge) => this.#edge(edge) ?? []),
      choicesOf: (name) =>
        (edges.ambiguous.get(name) ?? [])
          .filter((edge) => this.#edge(edge) !== undefined)
          .map((edge) => edge.name),
    };
    this.#known.set(relation.oid, visible);
    return visible;
  }

  /** An edge is visible if its target and its junction expose GET and the principal has a READ grant on them. */
  #edge(edge: Edge | undefined): VisibleEdge | undefined {
    const target = edge && this.#readable(edge.target);
    if (edge === undefined || target === undefined) return undefined;
    if (edge.foreignKey !== "JUNCTION") return { edge, target, junction: null };
    const junction = this.#readable(edge.junction);
    return junction && { edge, target, junction };
  }

  #readable(relation: Relation): Visible | undefined {
    if (!relation.resource.exposedMethods.includes("GET")) return undefined;
    const visible = this.of(relation);
    return visible.fields.length === 0 ? undefined : visible;
  }
}
