import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Exposures } from "../catalogue/relation.ts";
import { createRelevance } from "../catalogue/relation-links.ts";
import type { Queryable } from "../queryable.ts";

/**
 * The cacheable data that decides every request, as of one moment: catalogue, exposure, roles, grants and settings.
 * Each statement proves the snapshot current by comparing `proofQuery` with `proofOf`.
 */
export interface Snapshot extends SystemRecords {
  /** The sum of the epoch's counters at the moment of the snapshot. */
  readonly epoch: string;
  /**
   * How changes of the catalogue are detected: by event triggers that raise the epoch, or by fingerprints in each
   * statement.
   */
  readonly guard: "EVENT_TRIGGERS" | "FINGERPRINTS";
  readonly catalogueFingerprint: string | null;
  /** The part of the epoch that changes of the catalogue raise. */
  readonly catalogueEpoch: string;
  /** The part that only changes of records raise. */
  readonly recordsEpoch: string;
  /** The transactions that the snapshot includes: a `pg_snapshot`. */
  readonly moment: string;
  readonly catalogue: Catalogue;
  /** Whether the catalogue includes the queries of views. */
  readonly hasQueries: boolean;
  /**
   * Present in a narrowed snapshot: returns SQL for the number of transactions since its moment whose changes concern nothing that a statement of
   * these relations relies on.
   */
  readonly unrelatedSql?: (scope: readonly number[]) => string;
}

/** The records of the system schema that a snapshot holds. */
export interface SystemRecords {
  readonly roles: ReadonlyMap<string, RoleRecord>;
  readonly grants: readonly GrantRecord[];
  readonly settings: ReadonlyMap<string, unknown>;
  /** Display settings of columns: by resource id, then by attribute number. */
  readonly presentations: ReadonlyMap<string, ReadonlyMap<number, ColumnPresentation>>;
  /** The key that signs the cursors of lists. */
  readonly cursorKey: string;
  /** Relations that are exposed or that an administrator has described, by id. */
  readonly exposures: Exposures;
  /** Whether a grant hides some rows of a view; the load then needs the view's computed columns. */
  readonly filtersViews: boolean;
}

/** In its stored form; `packages/permissions` interprets it. */
export interface ColumnPresentation {
  readonly label: string | null;
  readonly format: unknown;
  readonly colors: unknown;
  /** The place of the column in the title of a record; null outside of it. */
  readonly titlePart: unknown;
}

export interface RoleRecord {
  readonly id: string;
  readonly name: string;
  readonly apiAccess: boolean;
  readonly tokenCreation: boolean;
  readonly isAdministrators: boolean;
}

/** A grant in its stored form; `packages/access` interprets it. */
export interface GrantRecord {
  readonly id: string;
  readonly roleId: string;
  readonly resourceId: string;
  readonly action: "READ" | "CREATE" | "UPDATE" | "DELETE";
  readonly allFields: boolean;
  readonly rowFilter: unknown;
  readonly rowCheck: unknown;
  readonly presets: Readonly<Record<string, unknown>>;
  readonly columns: readonly GrantColumnRecord[];
}

export interface GrantColumnRecord {
  readonly usage: "FIELD" | "FILTER" | "CHECK" | "PRESET";
  readonly attributeNumber: number;
  /** The name under which the grant's own filter, check or presets refer to the column. */
  readonly mention: string;
  /** The related resource that owns the column; null for the grant's own resource. */
  readonly pathResourceId: string | null;
  /** `Column.meaning` at the time of the mention; null if the column was already dropped when meanings were introduced. */
  readonly meaning: string | null;
  readonly beside: BesideMention | null;
}

/** The meanings of further columns that a mention depends on. */
export interface BesideMention {
  /** The columns by which the path leads from one row to the next, in its order. */
  readonly way?: readonly string[];
  /** The columns of users that conditions on the mention name. */
  readonly users?: Readonly<Record<string, string>>;
}

/** Returns whether `snapshot`, including the whole catalogue, is current. */
export async function isCurrent(database: Queryable, snapshot: Snapshot): Promise<boolean> {
  const [row] = await database.query<{ proof: string }>(proofQuery(snapshot, "ALL"), [], {
    prepare: true,
  });
  return row?.proof === proofOf(snapshot, "ALL");
}

