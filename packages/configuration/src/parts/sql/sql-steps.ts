import { nestedDatabase } from "@rowhouse/db";
import { rolledBack, stageOf } from "@rowhouse/ddl";
import {
  type Missing,
  noEffects,
  type Step,
  type StepPreview,
  stepOrder,
  type World,
} from "../../model/part.ts";
import { roots, type SqlChange, type SqlUnit } from "./sql-changes.ts";
import { runSqlStatements, sqlStateOf } from "./sql-run.ts";

/** What the steps of all files have in common. */
export interface SqlPlanner {
  /** Whether only a session may apply them. */
  readonly sessionOnly: boolean;
  /** Whether the caller of the plan may run statements; otherwise the plan tries none. */
  readonly mayRun: boolean;
  /** Whether a relation exists: a plan that tried a change of it would lock what others use. */
  readonly isPresent: (schema: string, name: string) => boolean;
  readonly missing: Missing[];
}

export interface SqlFile {
  readonly path: string;
  /** How many partitioned tables are above its table. */
  readonly depth: number;
  /** Whether the file is gone together with the document of its table, view or type. */
  readonly isGone: boolean;
  /** Whether what is in no file was made beside the files. */
  readonly isOptional: boolean;
}

/** Returns the steps of a file, and says what PostgreSQL cannot change. */
export function sqlSteps(
  { path, depth, isGone, isOptional }: SqlFile,
  changes: readonly SqlChange[],
  caller: SqlPlanner,
): Step[] {
  const hasRoot = changes.some(({ before }) => before !== undefined && isRelation(before));
  return changes.flatMap(({ before, after }): Step[] => {
    if (after !== undefined && before === undefined)
      return [createStep(path, after, depth, caller)];
    if (after !== undefined && before !== undefined)
      return replaceSteps(path, before, after, caller);
    if (before === undefined) return [];
    // What belongs to a relation or a type goes with it.
    if ((isGone || hasRoot) && !roots.has(before.object.kind)) return [];
    return dropSteps(path, before, caller, isOptional);
  });
}

function isRelation({ object: { kind } }: SqlUnit): boolean {
  return /^(?:table|(?:materialized )?view|domain|type|sequence)$/.test(kind);
}

function createStep(path: string, after: SqlUnit, depth: number, caller: SqlPlanner): Step {
  const { object, sql } = after;
  const run: Step["run"] = (world) => runSqlStatements(world, [sql], after.position);
  const { schema, name } = object;
  const isAttached = name !== null && stageOf(object) >= 50 && caller.isPresent(schema, name);
  return {
    ...stepOf("sql.create", path, after, caller),
    // A foreign key of a partitioned table takes those that its partitions have.
    order: createOrder(object) - (object.kind === "foreign key" ? depth / 1_000_000 : 0),
    ...(isAttached || !caller.mayRun ? { preview: previewOf([sql], run, caller) } : {}),
    run,
  };
}

function replaceSteps(path: string, before: SqlUnit, after: SqlUnit, caller: SqlPlanner): Step[] {
  const { object, sql } = after;
  const { replacement, key, drop } = object;
  if (replacement === "NEVER") {
    const message =
      "It differs from the one in the database, and PostgreSQL cannot change it; create it anew, or correct the file";
    caller.missing.push({ document: path, subject: key, message });
    return [];
  }
  const again = [...(drop === null ? [] : [before.object.drop ?? drop]), sql];
  const replace = sql.replace(/^create\s+(?!or\s)/i, "CREATE OR REPLACE ");
  const run = async (world: World) => {
    if (replacement === "RUN") return runSqlStatements(world, [sql], after.position);
    if (replacement === "DROP") return runSqlStatements(world, again, after.position);
    try {
      const { database } = world;
      return await database.transaction((transaction) => {
        const inner = nestedDatabase(database, transaction);
        return runSqlStatements({ database: inner }, [replace], after.position);
      });
    } catch (error) {
      // Another result or other names of arguments, which only a new function can have.
      if (sqlStateOf(error) !== "42P13" || object.kind === "view") throw error;
      return runSqlStatements(world, again, after.position);
    }
  };
  const step: Step = {
    ...stepOf("sql.replace", path, after, caller),
    order: createOrder(object),
    values: { before: { sql: `${before.sql}\n` }, after: { sql: `${after.settled ?? sql}\n` } },
    preview: previewOf([sql], run, caller),
    run,
  };
  return [step];
}

