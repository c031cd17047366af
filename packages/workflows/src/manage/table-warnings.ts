import type { Catalogue, Column, Relation } from "@rowhouse/db";
import { createFault, escapePointer, type Fault } from "@rowhouse/errors";
import { isJsonObject, type JsonObject } from "../base/json.ts";
import type { Definition, Step } from "../definition/definition.ts";
import { walkSteps } from "../definition/parse-definition.ts";

type RowStep = Extract<Step, { table: string }>;
type Warn = (pointer: readonly (string | number)[], message: string) => void;

/** A term that this check understands: a name, or a path that begins with one. Others are left to the run. */
const plainTerm = /^-?([A-Za-z_][A-Za-z0-9_$]*)(?=[.:]|$)/;

/** Returns the tables and columns that row steps name and that do not exist, with pointers into the definition. */
export function findTableWarnings(catalogue: Catalogue, { steps }: Definition): Fault[] {
  const warnings: Fault[] = [];
  for (const { step, pointer } of walkSteps(steps)) {
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
  text: string,
  field: string,
  warn: Warn,
): void {
  for (const term of text.split(",")) {
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
