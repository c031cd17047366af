import { quoteIdentifier } from "@rowhouse/db";
import { parseColumnExpression } from "../column-expression.ts";
import { quoteList } from "../compile-create-table.ts";
import type { TableChangeOf } from "./definition.ts";
import type { AlterationDraft } from "./draft.ts";
import type { RowCheck } from "./plan.ts";
import { addCheckSteps, addMessageStep } from "./plan-columns.ts";
import { requireFreeIndexName } from "./plan-index.ts";

/** Adds a primary key. Postgres chooses its name, as at the creation of a table. */
export async function planAddPrimaryKey(
  draft: AlterationDraft,
  { columns }: TableChangeOf<"addPrimaryKey">,
  path: string,
): Promise<void> {
  if (draft.keys.some((key) => key.kind === "PRIMARY_KEY")) {
    draft.refuse(path, "The table already has a primary key", "CONFLICT");
    return;
  }
  if (!draft.hasColumns(columns, `${path}/columns`)) return;
  draft.changedFields.add("keys");
  draft.keys.push({ kind: "PRIMARY_KEY", name: "", columns });
  const missing = columns.map((name) => `${quoteIdentifier(name)} is null`).join(" or ");
  draft.addStep({
    compile: (table) => `alter table ${table} add primary key (${quoteList(columns)})`,
    path,
    work: "SCAN",
    refusal: "These columns cannot form a key",
    counts: [
      draft.countRows(path, "REQUIRED_FIELD", "Rows have no value in a key column", missing),
      countTwins(draft, columns, path),
    ],
  });
  for (const column of draft.columns) if (columns.includes(column.name)) column.nullable = false;
}

/** Adds a unique constraint over one or more columns. */
export async function planAddUnique(
  draft: AlterationDraft,
  change: TableChangeOf<"addUnique">,
  path: string,
): Promise<void> {
  const { name, columns, nullsNotDistinct = false } = change;
  if (name !== undefined) await requireFreeIndexName(draft, name, `${path}/name`);
  if (!draft.hasColumns(columns, `${path}/columns`)) return;
  draft.changedFields.add("keys");
  draft.keys.push({ kind: "UNIQUE", name: name ?? "", columns });
  const named = name === undefined ? "" : `constraint ${quoteIdentifier(name)} `;
  const nulls = nullsNotDistinct ? " nulls not distinct" : "";
  draft.addStep({
    compile: (table) => `alter table ${table} add ${named}unique${nulls} (${quoteList(columns)})`,
    path,
    work: "SCAN",
    refusal: "The values of these columns have no equality operator",
    counts: [countTwins(draft, columns, path, nullsNotDistinct)],
  });
}

function countTwins(
  draft: AlterationDraft,
  columns: readonly string[],
  path: string,
  withNulls = false,
): RowCheck {
  const values = columns.map(quoteIdentifier);
  return draft.countTwins(
    path,
    values,
    withNulls ? [] : values.map((value) => `${value} is not null`),
  );
}

/** Adds a check over any columns of the table. */
export async function planAddCheck(
  draft: AlterationDraft,
  change: TableChangeOf<"addCheck">,
  path: string,
): Promise<void> {
  const { name, check, checkMessage } = change;
  if (name !== undefined && draft.hasConstraint(name)) {
    draft.refuse(`${path}/name`, "The table already has a constraint with this name", "CONFLICT");
  }
  const names = new Set(draft.columnNames());
  const parsed = await draft.guard(parseColumnExpression(check, "check", names, `${path}/check`));
  if (parsed === undefined) return;
  draft.changedFields.add("checks");
  addCheckSteps(draft, {
    name: name ?? draft.nameConstraint("", "check"),
    columns: parsed.columns,
    check: parsed.sql,
    message: checkMessage ?? null,
    path: `${path}/check`,
    messagePath: `${path}/checkMessage`,
  });
}

/** Changes the message that callers receive when a check fails. */
export async function planChangeCheck(
  draft: AlterationDraft,
  { constraint, checkMessage }: TableChangeOf<"changeCheck">,
  path: string,
): Promise<void> {
  const check = draft.checks.find((known) => known.name === constraint);
  if (check === undefined) {
    draft.refuse(`${path}/constraint`, "The table has no such check");
    return;
  }
  if (check.message === checkMessage) return;
  draft.changedFields.add("checks");
  draft.checks = draft.checks.map((known) =>
    known === check ? { ...known, message: checkMessage } : known,
  );
  addMessageStep(draft, constraint, checkMessage, `${path}/checkMessage`);
}
