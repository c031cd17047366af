import { splitTerms } from "@rowhouse/access";
import type { Catalogue, Column, Method, Relation } from "@rowhouse/db";
import { createFault, escapePointer, type Fault } from "@rowhouse/errors";
import { isJsonObject, type JsonObject } from "../base/json.ts";
import { walkEnabledSteps } from "../compile/parse-definition.ts";
import type { Definition, Step } from "../definition/definition.ts";

type Action = "READ" | "CREATE" | "UPDATE" | "DELETE";

/** What a user may do with the rows of a relation. */
export interface TableRight {
  readonly action: Action;
  readonly isGranted: boolean;
  /** The fields that the action covers. */
  readonly fields: readonly { readonly name: string }[];
}

export type RightsOnTable = (relation: Relation) => readonly TableRight[];

/** What a step needs: the relation, the action, and the fields that it writes. */
interface Need {
  readonly schema: string;
  readonly table: string;
  readonly action: Action;
  /** The position of the table in the step. */
  readonly pointer: readonly string[];
  readonly written: readonly string[];
}

const methods: Readonly<Record<Action, Method>> = {
  READ: "GET",
  CREATE: "POST",
  UPDATE: "PATCH",
  DELETE: "DELETE",
};
const rowActions = {
  listRows: "READ",
  getRow: "READ",
  createRow: "CREATE",
  updateRows: "UPDATE",
  deleteRows: "DELETE",
} as const;

/**
 * Returns the steps that would find no table, because it is not exposed, or whose user lacks a permission, with pointers
 * into the definition.
 *
 * @param rightsOn the rights of the user that runs execute as; undefined if it is not known
 */
export function findRightWarnings(
  catalogue: Catalogue,
  { steps }: Definition,
  rightsOn: RightsOnTable | undefined,
): Fault[] {
  const known = new Map<number, readonly TableRight[] | undefined>();
  const rightsOf = (relation: Relation) => {
    if (!known.has(relation.oid)) known.set(relation.oid, rightsOn?.(relation));
    return known.get(relation.oid);
  };
  const warnings: Fault[] = [];
  for (const { step, pointer } of walkEnabledSteps(steps)) {
    const need = needOf(step);
    const relation = need && catalogue.relationByName(need.schema, need.table);
    if (need === undefined || relation === undefined) continue;
    const warn = (inner: readonly string[], message: string) => {
      const path = [...pointer, ...inner].map((key) => `/${escapePointer(key)}`).join("");
      warnings.push(createFault("WORKFLOW_INVALID", { path, message }));
    };
    const method = methods[need.action];
    if (!relation.resource.exposedMethods.includes(method)) {
      warn(need.pointer, `The resource ${need.schema}.${need.table} does not expose ${method}`);
      continue;
    }
    const right = rightsOf(relation)?.find(({ action }) => action === need.action);
    if (right === undefined) continue;
    if (!right.isGranted) {
      const table = `${need.schema}.${need.table}`;
      warn(need.pointer, `The user of the runs has no permission ${need.action} on ${table}`);
      continue;
    }
    const covered = new Set(right.fields.map(({ name }) => name));
    for (const name of need.written) {
      if (relation.columnByName(name) === undefined || covered.has(name)) continue;
      warn(["values", name], `The user of the runs may not set the column ${name}`);
    }
  }
  return warnings;
}

function needOf(step: Step): Need | undefined {
  switch (step.kind) {
    case "listRows":
    case "getRow":
    case "createRow":
    case "updateRows":
    case "deleteRows": {
      const { schema, table, kind } = step;
      const written = "values" in step ? Object.keys(step.values) : [];
      return { schema, table, action: rowActions[kind], pointer: ["table"], written };
    }
    case "readFile":
      return needOfFiles("READ");
    case "storeFile":
    case "renderDocument":
      return needOfFiles("CREATE");
    default:
      return undefined;
  }
}

function needOfFiles(action: Action): Need {
  return { schema: "system", table: "files", action, pointer: [], written: [] };
}

type RowStep = Extract<Step, { table: string }>;
type Warn = (pointer: readonly (string | number)[], message: string) => void;

/** A term that this check understands: a name, or a path that begins with one. Others are left to the run. */
const plainTerm = /^-?([A-Za-z_][A-Za-z0-9_$]*)(?=[.:]|$)/;

