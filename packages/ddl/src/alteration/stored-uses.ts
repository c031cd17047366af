import type { Transaction } from "@rowhouse/db";
import type { AlterationDraft } from "./draft.ts";
import type { Loss } from "./plan.ts";

/** What stored definitions may be built on. */
export type UsedPart =
  | { readonly kind: "TABLE" }
  | { readonly kind: "COLUMN"; readonly attributeNumber: number; readonly name: string }
  /** Any relation of the table, which definitions name by its name. */
  | { readonly kind: "RELATION" }
  /** Relations of the table by their names. */
  | { readonly kind: "NAMES"; readonly names: readonly string[] };

export interface UsedTable {
  readonly resourceId: string;
  readonly schema: string;
  readonly name: string;
}

export interface StoredUse {
  readonly object: "dashboard" | "DataView" | "saved view" | "workflow";
  readonly name: string;
  /** Whether it stores the column by its number, so that it follows a new name. */
  readonly follows: boolean;
}

/** Returns the stored definitions that name relations of a table, directly or after another relation. */
export function loadRelationUses(
  database: Transaction,
  table: UsedTable,
  names: readonly string[],
): Promise<StoredUse[]> {
  return loadStoredUses(database, table, { kind: "NAMES", names });
}

/**
 * Returns the dashboards with their panels, the DataViews, the saved views and the workflows that are built on a part of
 * a table. Dashboards and DataViews are bound to columns; in the others a name is sought as a whole word, so that one of
 * them may mean another table's column.
 */
async function loadStoredUses(
  transaction: Transaction,
  table: UsedTable,
  part: UsedPart,
): Promise<StoredUse[]> {
  const column = part.kind === "COLUMN" ? part : null;
  const names = part.kind === "NAMES" ? part.names : column === null ? [] : [column.name];
  const rows = await transaction.query<{
    object: StoredUse["object"];
    name: string;
    follows: boolean;
  }>(usesSql, [
    table.resourceId,
    part.kind,
    column === null ? null : String(column.attributeNumber),
    wordOf([table.name]),
    wordOf(names),
    alternatives(names),
  ]);
  return rows.map(({ object, name, follows }) => ({ object, name, follows }));
}

/** A pattern that finds each of these names as a whole word. */
function wordOf(names: readonly string[]): string {
  return `(?<!\\w)${alternatives(names)}(?!\\w)`;
}

/** A pattern that matches each of these names. */
export function alternatives(names: readonly string[]): string {
  return `(${names.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|-]/g, "\\$&")).join("|")})`;
}

const usesSql = `
with bound as (
  select c.data_view_id, c.dashboard_id, c.resource_id, c.mention from system.reading_columns c
  where case $2::text
    when 'COLUMN' then c.path_resource_id = $1::text::uuid and c.attribute_number = $3::text::smallint
    when 'RELATION' then c.relation_path <> '' and $1::text::uuid in (c.path_resource_id, c.resource_id)
    when 'NAMES' then (c.resource_id = $1::text::uuid and c.relation_path ~ ('^' || $6::text || '[.]'))
      or c.relation_path ~ ('[.]' || $6::text || '[.]')
    else c.path_resource_id = $1::text::uuid end
), panels as (
  select p.dashboard_id, coalesce(nullif(p.title, ''), p.id) as title from system.dashboard_panels p
  where ($2::text = 'TABLE' and p.resource_id = $1::text::uuid) or exists (
    select from bound b where b.dashboard_id = p.dashboard_id and b.resource_id = p.resource_id
      and pg_catalog.strpos(pg_catalog.concat(p.definition, p.presentation, p.bindings), b.mention) > 0)
), flows as (
  select w.slug, pg_catalog.concat(w.draft, v.definition) as body from system.workflows w
  left join system.workflow_versions v on v.id = w.published_version_id
)
select 'dashboard' as object, d.name || coalesce(': ' || (
    select pg_catalog.string_agg(distinct p.title, ', ') from panels p where p.dashboard_id = d.id), '') as name, true as follows
from system.dashboards d
where d.id in (select b.dashboard_id from bound b) or d.id in (select p.dashboard_id from panels p)
union
select 'DataView', v.name, true from system.data_views v
where v.id in (select b.data_view_id from bound b) or ($2::text = 'TABLE' and v.resource_id = $1::text::uuid)
union
select 'saved view', s.name, false from system.saved_views s
where s.resource_id = $1::text::uuid and case
  when $2::text in ('COLUMN', 'NAMES') then s.definition::text ~ $5::text
  when $2::text = 'RELATION' then s.definition::text ~ '[[:alpha:]_]\\w*[.][[:alpha:]_*]'
  else true end
union
select 'workflow', f.slug, false from flows f
where f.body ~ $4::text and case
  when $2::text in ('COLUMN', 'NAMES') then f.body ~ $5::text
  when $2::text = 'RELATION' then f.body ~ '[[:alpha:]_]\\w*[.][[:alpha:]_*]'
  else true end
order by 1, 2`;

/** How a change affects a definition that is built on its part. */
const notes = {
  DROP: "is built on it",
  CHANGE: "is built on it, and receives the changed values",
  MEANING:
    "is built on it, and receives the changed values; a filter of it that names the column matches nothing until it is saved again",
  RENAME: "names it, and must name the new name",
  FOLLOW: "names it, and follows the new name",
  TAKE: "names the relation whose name the column takes",
} as const;

type UseChange = Exclude<keyof typeof notes, "FOLLOW">;

/** Returns the losses of a change for the definitions that are built on a part of a table. */
export async function lossesOfUses(
  transaction: Transaction,
  table: UsedTable,
  part: UsedPart,
  { change, path }: { readonly change: UseChange; readonly path: string },
): Promise<Loss[]> {
  const uses = await loadStoredUses(transaction, table, part);
  return uses.map(({ object, name, follows }) => {
    const note = change === "RENAME" && follows && part.kind !== "RELATION" ? "FOLLOW" : change;
    return { path, object, name, note: notes[note] };
  });
}

/** Records the definitions that are built on a part of the altered table, each of them once for a change. */
export async function planStoredUses(
  draft: AlterationDraft,
  part: UsedPart,
  change: UseChange,
  path: string,
): Promise<void> {
  const { transaction, original } = draft;
  const known = new Set(
    draft.losses.filter((loss) => loss.path === path).map((loss) => `${loss.object} ${loss.name}`),
  );
  const losses = await lossesOfUses(transaction, original, part, { change, path });
  draft.losses.push(...losses.filter(({ object, name }) => !known.has(`${object} ${name}`)));
}
