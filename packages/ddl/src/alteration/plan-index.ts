import { quoteIdentifier, quoteQualified } from "@rowhouse/db";
import { parseColumnExpression } from "../column-expression.ts";
import type { TableChangeOf } from "./definition.ts";
import type { AlterationDraft } from "./draft.ts";
import { isFreeByNow } from "./free-name.ts";
import { trialTable } from "./trial.ts";

/** Adds an index on columns and expressions, with a condition for a partial index. */
export async function planAddIndex(
  draft: AlterationDraft,
  change: TableChangeOf<"addIndex">,
  path: string,
): Promise<void> {
  const { name, unique = false, method = "btree", where } = change;
  if (name !== undefined) await requireFreeIndexName(draft, name, `${path}/name`);
  if (unique && method !== "btree") {
    draft.refuse(`${path}/unique`, "Only a btree index can be unique", "BODY_INVALID");
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
      "The database does not accept this index: its expressions must be immutable and fit the method",
    counts: unique ? [draft.countTwins(path, values, conditions)] : [],
  });
  draft.notes.add(
    "The index is created in the transaction of the change, which blocks writes to the table. CREATE INDEX CONCURRENTLY allows writes but cannot run in a transaction; for a large table with frequent writes, let a database administrator run it.",
  );
}

/** Drops an index that no constraint requires. */
export async function planDropIndex(
  draft: AlterationDraft,
  { index }: TableChangeOf<"dropIndex">,
  path: string,
): Promise<void> {
  const known = draft.indexes.find((candidate) => candidate.name === index);
  if (known === undefined) {
    const isKey = draft.keys.some((key) => key.name === index);
    const message = isKey
      ? "This index belongs to a constraint; drop the constraint instead"
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
    refusal: "The database does not allow dropping this index",
  });
}

/** Refuses a name that is not free for an index, or for a key with its index. */
export async function requireFreeIndexName(
  draft: AlterationDraft,
  name: string,
  path: string,
): Promise<void> {
  const free =
    !draft.hasConstraint(name) && (await isFreeByNow(draft, "INDEX", draft.schema, name));
  if (!free)
    draft.refuse(path, "This schema already contains an object with this name", "CONFLICT");
}
