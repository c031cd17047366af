import { checkMessagePrefix, quoteIdentifier, quoteLiteral } from "@rowhouse/db";
import { compileColumn } from "../compile-create-table.ts";
import type { GuardedColumn } from "../guarded-table.ts";
import { contradictions, guardColumn } from "../parse-definition.ts";
import type { TableChangeOf } from "./definition.ts";
import type { AlterationDraft } from "./draft.ts";
import { planRelationGrants, planTakenName } from "./plan-dependents.ts";
import { addForeignKeyStep } from "./plan-foreign-key.ts";
import { planStoredUses } from "./stored-uses.ts";
import { type NormalColumn, normalizeColumn } from "./trial.ts";

/** Adds a column with its check, foreign key and comment. */
export async function planAddColumn(
  draft: AlterationDraft,
  change: TableChangeOf<"addColumn">,
  path: string,
): Promise<void> {
  const { kind, comment, ...definition } = change;
  if (draft.columns.some((column) => column.name === change.name)) {
    draft.refuse(`${path}/name`, "The table already has a column with this name", "CONFLICT");
    return;
  }
  draft.changedFields.add(`columns.${change.name}`);
  await planTakenName(draft, change.name, path);
  const faultsBefore = draft.faults.length;
  draft.faults.push(...contradictions(definition, path));
  const names = new Set([...draft.columnNames(), change.name]);
  const column = await guardColumn(definition, path, names, draft.faults);
  const fits =
    draft.faults.length === faultsBefore && (await draft.hasTypes(column.typeReferences));
  const normalized = fits
    ? await requireColumn(draft, column.dataType, column.default, path)
    : undefined;
  const nullable = column.nullable && column.identity === null;
  if (normalized !== undefined) addToRows(draft, column);
  // Add the column to the draft even if it is refused, so that later changes of it do not repeat the fault.
  draft.columns.push({
    name: column.name,
    attributeNumber: null,
    dataType: normalized?.dataType ?? column.dataType,
    nullable,
    default: normalized?.default ?? null,
    identity: column.identity,
    generatedAs: column.generated,
    comment: comment ?? null,
  });
  if (normalized === undefined) return;
  const name = quoteIdentifier(column.name);
  draft.addStep({
    compile: (table) => `alter table ${table} add column ${compileColumn(column)}`,
    path,
    refusal: "The database does not accept this column",
    counts: nullable
      ? []
      : [
          draft.countRows(
            path,
            "REQUIRED_FIELD",
            "Existing rows have no value for the new column: give it a default or make it nullable",
            `${name} is null`,
          ),
        ],
  });
  if (column.check !== null) {
    addCheckSteps(draft, {
      name: draft.nameConstraint(column.name, "check"),
      columns: [column.name],
      check: column.check,
      message: column.checkMessage,
      path: `${path}/check`,
      messagePath: `${path}/checkMessage`,
    });
  }
  if (column.foreignKey !== null) {
    const { schema, table, column: target, onDelete } = column.foreignKey;
    const key = {
      name: draft.nameConstraint(column.name, "fkey"),
      columns: [column.name],
      schema,
      table,
      targetColumns: [target],
      onDelete,
    };
    const at = `${path}/foreignKey`;
    await addForeignKeyStep(draft, key, at, `${at}/targetTable`, `${at}/targetColumn`);
  }
  if (comment != null) addCommentStep(draft, column.name, comment, `${path}/comment`);
}

/**
 * Returns a type and a default in the form in which Postgres shows them; records a fault if a column cannot have them.
 */
export async function requireColumn(
  draft: AlterationDraft,
  dataType: string,
  defaultExpression: string | null,
  path: string,
): Promise<NormalColumn | undefined> {
  const both = await normalizeColumn(draft.transaction, dataType, defaultExpression);
  if (both !== undefined) return both;
  const alone =
    defaultExpression === null
      ? undefined
      : await normalizeColumn(draft.transaction, dataType, null);
  if (alone === undefined) draft.refuse(`${path}/dataType`, "A column cannot have this type");
  else draft.refuse(`${path}/default`, "The default does not fit the column's type");
  return undefined;
}

