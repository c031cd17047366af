import {
  changeOfMeaning,
  type MentionedColumn,
  parseStoredFilter,
  readFilterMeaning,
} from "@rowhouse/access";
import { quoteIdentifier, type Transaction } from "@rowhouse/db";
import { createFault, type Fault } from "@rowhouse/errors";
import { type Dependent, findDependents } from "../dependents.ts";
import type { ReferenceState } from "../table-state.ts";
import type { AlterationDraft } from "./draft.ts";
import type { DependencyRoot, Loss } from "./plan.ts";
import { alternatives, planStoredUses } from "./stored-uses.ts";

/** The dependents of a changed object, and the losses to report for them. */
export interface Dependents {
  readonly found: readonly Dependent[];
  readonly losses: readonly Loss[];
}

/**
 * Returns the dependents of an object, and the losses if they are dropped: views with their exposure and grants,
 * foreign keys, functions.
 */
export async function loadDependents(
  draft: Pick<AlterationDraft, "transaction"> & Partial<Pick<AlterationDraft, "gone">>,
  root: DependencyRoot,
  path: string,
): Promise<Dependents> {
  const found = await findDependents(draft.transaction, root, draft.gone);
  const oids = found.flatMap(({ oid }) => (oid === null ? [] : [oid]));
  const resources =
    oids.length === 0
      ? []
      : await draft.transaction.query<{ oid: string; methods: string; grants: string }>(
          `select r.relation_oid::text as oid, pg_catalog.array_to_string(r.exposed_methods, ', ') as methods,
             (select pg_catalog.count(*) from system.grants g where g.resource_id = r.id)::text as grants
           from system.resources r
           where r.relation_oid in (select o::oid from jsonb_array_elements_text($1::text::jsonb) o)`,
          [JSON.stringify(oids)],
        );
  const losses = found.map(({ object, name, oid }): Loss => {
    const resource = resources.find((candidate) => Number(candidate.oid) === oid);
    const note =
      resource === undefined
        ? null
        : `exposed: ${resource.methods === "" ? "none" : resource.methods}; grants: ${resource.grants}`;
    return { path, object, name, note };
  });
  return { found, losses };
}

/**
 * Refuses a drop if other objects depend on the target, or records the objects that a cascade drops.
 *
 * @param name the name that a cascade requires as `confirm`
 */
export async function planCascade(
  draft: AlterationDraft,
  root: DependencyRoot,
  path: string,
  cascade: boolean | undefined,
): Promise<boolean> {
  const { found: all, losses } = await loadDependents(draft, root, path);
  draft.roots.push({ root, found: JSON.stringify(all) });
  const found = all.filter((dependent) => !isFormerExpression(draft, dependent));
  if (found.length === 0) return false;
  if (cascade !== true) {
    draft.faults.push(restsOn(found, `${path}/cascade`, cascadeRemedy));
    return false;
  }
  draft.losses.push(...losses);
  const isFound = (key: ReferenceState): boolean =>
    found.some(
      ({ object, name }) =>
        object === "table constraint" &&
        [key.name, quoteIdentifier(key.name)].some((own) => name.startsWith(`${own} on `)),
    );
  for (const { schema, table } of draft.referencedBy.filter(isFound)) {
    draft.otherLocks.push({ schema, table, mode: "ACCESS EXCLUSIVE", work: "NONE" });
  }
  draft.referencedBy = draft.referencedBy.filter((key) => !isFound(key));
  return true;
}

/** Whether an object is the expression of a column that an earlier change of the draft drops or gives another one. */
export function isFormerExpression(draft: AlterationDraft, { object, name }: Dependent): boolean {
  if (object !== "default value") return false;
  return draft.original.columns.some((column) => {
    const now = draft.columns.find((one) => one.attributeNumber === column.attributeNumber);
    const names = [column.name, quoteIdentifier(column.name)];
    return (
      column.generatedAs !== null &&
      now?.generatedAs !== column.generatedAs &&
      names.some((own) => name.endsWith(`.${own}`))
    );
  });
}

/** What a caller can do about the fault of `restsOn` at `cascade`. */
export const cascadeRemedy = "set cascade to drop them as well";

