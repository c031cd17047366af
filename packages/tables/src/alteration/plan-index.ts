import { quoteIdentifier, quoteQualified } from "@rowhouse/db";
import { parseColumnExpression } from "../column-expression.ts";
import type { ChangeOf } from "./definition.ts";
import type { AlterationDraft } from "./draft.ts";
import { isFreeByNow } from "./free-name.ts";
import { trialTable } from "./trial.ts";

/** Adds an index on columns and expressions, with a condition where only some rows are meant. */
export async function planAddIndex(
  draft: AlterationDraft,
  change: ChangeOf<"addIndex">,
  path: string,
): Promise<void> {
  const { name, unique = false, method = "btree", where } = change;
  if (name !== undefined) await requireFreeIndexName(draft, name, `${path}/name`);
  if (unique && method !== "btree") {
    draft.refuse(`${path}/unique`, "Only a btree index is unique", "BODY_INVALID");
  }
  const names = new Set(draft.columnNames());
  const keys: string[] = [];
  const values: string[] = [];
  const columns = new Set<string>();
  for (const [index, key] of change.keys.entries()) {
    const at = `${path}/keys/${index}`;
    let text: string;
    if ("column" in key) {
      if (draft.findColumn(key.column, `${at}/column`) === undefined) continue;
      columns.add(key.column);
      text = quoteIdentifier(key.column);
      values.push(text);
    } else {
      const parsed = await draft.guard(
        parseColumnExpression(key.expression, "index", names, `${at}/expression`),
      );
      if (parsed === undefined) continue;
      for (const column of parsed.columns) columns.add(column);
      text = `(${parsed.sql})`;
      values.push(text);
    }
    if (key.descending === true) text += " desc";
    if (key.nulls !== undefined) text += ` nulls ${key.nulls.toLowerCase()}`;
    keys.push(text);
  }
  const predicate =
    where === undefined
      ? null
      : await draft.guard(parseColumnExpression(where, "index", names, `${path}/where`));
  if (predicate === undefined || keys.length < change.keys.length) return;
  for (const column of predicate?.columns ?? []) columns.add(column);
  const conditions = values.map((value) => `${value} is not null`);
  if (predicate !== null) conditions.push(`(${predicate.sql})`);
  draft.changedFields.add("indexes");
  draft.indexes.push({ name: name ?? "", columns: [...columns] });
  const kind = unique ? "unique index" : "index";
  const named = name === undefined ? "" : ` ${quoteIdentifier(name)}`;
  const condition = predicate === null ? "" : ` where (${predicate.sql})`;
  draft.addStep({
    compile: (table) =>
      `create ${kind}${named} on ${table} using ${method} (${keys.join(", ")})${condition}`,
    path,
    lock: "SHARE",
    work: "SCAN",
    refusal:
      "The database does not accept this index: its expressions must be the same at any time, and fit the method",
    counts: unique ? [draft.countTwins(path, values, conditions)] : [],
  });
  draft.notes.add(
    "An index is made in the transaction of the change, and the table takes no writes meanwhile: CREATE INDEX CONCURRENTLY, which would let them pass, runs in no transaction. For a big table that is written to, let a database administrator run it.",
  );
}

/** Drops an index that no constraint needs. */
export async function planDropIndex(
  draft: AlterationDraft,
  { index }: ChangeOf<"dropIndex">,
  path: string,
): Promise<void> {
  const known = draft.indexes.find((candidate) => candidate.name === index);
  if (known === undefined) {
    const isKey = draft.keys.some((key) => key.name === index);
    const message = isKey
      ? "This index belongs to a constraint; drop that"
      : "The table has no such index";
    draft.refuse(`${path}/index`, message);
    return;
  }
  draft.changedFields.add("indexes");
  draft.indexes = draft.indexes.filter((candidate) => candidate !== known);
  const name = quoteQualified(draft.schema, index);
  draft.addStep({
    compile: (table) =>
      table === trialTable
        ? `drop index if exists pg_temp.${quoteIdentifier(index)}`
        : `drop index ${name}`,
    path,
    refusal: "The database does not let this index go",
  });
}

/** Refuses a name that an index, or a key with its index, cannot have. */
export async function requireFreeIndexName(
  draft: AlterationDraft,
  name: string,
  path: string,
): Promise<void> {
  const free =
    !draft.hasConstraint(name) && (await isFreeByNow(draft, "INDEX", draft.schema, name));
  if (!free) draft.refuse(path, "This schema already has something of this name", "CONFLICT");
}