/** The relations that a response depends on: a list, or all (for the response that a resource is missing). */
export type ColumnScope = readonly number[] | "ALL";

/** What a proof of a snapshot is made of. */
export type ProvenSnapshot = Pick<Snapshot, "guard" | "unrelatedSql">;

/**
 * Returns the snapshot with a narrower proof: a statement is current although the catalogue has changed, unless a change
 * concerns what the statement relies on. Its text names the moment of the snapshot and so serves this snapshot alone: it is meant
 * for the repetition of a statement that DDL on another relation has made stale.
 */
export function narrowed(snapshot: Snapshot): Snapshot {
  // Fingerprints are those of the statement's relations anyway.
  if (snapshot.guard === "FINGERPRINTS") return snapshot;
  let narrow = narrowSnapshots.get(snapshot);
  if (narrow === undefined) {
    narrow = { ...snapshot, unrelatedSql: createUnrelatedSql(snapshot) };
    narrowSnapshots.set(snapshot, narrow);
  }
  return narrow;
}

const narrowSnapshots = new WeakMap<Snapshot, Snapshot>();

function createUnrelatedSql({ catalogue, moment }: Snapshot): (scope: readonly number[]) => string {
  const relevanceOf = createRelevance(catalogue.parts.links);
  // Names of edges matter to a statement that follows one: from one relation to another, or to itself.
  const followsEdges = (scope: readonly number[]) =>
    scope.some(
      (oid) =>
        oid !== scope[0] ||
        catalogue.relationByOid(oid)?.foreignKeys.some(({ targetOid }) => targetOid === oid),
    );
  return (scope) => {
    const near = followsEdges(scope)
      ? scope.flatMap((oid) => [oid, ...catalogue.neighboursOf({ oid })])
      : scope;
    const relevant = [...relevanceOf(near)].join(",");
    return `(select pg_catalog.count(*) from (
    select from system.catalogue_changes c
    where ${isSinceSql("c.xid", `'${moment}'`)}
    group by c.xid
    having not pg_catalog.bool_or(c.relations is null
      or (c.relations operator(pg_catalog.||) c.beside) operator(pg_catalog.&&) '{${relevant}}'::pg_catalog.oid[])) u)`;
  };
}

/** Returns a condition on a transaction: whether a moment does not include it. */
export function isSinceSql(xid: string, moment: string): string {
  const snapshot = `${moment}::pg_catalog.pg_snapshot`;
  return `${xid} >= pg_catalog.pg_snapshot_xmin(${snapshot}) and not pg_catalog.pg_visible_in_snapshot(${xid}, ${snapshot})`;
}

/**
 * Returns a query of one row whose text column `proof` equals `proofOf` if a snapshot is current. It is an aggregate
 * query, which the planner keeps in one place; a scalar subquery would be copied to each use of the proof.
 */
export function proofQuery(snapshot: ProvenSnapshot, scope: ColumnScope): string {
  if (snapshot.unrelatedSql !== undefined && scope !== "ALL") {
    return `select (pg_catalog.sum(value) - ${snapshot.unrelatedSql(scope)})::text as proof from system.epoch`;
  }
  const fingerprints =
    snapshot.guard === "EVENT_TRIGGERS"
      ? ""
      : scope === "ALL"
        ? " || ':' || system.catalogue_fingerprint()"
        : scope
            .map((oid) => ` || ':' || coalesce(system.relation_fingerprint(${oid}), '')`)
            .join("");
  return `select pg_catalog.sum(value)::text${fingerprints} as proof from system.epoch`;
}

/** Returns the value of `proofQuery` for a current `snapshot`. */
export function proofOf(snapshot: Snapshot, scope: ColumnScope): string {
  if (snapshot.guard === "EVENT_TRIGGERS") return snapshot.epoch;
  if (scope === "ALL") return `${snapshot.epoch}:${snapshot.catalogueFingerprint ?? ""}`;
  const fingerprints = scope.map(
    (oid) => `:${snapshot.catalogue.relationByOid(oid)?.fingerprint ?? ""}`,
  );
  return `${snapshot.epoch}${fingerprints.join("")}`;
}