/** The fault of a change that dependent objects prevent. */
export function restsOn(found: readonly Dependent[], path: string, remedy: string): Fault {
  const shown = found.slice(0, 10).map(({ object, name }) => `${object} ${name}`);
  const rest = found.length > 10 ? `, and ${found.length - 10} more` : "";
  const message = `Other objects depend on this: ${shown.join(", ")}${rest}; ${remedy}`;
  return createFault("CONFLICT", { path, message });
}

const usages: Readonly<Record<string, string>> = {
  FIELD: "loses the field",
  FILTER: "names it in its row filter, and allows nothing until the row filter is rewritten",
  CHECK: "names it in its check, and allows nothing until the check is rewritten",
  PRESET: "names it in its presets, and allows nothing until the presets are rewritten",
};

/** Records the grants that lose a column. */
export async function planColumnGrants(
  draft: AlterationDraft,
  attributeNumber: number,
  path: string,
): Promise<void> {
  const { transaction, original } = draft;
  const losses = await lossesOfGrants(transaction, original.resourceId, attributeNumber, path);
  draft.losses.push(...losses);
}

/** Returns the losses of the grants that name a column, if it goes. */
export async function lossesOfGrants(
  transaction: Transaction,
  resourceId: string,
  attributeNumber: number,
  path: string,
): Promise<Loss[]> {
  const rows = await transaction.query<{ name: string; action: string; usage: string }>(
    `select distinct o.name, g.action, c.usage from system.grant_columns c
     join system.grants g on g.id = c.grant_id join system.roles o on o.id = g.role_id
     where coalesce(c.path_resource_id, g.resource_id) = $1::text::uuid and c.attribute_number = $2::text::smallint
     order by 1, 2, 3`,
    [resourceId, String(attributeNumber)],
  );
  return rows.map(({ name, action, usage }) => {
    return { path, object: "grant", name: `${name}: ${action}`, note: usages[usage] ?? null };
  });
}

/**
 * Records the grants for which a column of another type means something else.
 *
 * @param meaning `Column.meaning` after the change
 * @returns whether there are any
 */
export async function planMeaningGrants(
  draft: AlterationDraft,
  attributeNumber: number,
  meaning: string,
  path: string,
): Promise<boolean> {
  const rows = await draft.transaction.query<{
    name: string;
    action: string;
    usage: string;
    mention: string;
    stored: string | null;
    filter: string | null;
  }>(
    `select o.name, g.action, c.usage, c.mention, c.meaning as stored,
       case c.usage when 'FILTER' then g.row_filter when 'CHECK' then g.row_check end::text as filter
     from system.grant_columns c
     join system.grants g on g.id = c.grant_id join system.roles o on o.id = g.role_id
     where coalesce(c.path_resource_id, g.resource_id) = $1::text::uuid and c.attribute_number = $2::text::smallint
     order by 1, 2, 3, 4`,
    [draft.original.resourceId, String(attributeNumber)],
  );
  const lost = rows.filter(({ mention, stored, filter }) =>
    filter === null
      ? changeOfMeaning(stored, meaning, "VALUE") !== undefined
      : isFilterChanged(JSON.parse(filter), { mention, stored, present: meaning }),
  );
  for (const { name, action, usage } of lost) {
    const note = `was written for the present type, ${meaningUsages[usage] ?? ""}`;
    draft.losses.push({ path, object: "grant", name: `${name}: ${action}`, note });
  }
  return lost.length > 0;
}

/** Whether filters that compare a column mean something else after a change of its type. */
export async function changesMeaning(
  { transaction, original }: AlterationDraft,
  attributeNumber: number,
  meaning: string,
): Promise<boolean> {
  const [row] = await transaction.query<{ meaning: string }>(
    `select system.column_meaning(a.atttypid, a.attcollation)::text as meaning from pg_catalog.pg_attribute a
     where a.attrelid = $1::text::oid and a.attnum = $2::text::smallint`,
    [String(original.oid), String(attributeNumber)],
  );
  return changeOfMeaning(row?.meaning, meaning, "ORDER") !== undefined;
}

