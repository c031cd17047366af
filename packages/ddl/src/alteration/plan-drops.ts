import { quoteIdentifier } from "@rowhouse/db";
import type { Rebinding } from "../base/bind-columns.ts";
import type { TableChangeOf } from "./definition.ts";
import type { AlterationDraft, DraftColumn } from "./draft.ts";
import { planAddColumn } from "./plan-columns.ts";
import {
  planCascade,
  planColumnGrants,
  planColumnWatchers,
  planRelationGrants,
} from "./plan-dependents.ts";
import { planStoredUses } from "./stored-uses.ts";

/** Drops a column with its values, and with the keys, checks and indexes that mention it. */
export async function planDropColumn(
  draft: AlterationDraft,
  change: TableChangeOf<"dropColumn">,
  path: string,
): Promise<void> {
  const column = draft.findColumn(change.column, `${path}/column`);
  if (column === undefined) return;
  draft.changedFields.add(`columns.${column.name}`);
  planLostValues(draft, column, change.confirm, path);
  const { attributeNumber, name } = column;
  let cascades = false;
  if (attributeNumber !== null) {
    const root = { kind: "COLUMN", oid: draft.original.oid, attributeNumber } as const;
    cascades = await planCascade(draft, root, path, change.cascade);
    await planColumnGrants(draft, attributeNumber, path);
    await planColumnWatchers(draft, attributeNumber, path);
    await planStoredUses(draft, { kind: "COLUMN", attributeNumber, name }, "DROP", path);
  }
  await dropFromDraft(draft, column, path, { cascades });
}

/**
 * Puts another column in the place of one, with its name. Grants, labels, DataViews and watchers follow; keys, checks and
 * indexes that mention the former one go with it.
 */
export async function planReplaceColumn(
  draft: AlterationDraft,
  change: TableChangeOf<"replaceColumn">,
  path: string,
): Promise<void> {
  const { name, confirm, ...definition } = change;
  const former = draft.findColumn(name, `${path}/name`);
  if (former === undefined) return;
  const { attributeNumber } = former;
  const original = draft.original.columns.find((one) => one.attributeNumber === attributeNumber);
  // The values of a generated column are computed anew.
  if ((original?.generatedAs ?? null) === null) planLostValues(draft, former, confirm, path);
  if (attributeNumber !== null) {
    await planCascade(
      draft,
      { kind: "COLUMN", oid: draft.original.oid, attributeNumber },
      path,
      false,
    );
    const part = { kind: "COLUMN", attributeNumber, name } as const;
    await planStoredUses(draft, part, "CHANGE", path);
  }
  const next = `rowhouse new ${attributeNumber ?? name}`;
  await planAddColumn(draft, { ...definition, kind: "addColumn", name: next }, path);
  draft.changedFields.delete(`columns.${next}`);
  draft.changedFields.add(`columns.${name}`);
  await dropFromDraft(draft, former, path, { rebinds: { from: name, to: next } });
  draft.addStep({
    compile: (table) =>
      `alter table ${table} rename column ${quoteIdentifier(next)} to ${quoteIdentifier(name)}`,
    path,
    refusal: "The database does not accept this name",
  });
  draft.mapRows(next, quoteIdentifier(next), name);
  draft.renameColumn(next, name);
}

function planLostValues(
  draft: AlterationDraft,
  { name }: DraftColumn,
  confirm: string | undefined,
  path: string,
): void {
  draft.requireConfirmation(path, name, confirm);
  draft.losses.push({
    path,
    object: "column",
    name,
    note: null,
    valuesSql: `select pg_catalog.count(${quoteIdentifier(name)}) as rows from (${draft.rows}) as t`,
  });
}

