import { nextFlight, singleFlight } from "@rowhouse/limits";
import { advisoryLocks } from "./advisory-locks.ts";
import { type Catalogue, createCatalogue } from "./catalogue.ts";
import { loadCatalogueSql } from "./catalogue-sql.ts";
import { createEpochHold, type WhileHeld } from "./epoch-hold.ts";
import { hasEventTriggers } from "./migrate.ts";
import type { Database, Queryable } from "./queryable.ts";
import type { Exposure } from "./relation.ts";

/**
 * The cacheable data that decides every request, as of one moment: catalogue, exposure, roles, grants and settings.
 * Each statement proves the snapshot current by comparing `proofQuery` with `proofOf`.
 */
export interface Snapshot {
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
  readonly catalogue: Catalogue;
  /** Whether the catalogue includes the queries of views. */
  readonly hasQueries: boolean;
  readonly roles: ReadonlyMap<string, RoleRecord>;
  readonly grants: readonly GrantRecord[];
  readonly settings: ReadonlyMap<string, unknown>;
  /** Display settings of columns: by resource id, then by attribute number. */
  readonly presentations: ReadonlyMap<string, ReadonlyMap<number, ColumnPresentation>>;
  /** The key that signs the cursors of lists. */
  readonly cursorKey: string;
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

/** Holds the newest snapshot of this process. */
export interface SnapshotStore {
  /** Returns the cached snapshot; loads the first one. It may be stale, so the caller's statement must prove it. */
  current(): Promise<Snapshot>;
  /** Returns the cached snapshot without waiting; undefined before the first load. */
  peek(): Snapshot | undefined;
  /** Returns a snapshot newer than `stale`, which a statement has found out of date. */
  replace(stale: Snapshot): Promise<Snapshot>;
  /** Returns a snapshot that was current at a moment after this call. */
  fresh(): Promise<Snapshot>;
  /** Runs `work` while no change commits that would make a snapshot stale; see `createEpochHold`. */
  readonly whileHeld: WhileHeld;
}

/**
 * Creates a store that holds one snapshot and reloads it when a statement has found it stale.
 *
 * @param onLoaded receives the duration of each load
 */
export function createSnapshotStore(
  database: Database,
  onLoaded?: (seconds: number) => void,
): SnapshotStore {
  let latest: Snapshot | undefined;
  const loadNext = nextFlight(async () => {
    const begun = performance.now();
    const before = latest?.catalogue;
    latest = await loadSnapshot(database, latest);
    tellOfCode(database, before, latest.catalogue);
    onLoaded?.((performance.now() - begun) / 1000);
    return latest;
  });
  const load = singleFlight(loadNext);
  const replace = async (stale: Snapshot): Promise<Snapshot> =>
    latest !== undefined && latest !== stale ? latest : load();

  return {
    current: async () => latest ?? load(),
    peek: () => latest,
    replace,
    fresh: async () => {
      const cached = latest ?? (await load());
      if (await isCurrent(database, cached)) return cached;
      // A shared load may have read its data before this call.
      const shared = await replace(cached);
      return (await isCurrent(database, shared)) ? shared : loadNext();
    },
    whileHeld: createEpochHold(database),
  };
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

/**
 * Returns a query of one row whose text column `proof` equals `proofOf` if a snapshot is current. It is an aggregate
 * query, which the planner keeps in one place; a scalar subquery would be copied to each use of the proof.
 */
export function proofQuery(snapshot: Pick<Snapshot, "guard">, scope: ColumnScope): string {
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

/**
 * Tells the pool what code its statements may run. A connection may have served a statement of a relation before its
 * new code was known, so none of those is used again.
 */
function tellOfCode(database: Database, before: Catalogue | undefined, now: Catalogue): void {
  database.forgetStatementsOfCode(now.preparesStatements);
  if (before === undefined || before === now) return;
  const hasNew = now.relations.some(({ oid, runsCode }) => {
    const known = before.relationByOid(oid)?.runsCode;
    return (
      known !== undefined &&
      ((runsCode.reads && !known.reads) || (runsCode.writes && !known.writes))
    );
  });
  if (hasNew) database.renew();
}

/**
 * Loads a snapshot in one transaction. The catalogue of `before` is reused if no change of it has been counted since.
 * Without event triggers changes are not counted, and fingerprints do not cover comments.
 */
async function loadSnapshot(database: Database, before: Snapshot | undefined): Promise<Snapshot> {
  const guarded = await hasEventTriggers(database);
  if (!guarded) {
    await database.transaction(async (transaction) => {
      await transaction.query(`select pg_advisory_xact_lock(${advisoryLocks.registry})`);
      await transaction.query("select system.sync_registry()");
    });
  }
  return database.transaction(
    async (transaction) => {
      const [epoch] = await transaction.query<EpochRow>(
        `select sum(value)::text as epoch, sum(catalogue)::text as catalogue,
           ${guarded ? "null" : "system.catalogue_fingerprint()"} as fingerprint from system.epoch`,
      );
      const [row] = await transaction.query<{ records: string }>(loadRecordsSql);
      if (epoch === undefined || row === undefined) {
        throw new Error("The epoch of the system schema is missing");
      }
      const records = JSON.parse(row.records) as Records;
      const exposures = new Map(records.resources.map(({ id, ...exposure }) => [id, exposure]));
      const isKept =
        guarded &&
        before?.guard === "EVENT_TRIGGERS" &&
        before.catalogueEpoch === epoch.catalogue &&
        (before.hasQueries || !records.filtersViews);
      const catalogue = isKept
        ? before.catalogue.withExposures(exposures)
        : createCatalogue(
            await transaction.query<{ relation: string }>(loadCatalogueSql, [
              String(!guarded),
              String(records.filtersViews),
            ]),
            exposures,
          );
      const { roles, grants, settings, presentations, cursorKey } = records;
      return {
        epoch: epoch.epoch,
        guard: guarded ? "EVENT_TRIGGERS" : "FINGERPRINTS",
        catalogueFingerprint: epoch.fingerprint,
        catalogueEpoch: epoch.catalogue,
        catalogue,
        hasQueries: isKept ? before.hasQueries : records.filtersViews,
        roles: new Map(roles.map((role) => [role.id, role])),
        grants,
        settings: new Map(settings.map((setting) => [setting.key, setting.value])),
        presentations: new Map(
          presentations.map(({ resourceId, columns }) => [
            resourceId,
            new Map(columns.map(({ number, ...shown }) => [number, shown])),
          ]),
        ),
        cursorKey,
      };
    },
    { isolation: "repeatable read", readOnly: true, runsCode: false },
  );
}

interface EpochRow {
  epoch: string;
  catalogue: string;
  fingerprint: string | null;
}

interface Records {
  roles: RoleRecord[];
  grants: GrantRecord[];
  settings: { key: string; value: unknown }[];
  presentations: { resourceId: string; columns: (ColumnPresentation & { number: number })[] }[];
  cursorKey: string;
  /** Relations that are exposed or that an administrator has described. */
  resources: ({ id: string } & Exposure)[];
  /** Whether a grant hides some rows of a view; the load then needs the view's computed columns. */
  filtersViews: boolean;
}

const loadRecordsSql = `
select json_build_object(
  'cursorKey', (select cursor_key from system.installation),
  'resources', (select coalesce(json_agg(json_build_object('id', id, 'exposedMethods', exposed_methods, 'label', label,
      'description', description, 'history', history, 'junction', junction, 'relationNames', coalesce(n.names, '{}'))), '[]')
    from system.resources r
    left join (select resource_id, json_object_agg(attribute_number, relation_name order by attribute_number) as names
      from system.resource_columns where relation_name is not null group by resource_id) n on n.resource_id = r.id
    where exposed_methods <> '{}' or label is not null or description is not null or history or junction or n.names is not null),
  'filtersViews', exists (
    select from system.grants g join system.resources v on v.id = g.resource_id
    where v.kind = 'VIEW' and g.action = 'READ' and g.row_filter is not null),
  'roles', (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'apiAccess', api_access,
      'tokenCreation', token_creation, 'isAdministrators', is_administrators)), '[]') from system.roles),
  'settings', (select coalesce(json_agg(json_build_object('key', key, 'value', value)), '[]') from system.settings),
  'presentations', (select coalesce(json_agg(json_build_object('resourceId', p.resource_id, 'columns', p.columns)), '[]')
    from (select resource_id, json_agg(json_build_object('number', attribute_number, 'label', label, 'format', format,
        'colors', colors, 'titlePart', title_part)) as columns from system.resource_columns group by resource_id) p),
  'grants', (select coalesce(json_agg(json_build_object('id', g.id, 'roleId', g.role_id, 'resourceId', g.resource_id,
      'action', g.action, 'allFields', g.all_fields, 'rowFilter', g.row_filter, 'rowCheck', g.row_check,
      'presets', g.presets, 'columns', coalesce(c.columns, '[]')) order by g.id), '[]')
    from system.grants g
    left join lateral (select json_agg(json_build_object('usage', usage, 'attributeNumber', attribute_number, 'mention', mention,
      'pathResourceId', path_resource_id, 'meaning', meaning, 'beside', beside)
      order by attribute_number) as columns from system.grant_columns where grant_id = g.id) c on true)
)::text as records`;