function addToRows(draft: AlterationDraft, column: GuardedColumn): void {
  const value =
    column.identity === null
      ? `(${column.generated ?? column.default ?? "null"})`
      : "row_number() over ()";
  const name = quoteIdentifier(column.name);
  draft.rows = `select t.*, ${value}::${column.dataType} as ${name} from (${draft.rows}) as t`;
}

/** Adds a check of the table, and its message. */
export function addCheckSteps(
  draft: AlterationDraft,
  check: {
    readonly name: string;
    readonly columns: readonly string[];
    readonly check: string;
    readonly message: string | null;
    readonly path: string;
    readonly messagePath: string;
  },
): void {
  const { name, columns, message, path } = check;
  draft.checks.push({ name, columns, message });
  draft.addStep({
    compile: (table) =>
      `alter table ${table} add constraint ${quoteIdentifier(name)} check (${check.check})`,
    path,
    work: "SCAN",
    refusal: "The check does not fit the types of its columns",
    code: "EXPRESSION_INVALID",
    counts: [
      draft.countRows(
        path,
        "CHECK_VIOLATION",
        "Rows would fail this check",
        `not (${check.check})`,
      ),
    ],
  });
  if (message !== null) addMessageStep(draft, name, message, check.messagePath);
}

/** Sets the message that callers receive when a check fails. */
export function addMessageStep(
  draft: AlterationDraft,
  constraint: string,
  message: string | null,
  path: string,
): void {
  const comment = message === null ? "null" : quoteLiteral(checkMessagePrefix + message);
  draft.addStep({
    compile: (table) =>
      `comment on constraint ${quoteIdentifier(constraint)} on ${table} is ${comment}`,
    path,
    lock: "SHARE UPDATE EXCLUSIVE",
    refusal: "The database does not accept this message",
  });
}

/** Sets or removes the comment of a column. */
export function addCommentStep(
  draft: AlterationDraft,
  column: string,
  comment: string | null,
  path: string,
): void {
  const text = comment === null ? "null" : quoteLiteral(comment);
  draft.addStep({
    compile: (table) => `comment on column ${table}.${quoteIdentifier(column)} is ${text}`,
    path,
    lock: "SHARE UPDATE EXCLUSIVE",
    refusal: "The database does not accept this comment",
  });
}

/** Renames a column. Grants, views and constraints refer to it by number, so they follow. */
export async function planRenameColumn(
  draft: AlterationDraft,
  change: TableChangeOf<"renameColumn">,
  path: string,
): Promise<void> {
  const column = draft.findColumn(change.column, `${path}/column`);
  if (column === undefined || change.name === change.column) return;
  draft.faults.push(
    ...contradictions({ name: change.name, dataType: "" }, path).filter(
      (fault) => fault.path === `${path}/name`,
    ),
  );
  if (draft.columns.some((other) => other.name === change.name)) {
    draft.refuse(`${path}/name`, "The table already has a column with this name", "CONFLICT");
    return;
  }
  draft.changedFields.add(`columns.${change.column}`);
  draft.addStep({
    compile: (table) =>
      `alter table ${table} rename column ${quoteIdentifier(change.column)} to ${quoteIdentifier(change.name)}`,
    path,
    refusal: "The database does not accept this name",
  });
  draft.mapRows(change.column, quoteIdentifier(change.column), change.name);
  draft.renameColumn(change.column, change.name);
  draft.notes.add(
    "Grants, views and constraints follow a renamed column; change the requests that name it.",
  );
  await planTakenName(draft, change.name, path, change.column);
  await planRelationGrants(draft, path);
  const { attributeNumber } = column;
  if (attributeNumber === null) return;
  const part = { kind: "COLUMN", attributeNumber, name: change.column } as const;
  await planStoredUses(draft, part, "RENAME", path);
}
