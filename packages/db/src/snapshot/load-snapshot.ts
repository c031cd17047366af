import { advisoryLocks } from "../advisory-locks.ts";
import { type Catalogue, createCatalogue } from "../catalogue/catalogue.ts";
import { catalogueSql } from "../catalogue/catalogue-sql.ts";
import type { CatalogueRow } from "../catalogue/read-relation.ts";
import type { Exposure } from "../catalogue/relation.ts";
import { changedBy, type NamedRelations } from "../catalogue/relation-links.ts";
import { hasEventTriggers } from "../migrate.ts";
import type { Database, Queryable } from "../queryable.ts";
import {
  type ColumnPresentation,
  type GrantRecord,
  isSinceSql,
  type RoleRecord,
  type Snapshot,
  type SystemRecords,
} from "./snapshot.ts";

/**
 * Loads a snapshot in one transaction. It keeps what no change since `before` has concerned: the records, and the relations that no
 * DDL has named. Without event triggers changes are not counted, and fingerprints do not cover comments.
 */
export async function loadSnapshot(
  database: Database,
  before: Snapshot | undefined,
): Promise<Snapshot> {
  const guarded = await hasEventTriggers(database);
  if (!guarded) {
    await database.transaction(async (transaction) => {
      await transaction.query(`select pg_advisory_xact_lock(${advisoryLocks.registry})`);
      await transaction.query("select system.sync_registry()");
    });
  }
  return database.transaction(
    async (transaction) => {
      const state = await readState(transaction, guarded);
      const kept = guarded && before?.guard === "EVENT_TRIGGERS" ? before : undefined;
      const records =
        kept?.recordsEpoch === state.recordsEpoch
          ? recordsOf(kept)
          : await readRecords(transaction);
      const isLacking = records.filtersViews && kept?.hasQueries === false;
      const hasQueries = records.filtersViews || (kept?.hasQueries ?? false);
      const catalogue = await readCatalogue(transaction, {
        records,
        hasQueries,
        kept: isLacking ? undefined : kept,
        state,
        guarded,
      });
      return {
        ...records,
        ...state,
        guard: guarded ? "EVENT_TRIGGERS" : "FINGERPRINTS",
        catalogue,
        hasQueries,
      };
    },
    { isolation: "repeatable read", readOnly: true, runsCode: false },
  );
}

type State = Pick<
  Snapshot,
  "epoch" | "catalogueEpoch" | "recordsEpoch" | "moment" | "catalogueFingerprint"
>;

async function readState(transaction: Queryable, guarded: boolean): Promise<State> {
  const [state] = await transaction.query<State & Record<string, unknown>>(
    `select sum(value)::text as epoch, sum(catalogue)::text as "catalogueEpoch",
       (sum(value) - sum(catalogue))::text as "recordsEpoch", pg_catalog.pg_current_snapshot()::text as moment,
       ${guarded ? "null" : "system.catalogue_fingerprint()"} as "catalogueFingerprint" from system.epoch`,
  );
  if (state === undefined) throw new Error("The epoch of the system schema is missing");
  return state;
}

interface CatalogueOptions {
  readonly records: SystemRecords;
  readonly hasQueries: boolean;
  /** The snapshot whose relations may be kept. */
  readonly kept: Snapshot | undefined;
  readonly state: State;
  readonly guarded: boolean;
}

/** More changed relations than this are not read one by one. */
const namedMax = 200;

async function readCatalogue(
  transaction: Queryable,
  { records, hasQueries, kept, state, guarded }: CatalogueOptions,
): Promise<Catalogue> {
  const { exposures } = records;
  const named = kept && (await readChanges(transaction, kept, state));
  const asked = [String(!guarded), String(hasQueries)];
  if (kept === undefined || named === undefined || named.relations.length > namedMax) {
    const rows = await transaction.query<CatalogueRow>(catalogueSql("ALL"), asked);
    return createCatalogue(rows, exposures);
  }
  if (named.relations.length === 0) return kept.catalogue.withExposures(exposures);
  const read = changedBy(kept.catalogue.parts.links, named);
  // Planning takes longer than reading a few relations.
  await transaction.query("set local plan_cache_mode = force_generic_plan");
  const rows = await transaction.query<CatalogueRow>(
    catalogueSql("NAMED"),
    [...asked, `{${[...read].join(",")}}`],
    { prepare: true },
  );
  return createCatalogue(rows, exposures, { catalogue: kept.catalogue, read });
}