async function dropFromDraft(
  draft: AlterationDraft,
  column: DraftColumn,
  path: string,
  { cascades = false, rebinds }: { readonly cascades?: boolean; readonly rebinds?: Rebinding },
): Promise<void> {
  const { name } = column;
  const mentions = (item: { readonly columns: readonly string[] }) => item.columns.includes(name);
  for (const [object, items] of [
    ["key", draft.keys],
    ["check", draft.checks],
    ["foreign key", draft.foreignKeys],
    ["index", draft.indexes],
  ] as const) {
    for (const item of items.filter(mentions)) {
      draft.losses.push({ path, object, name: item.name, note: null });
    }
  }
  for (const key of draft.foreignKeys.filter(mentions)) lockTarget(draft, key);
  if (draft.foreignKeys.some(mentions)) {
    await planRelationGrants(draft, path);
    await planStoredUses(draft, { kind: "RELATION" }, "DROP", path);
  }
  draft.keys = draft.keys.filter((item) => !mentions(item));
  draft.checks = draft.checks.filter((item) => !mentions(item));
  draft.foreignKeys = draft.foreignKeys.filter((item) => !mentions(item));
  draft.indexes = draft.indexes.filter((item) => !mentions(item));
  draft.columns = draft.columns.filter((other) => other !== column);
  draft.selectRows(draft.columnNames().map(quoteIdentifier));
  draft.addStep({
    compile: (table) =>
      `alter table ${table} drop column ${quoteIdentifier(name)}${cascades ? " cascade" : ""}`,
    path,
    refusal: "The database does not allow dropping this column",
    ...(rebinds === undefined ? {} : { rebinds }),
  });
}

/** Drops a key, a check or a foreign key. */
export async function planDropConstraint(
  draft: AlterationDraft,
  change: TableChangeOf<"dropConstraint">,
  path: string,
): Promise<void> {
  const { constraint } = change;
  const named = (item: { readonly name: string }) => item.name === constraint;
  const key = draft.keys.find(named);
  const foreignKey = draft.foreignKeys.find(named);
  if (key === undefined && foreignKey === undefined && !draft.checks.some(named)) {
    draft.refuse(`${path}/constraint`, "The table has no such constraint");
    return;
  }
  draft.changedFields.add(
    foreignKey === undefined ? (key === undefined ? "checks" : "keys") : "foreignKeys",
  );
  let cascades = false;
  if (key !== undefined) {
    const root = { kind: "CONSTRAINT", oid: draft.original.oid, name: constraint } as const;
    cascades = await planCascade(draft, root, path, change.cascade);
    if (cascades) draft.requireConfirmation(path, constraint, change.confirm);
    if (key.kind === "PRIMARY_KEY") {
      const note = "rows lose their id, and the routes of single rows disappear";
      draft.losses.push({ path, object: "primary key", name: constraint, note });
    }
  }
  if (foreignKey !== undefined) {
    const note = `the relation to ${foreignKey.targetSchema}.${foreignKey.targetTable}`;
    draft.losses.push({ path, object: "relation", name: constraint, note });
    lockTarget(draft, foreignKey);
    await planRelationGrants(draft, path);
    await planStoredUses(draft, { kind: "RELATION" }, "DROP", path);
  }
  draft.keys = draft.keys.filter((item) => !named(item));
  draft.checks = draft.checks.filter((item) => !named(item));
  draft.foreignKeys = draft.foreignKeys.filter((item) => !named(item));
  const { schema, name: table } = draft.original;
  draft.referencedBy = draft.referencedBy.filter(
    (item) => !(named(item) && item.schema === schema && item.table === table),
  );
  draft.addStep({
    compile: (table) =>
      `alter table ${table} drop constraint ${quoteIdentifier(constraint)}${cascades ? " cascade" : ""}`,
    path,
    // The copy has no foreign keys.
    refusal:
      foreignKey === undefined ? "The database does not allow dropping this constraint" : null,
  });
}

function lockTarget(
  draft: AlterationDraft,
  key: { readonly targetSchema: string; readonly targetTable: string },
): void {
  const { targetSchema: schema, targetTable: table } = key;
  draft.otherLocks.push({ schema, table, mode: "ACCESS EXCLUSIVE", work: "NONE" });
}