function dropSteps(path: string, before: SqlUnit, caller: SqlPlanner, isOptional: boolean): Step[] {
  const { object, sql } = before;
  const { drop, key, kind, isRemark } = object;
  if (drop === null) {
    const message = `The database has it and the file does not: ${sql}; PostgreSQL cannot take it back`;
    if (kind !== "schema") caller.missing.push({ document: path, subject: key, message });
    return [];
  }
  const consent = `drop:${key.slice(0, kind.length).replaceAll(" ", "-")}:${key.slice(kind.length + 1)}`;
  const run = (world: World) => runSqlStatements(world, [drop], undefined);
  const step: Step = {
    ...stepOf("sql.drop", path, before, caller),
    order: dropOrder(before),
    detail: drop,
    values: { before: { sql: `${sql}\n` }, after: null },
    ...(isRemark ? { consent: undefined } : { consent, isOptional }),
    // Steps that drop what uses it were only previewed.
    preview: roots.has(kind)
      ? async () => ({ ...noEffects, sql: [drop] })
      : previewOf([drop], run, caller),
    run,
  };
  return [step];
}

function stepOf(
  kind: "sql.create" | "sql.replace" | "sql.drop",
  path: string,
  unit: SqlUnit,
  caller: SqlPlanner,
): Omit<Step, "order" | "run"> {
  const { object, sql, isDefiner, position } = unit;
  const { key } = object;
  return {
    ...{ kind, document: path, subject: key, detail: sql, position },
    sessionOnly: caller.sessionOnly,
    ...(isDefiner
      ? { consent: `definer:${key.slice(key.indexOf(" ") + 1)}`, notes: [definerNote] }
      : {}),
    isUsedBy: ({ kind: other }) => /^(?:sql|schema|type|table|view)\./.test(other),
  };
}

const definerNote =
  "SECURITY DEFINER: for each caller it runs with the rights of the service's login, which will own it.";

/** Runs a step and undoes it, so that a plan holds no lock of it. */
function previewOf(
  sql: readonly string[],
  run: Step["run"],
  { mayRun }: SqlPlanner,
): (world: World) => Promise<StepPreview> {
  return async (world) => {
    if (!mayRun) {
      const note = "The plan did not try this statement, because only a session may run it.";
      return { ...noEffects, sql, notes: [note] };
    }
    await rolledBack(world.database, (transaction) =>
      run({ ...world, database: nestedDatabase(world.database, transaction) }, () => true),
    );
    return { ...noEffects, sql };
  };
}

function createOrder(object: SqlUnit["object"]): number {
  const stage = stageOf(object);
  const { sql } = stepOrder;
  const fraction = stage / 1000;
  // Each later command of an object that is no relation makes the registry look at all relations.
  const isOfObject = /^comment on (?:function|procedure|aggregate|type|domain)$/.test(object.kind);
  if (stage < 50 || isOfObject) return sql.object + fraction;
  if (stage < 60) return sql.table + fraction;
  if (stage < 65) return sql.part + fraction;
  if (stage < 70) return sql.partition + fraction;
  if (stage < 80) return sql.view + fraction;
  return (stage < 90 ? sql.guard : sql.comment) + fraction;
}

/** The reverse order. */
function dropOrder({ object }: SqlUnit): number {
  const stage = stageOf(object);
  const { sql } = stepOrder;
  const fraction = (100 - stage) / 1000;
  if (stage < 50) return sql.objectDrop + fraction;
  if (object.kind === "table") return sql.tableDrop + fraction;
  if (stage < 70) return sql.partDrop + fraction;
  return (stage < 80 ? sql.viewDrop : sql.guardDrop) + fraction;
}