function isFilterChanged(
  filter: unknown,
  {
    mention,
    ...column
  }: Pick<MentionedColumn, "stored" | "present"> & { readonly mention: string },
): boolean {
  const parsed = parseStoredFilter(filter);
  if (parsed === undefined) return false;
  const columnOf = (name: string) => (name === mention ? { ...column, beside: null } : undefined);
  return readFilterMeaning(filter, parsed, columnOf, undefined).changed.length > 0;
}

const meaningUsages: Readonly<Record<string, string>> = {
  FIELD: "and allows nothing until its fields are sent again",
  FILTER: "and allows nothing until its row filter is sent again",
  CHECK: "and allows nothing until its check is sent again",
  PRESET: "and allows nothing until its presets are sent again",
};

/** Returns the slugs of the workflows whose published version watches a table, or one of its columns. */
export async function loadWatchers(
  transaction: Transaction,
  resourceId: string,
  attributeNumber: number | null,
): Promise<string[]> {
  const rows = await transaction.query<{ slug: string }>(
    `select f.slug from system.workflow_watches w join system.workflows f on f.id = w.workflow_id
     where w.resource_id = $1::text::uuid and ($2::text is null or $2::text::smallint = any (w.column_numbers))
     order by 1`,
    [resourceId, attributeNumber === null ? null : String(attributeNumber)],
  );
  return rows.map(({ slug }) => slug);
}

/** Records the workflows that lose a column. */
export async function planColumnWatchers(
  draft: AlterationDraft,
  attributeNumber: number,
  path: string,
): Promise<void> {
  const { transaction, original } = draft;
  for (const name of await loadWatchers(transaction, original.resourceId, attributeNumber)) {
    const note = "watches it, and receives events only for changes of its other fields";
    draft.losses.push({ path, object: "workflow", name, note });
  }
}

/** Records the grants whose filters follow a relation of the table. These filters refer to the relation by name. */
export async function planRelationGrants(draft: AlterationDraft, path: string): Promise<void> {
  await planGrants(
    draft,
    path,
    "$1::text::uuid in (c.path_resource_id, g.resource_id) and $2::text is null",
    null,
    "if the relation is renamed or dropped, the grant allows nothing until it is rewritten",
  );
}

/**
 * Records the relation whose name a column takes, with the grants and the stored definitions that name it.
 *
 * @param renamed the former name of the column; a foreign key of this column keeps its name
 */
export async function planTakenName(
  draft: AlterationDraft,
  name: string,
  path: string,
  renamed?: string,
): Promise<void> {
  const edge = draft.relations?.byName.get(name);
  if (edge === undefined) return;
  if (edge.foreignKey === "OWN" && renamed !== undefined && edge.columns[0]?.[0] === renamed)
    return;
  const note = "the column takes its name: requests with this name receive the column";
  draft.losses.push({ path, object: "relation", name, note });
  await planGrants(
    draft,
    path,
    `(g.resource_id = $1::text::uuid and c.mention ~ ('^' || $2::text || '([.]|->)'))
       or c.mention ~ ('[.]' || $2::text || '([.]|->)')`,
    alternatives([name]),
    "the column takes the name of the relation, and the grant allows nothing until it is rewritten",
  );
  await planStoredUses(draft, { kind: "NAMES", names: [name] }, "TAKE", path);
}

/**
 * Records the grants with a path over a relation that fulfils a condition.
 *
 * @param condition SQL over `system.grants g` and `system.grant_columns c`; `$1` is the table, `$2` the pattern
 */
async function planGrants(
  draft: AlterationDraft,
  path: string,
  condition: string,
  pattern: string | null,
  effect: string,
): Promise<void> {
  const rows = await draft.transaction.query<{ name: string; action: string; mention: string }>(
    // A column of a junction is bound as tracks->1.
    `select distinct o.name, g.action, pg_catalog.regexp_replace(c.mention, '->[0-9]+$', '') as mention
     from system.grant_columns c
     join system.grants g on g.id = c.grant_id join system.roles o on o.id = g.role_id
     where c.path_resource_id is not null and (${condition})
     order by 1, 2, 3`,
    [draft.original.resourceId, pattern],
  );
  for (const { name, action, mention } of rows) {
    const note = `uses the relation in ${mention}; ${effect}`;
    draft.losses.push({ path, object: "grant", name: `${name}: ${action}`, note });
  }
}