/** Returns the relations and indexes that DDL since a snapshot has named; undefined if some DDL named none. */
async function readChanges(
  transaction: Queryable,
  { catalogueEpoch, moment }: Snapshot,
  now: State,
): Promise<NamedRelations | undefined> {
  if (catalogueEpoch === now.catalogueEpoch) return { relations: [], beside: [] };
  const [row] = await transaction.query<{ changes: string }>(
    `with c as (
       select xid, relations, beside from system.catalogue_changes where ${isSinceSql("xid", "$1")})
     select pg_catalog.json_build_object('count', (select pg_catalog.count(distinct c.xid) from c),
       'isNamed', not exists (select from c where c.relations is null),
       'relations', (select coalesce(pg_catalog.json_agg(distinct r::bigint), '[]') from c, pg_catalog.unnest(c.relations) r),
       'beside', (select coalesce(pg_catalog.json_agg(distinct r::bigint), '[]') from c, pg_catalog.unnest(c.beside) r))::text as changes`,
    [moment],
  );
  if (row === undefined) return undefined;
  const { count, isNamed, ...named } = JSON.parse(row.changes) as NamedRelations & {
    count: number;
    isNamed: boolean;
  };
  // Old changes leave the log.
  const counted = BigInt(now.catalogueEpoch) - BigInt(catalogueEpoch);
  return isNamed && BigInt(count) === counted ? named : undefined;
}

/** Records as the database returns them. */
interface RecordRows {
  roles: RoleRecord[];
  grants: GrantRecord[];
  settings: { key: string; value: unknown }[];
  presentations: { resourceId: string; columns: (ColumnPresentation & { number: number })[] }[];
  cursorKey: string;
  resources: ({ id: string } & Exposure)[];
  filtersViews: boolean;
}

async function readRecords(transaction: Queryable): Promise<SystemRecords> {
  const [row] = await transaction.query<{ records: string }>(loadRecordsSql);
  if (row === undefined) throw new Error("The records of the system schema are missing");
  const { resources, roles, settings, presentations, ...rest } = JSON.parse(
    row.records,
  ) as RecordRows;
  return {
    ...rest,
    exposures: new Map(resources.map(({ id, ...exposure }) => [id, exposure])),
    roles: new Map(roles.map((role) => [role.id, role])),
    settings: new Map(settings.map((setting) => [setting.key, setting.value])),
    presentations: new Map(
      presentations.map(({ resourceId, columns }) => [
        resourceId,
        new Map(columns.map(({ number, ...shown }) => [number, shown])),
      ]),
    ),
  };
}

function recordsOf(snapshot: Snapshot): SystemRecords {
  const { roles, grants, settings, presentations, cursorKey, exposures, filtersViews } = snapshot;
  return { roles, grants, settings, presentations, cursorKey, exposures, filtersViews };
}

const loadRecordsSql = `
select pg_catalog.json_build_object(
  'cursorKey', (select cursor_key from system.installation),
  'resources', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', id, 'exposedMethods', exposed_methods, 'label', label,
      'description', description, 'history', history, 'junction', junction, 'relationNames', coalesce(n.names, '{}'))), '[]')
    from system.resources r
    left join (select resource_id, pg_catalog.json_object_agg(attribute_number, relation_name order by attribute_number) as names
      from system.resource_columns where relation_name is not null group by resource_id) n on n.resource_id = r.id
    where exposed_methods operator(pg_catalog.<>) '{}' or label is not null or description is not null or history or junction or n.names is not null),
  'filtersViews', exists (
    select from system.grants g join system.resources v on v.id = g.resource_id
    where v.kind = 'VIEW' and g.action = 'READ' and g.row_filter is not null),
  'roles', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', id, 'name', name, 'apiAccess', api_access,
      'tokenCreation', token_creation, 'isAdministrators', is_administrators)), '[]') from system.roles),
  'settings', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('key', key, 'value', value)), '[]') from system.settings),
  'presentations', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('resourceId', p.resource_id, 'columns', p.columns)), '[]')
    from (select resource_id, pg_catalog.json_agg(pg_catalog.json_build_object('number', attribute_number, 'label', label, 'format', format,
        'colors', colors, 'titlePart', title_part)) as columns from system.resource_columns group by resource_id) p),
  'grants', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', g.id, 'roleId', g.role_id, 'resourceId', g.resource_id,
      'action', g.action, 'allFields', g.all_fields, 'rowFilter', g.row_filter, 'rowCheck', g.row_check,
      'presets', g.presets, 'columns', coalesce(c.columns, '[]')) order by g.id), '[]')
    from system.grants g
    left join lateral (select pg_catalog.json_agg(pg_catalog.json_build_object('usage', usage, 'attributeNumber', attribute_number, 'mention', mention,
      'pathResourceId', path_resource_id, 'meaning', meaning, 'beside', beside)
      order by attribute_number) as columns from system.grant_columns where grant_id = g.id) c on true)
)::text as records`;
