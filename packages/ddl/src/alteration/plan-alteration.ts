import { quoteIdentifier, quoteLiteral, type Transaction } from "@rowhouse/db";
import { createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { attempt } from "../base/attempt.ts";
import { formFaults } from "../parse-definition.ts";
import { schemaExists } from "../require-schema.ts";
import type { TableState } from "../table-state.ts";
import {
  changeSchema,
  type TableChange,
  type TableChangeOf,
  tableAlterationSchema,
} from "./definition.ts";
import { AlterationDraft, type DraftOptions } from "./draft.ts";
import { isFreeByNow } from "./free-name.ts";
import type { AlterationStep } from "./plan.ts";
import { planChangeColumn } from "./plan-change-column.ts";
import { planAddColumn, planRenameColumn } from "./plan-columns.ts";
import {
  planAddCheck,
  planAddPrimaryKey,
  planAddUnique,
  planChangeCheck,
} from "./plan-constraints.ts";
import { planRelationGrants } from "./plan-dependents.ts";
import { planDropColumn, planDropConstraint, planReplaceColumn } from "./plan-drops.ts";
import { planAddForeignKey } from "./plan-foreign-key.ts";
import { planAddIndex, planDropIndex } from "./plan-index.ts";
import { planStoredUses } from "./stored-uses.ts";
import { createTrialTable, readTrialFile } from "./trial.ts";

/** A draft whose changes all passed the guards and lookups and ran on an empty copy of the table. */
export interface AlterationPlan {
  readonly draft: AlterationDraft;
  readonly steps: readonly AlterationStep[];
}

/**
 * Plans an alteration. Only this function builds the statements of an alteration; it executes none of them on the
 * table.
 *
 * @param transaction a transaction that the caller rolls back; it contains the copy of the table
 * @param input the `data` member of the request body
 * @param visit called before each trial of a step, while the copy has the state that the earlier steps produce
 * @throws AppError with every fault at its JSON pointer (`/data/changes/2/check`)
 */
export async function planAlteration(
  transaction: Transaction,
  table: TableState,
  input: unknown,
  visit: (step: AlterationStep) => Promise<void> = async () => {},
  options: DraftOptions = {},
): Promise<AlterationPlan> {
  const draft = await draftAlteration(transaction, table, input, options);
  return { draft, steps: await tryOut(draft, visit) };
}

/**
 * Returns the draft of an alteration whose statements no copy of the table has tried.
 *
 * @throws AppError with every fault that needs no trial
 */
export async function draftAlteration(
  transaction: Transaction,
  table: TableState,
  input: unknown,
  options: DraftOptions = {},
): Promise<AlterationDraft> {
  const parsed = tableAlterationSchema.safeParse(input);
  const draft = new AlterationDraft(transaction, table, options);
  if (!parsed.success) draft.faults.push(...formFaults(parsed.error.issues, "/data"));
  for (const [index, change] of sensibleChanges(input).entries()) {
    if (change !== undefined) await planChange(draft, change, `/data/changes/${index}`);
  }
  throwFaults(draft.faults);
  return draft;
}

/** The well-formed changes of a body that may contain malformed ones. */
function sensibleChanges(input: unknown): (TableChange | undefined)[] {
  const changes =
    typeof input === "object" && input !== null && "changes" in input ? input.changes : undefined;
  if (!Array.isArray(changes) || changes.length > 100) return [];
  return changes.map((change: unknown) => changeSchema.safeParse(change).data);
}

function planChange(draft: AlterationDraft, change: TableChange, path: string): Promise<void> {
  switch (change.kind) {
    case "addColumn":
      return planAddColumn(draft, change, path);
    case "replaceColumn":
      return planReplaceColumn(draft, change, path);
    case "changeColumn":
      return planChangeColumn(draft, change, path);
    case "renameColumn":
      return planRenameColumn(draft, change, path);
    case "dropColumn":
      return planDropColumn(draft, change, path);
    case "addPrimaryKey":
      return planAddPrimaryKey(draft, change, path);
    case "addUnique":
      return planAddUnique(draft, change, path);
    case "addCheck":
      return planAddCheck(draft, change, path);
    case "changeCheck":
      return planChangeCheck(draft, change, path);
    case "addForeignKey":
      return planAddForeignKey(draft, change, path);
    case "dropConstraint":
      return planDropConstraint(draft, change, path);
    case "addIndex":
      return planAddIndex(draft, change, path);
    case "dropIndex":
      return planDropIndex(draft, change, path);
    case "changeComment":
      return planChangeComment(draft, change, path);
    case "rename":
      return planRename(draft, change, path);
    case "move":
      return planMove(draft, change, path);
    default: {
      const never: never = change;
      throw new Error(`unknown change ${JSON.stringify(never)}`);
    }
  }
}

/** Runs the steps on the copy, and marks the steps that rewrite it as rewrites of the table. */
async function tryOut(
  draft: AlterationDraft,
  visit: (step: AlterationStep) => Promise<void>,
): Promise<AlterationStep[]> {
  const { transaction } = draft;
  const needsCopy = draft.steps.some(
    ({ trial, counts }) => trial !== null || counts.some(({ before }) => before.length > 0),
  );
  if (needsCopy) await createTrialTable(transaction, draft.original);
  const faults: Fault[] = [];
  const steps: AlterationStep[] = [];
  for (const step of draft.steps) {
    await visit(step);
    const { trial } = step;
    if (trial === null) {
      steps.push(step);
      continue;
    }
    const fileBefore = await readTrialFile(transaction);
    const failure = await attempt(transaction, async () => {
      await transaction.asService.query(trial.sql);
    });
    if (failure !== undefined) faults.push(trial.refusal);
    const rewrites = (await readTrialFile(transaction)) !== fileBefore;
    steps.push(rewrites ? { ...step, work: "REWRITE" } : step);
  }
  throwFaults(faults);
  return steps;
}

/** The faults of missing confirmations. */
export function findUnconfirmed(draft: AlterationDraft): Fault[] {
  return draft.confirmations
    .filter(({ given }) => !given)
    .map(({ path, confirm }) =>
      createFault("BODY_INVALID", {
        path,
        message: `This change is destructive; confirm with "${confirm}"`,
      }),
    );
}

/** Sets or removes the comment of the table. */
async function planChangeComment(
  draft: AlterationDraft,
  { comment }: TableChangeOf<"changeComment">,
  path: string,
): Promise<void> {
  if (comment === draft.comment) return;
  draft.comment = comment;
  draft.changedFields.add("comment");
  draft.addStep({
    compile: (table) =>
      `comment on table ${table} is ${comment === null ? "null" : quoteLiteral(comment)}`,
    path,
    lock: "SHARE UPDATE EXCLUSIVE",
    refusal: null,
  });
}

/** Renames the table; exposure, grants and views follow. */
async function planRename(
  draft: AlterationDraft,
  { name }: TableChangeOf<"rename">,
  path: string,
): Promise<void> {
  if (name === draft.name) return;
  if (!(await isFreeByNow(draft, "TABLE", draft.schema, name))) {
    draft.refuse(
      `${path}/name`,
      "This schema already contains an object with this name",
      "CONFLICT",
    );
    return;
  }
  draft.changedFields.add("name");
  draft.addStep({
    compile: (table) => `alter table ${table} rename to ${quoteIdentifier(name)}`,
    path,
    refusal: null,
  });
  notePath(draft, draft.schema, name);
  draft.name = name;
  await planRelationGrants(draft, path);
  await planStoredUses(draft, { kind: "TABLE" }, "RENAME", path);
}

/** Moves the table to another schema, with its indexes and its identity's sequence. */
async function planMove(
  draft: AlterationDraft,
  { schema }: TableChangeOf<"move">,
  path: string,
): Promise<void> {
  if (schema === draft.schema) return;
  const at = `${path}/schema`;
  if (!(await schemaExists(draft.transaction, schema))) {
    draft.refuse(at, "This schema does not exist");
    return;
  }
  const indexes = [...draft.indexes, ...draft.keys].map((item) => item.name);
  const free = [
    await isFreeByNow(draft, "TABLE", schema, draft.name),
    ...(await Promise.all(indexes.map((name) => isFreeByNow(draft, "INDEX", schema, name)))),
  ];
  if (free.includes(false)) {
    const message =
      "That schema already contains an object with the name of this table or of one of its indexes";
    draft.refuse(at, message, "CONFLICT");
    return;
  }
  draft.changedFields.add("schema");
  draft.addStep({
    compile: (table) => `alter table ${table} set schema ${quoteIdentifier(schema)}`,
    path,
    refusal: null,
  });
  notePath(draft, schema, draft.name);
  draft.schema = schema;
  await planStoredUses(draft, { kind: "TABLE" }, "RENAME", path);
}

function notePath(draft: AlterationDraft, schema: string, name: string): void {
  const from = `/api/${draft.schema}/table/${draft.name}`;
  draft.notes.add(
    `The table keeps its exposure and grants; its path changes from ${from} to /api/${schema}/table/${name}.`,
  );
}