/** Returns the tables and columns that row steps name and that do not exist, with pointers into the definition. */
export function findTableWarnings(catalogue: Catalogue, { steps }: Definition): Fault[] {
  const warnings: Fault[] = [];
  for (const { step, pointer } of walkEnabledSteps(steps)) {
    if (!("table" in step)) continue;
    const warn: Warn = (inner, message) => {
      const path = [...pointer, ...inner].map((key) => `/${escapePointer(key)}`).join("");
      warnings.push(createFault("WORKFLOW_INVALID", { path, message }));
    };
    const relation = catalogue.relationByName(step.schema, step.table);
    if (relation === undefined) warn(["table"], `There is no table ${step.schema}.${step.table}`);
    else checkStep(catalogue, relation, step, warn);
  }
  return warnings;
}

function checkStep(catalogue: Catalogue, relation: Relation, step: RowStep, warn: Warn): void {
  if (step.kind !== "listRows" && relation.resource.kind === "VIEW") {
    warn(["table"], "Of a view, a step can only list the rows");
    return;
  }
  if ("values" in step) checkValues(relation, step.values, warn);
  if (step.kind === "createRow") checkRequired(relation, step.values, warn);
  if ("fields" in step && step.fields !== undefined) {
    checkTerms(catalogue, relation, step.fields, "fields", warn);
  }
  if ("orderBy" in step && step.orderBy !== undefined) {
    checkTerms(catalogue, relation, step.orderBy, "orderBy", warn);
  }
  if ("where" in step && step.where !== undefined) {
    checkFilter(catalogue, relation, step.where, ["where"], warn);
  }
  if ("key" in step && step.key !== undefined) checkKey(relation, step.key, warn);
}

function checkValues(relation: Relation, values: JsonObject, warn: Warn): void {
  for (const name of Object.keys(values)) {
    const column = relation.columnByName(name);
    if (column === undefined) warn(["values", name], `The table has no column ${name}`);
    else if (isComputed(column)) warn(["values", name], `The column ${name} accepts no value`);
  }
}

function isComputed({ generated, identity }: Column): boolean {
  return generated || identity === "ALWAYS";
}

function checkRequired(relation: Relation, values: JsonObject, warn: Warn): void {
  const isMissing = (column: Column) =>
    !column.nullable &&
    !column.hasDefault &&
    column.identity === null &&
    !column.generated &&
    !Object.hasOwn(values, column.name);
  const missing = relation.columns.filter(isMissing).map(({ name }) => name);
  if (missing.length > 0) {
    warn(["values"], `The table requires values that a permission may set: ${missing.join(", ")}`);
  }
}

function checkTerms(
  catalogue: Catalogue,
  relation: Relation,
  terms: string | readonly string[],
  field: string,
  warn: Warn,
): void {
  for (const term of splitTerms(terms)) {
    const [, name] = plainTerm.exec(term.trim()) ?? [];
    // The rank of a search is not a column.
    if (field === "orderBy" && name === "_rank") continue;
    if (name !== undefined && !hasName(catalogue, relation, name)) {
      warn([field], `The table has no column ${name}`);
    }
  }
}

function checkFilter(
  catalogue: Catalogue,
  relation: Relation,
  filter: JsonObject,
  pointer: readonly (string | number)[],
  warn: Warn,
): void {
  for (const [key, value] of Object.entries(filter)) {
    const inner = [...pointer, key];
    if (key === "_and" || key === "_or") {
      for (const [index, part] of (Array.isArray(value) ? value : []).entries()) {
        if (isJsonObject(part)) checkFilter(catalogue, relation, part, [...inner, index], warn);
      }
    } else if (key === "_not") {
      if (isJsonObject(value)) checkFilter(catalogue, relation, value, inner, warn);
    } else {
      const [, name] = plainTerm.exec(key) ?? [];
      if (name !== undefined && !hasName(catalogue, relation, name)) {
        warn(inner, `The table has no column ${name}`);
      }
    }
  }
}

/** Whether a path may begin with this name: a column, a relation, or a column whose own name contains dots. */
function hasName(catalogue: Catalogue, relation: Relation, name: string): boolean {
  const { byName, ambiguous } = catalogue.edgesOf(relation);
  return (
    relation.columnByName(name) !== undefined ||
    byName.has(name) ||
    ambiguous.has(name) ||
    relation.columns.some((column) => column.name.startsWith(`${name}.`))
  );
}

function checkKey(relation: Relation, key: unknown, warn: Warn): void {
  const expected = relation.primaryKey.length;
  const given = Array.isArray(key) ? key.length : 1;
  if (expected === 0) warn(["key"], "The table has no primary key");
  else if (given !== expected && !(given === 1 && typeof key === "string")) {
    warn(
      ["key"],
      `The key of the table has ${expected} columns: ${relation.primaryKey.join(", ")}`,
    );
  }
}
