import { splitTerms } from "@rowhouse/access";
import type { Catalogue, ColumnType, Relation } from "@rowhouse/db";
import { isJsonObject } from "../base/json.ts";
import type { DraftStep } from "./draft-steps.ts";
import { type ExpressionScope, renderedShape } from "./expression-shape.ts";
import { anyShape, listShape, objectShape, plainShape, type Shape } from "./shape.ts";

const text = plainShape("string");
const number = plainShape("number");
const errorShape = objectShape([
  ["code", text],
  ["message", text],
  ["step", text],
]);

/** Returns the shape of a step's output, as far as the definition determines it. */
export function outputShape(
  catalogue: Catalogue,
  { kind, fields, branches }: DraftStep,
  scope: ExpressionScope,
): Shape {
  if (fields.disabled === true) return plainShape("null");
  const row = () => rowShape(catalogue, fields.schema, fields.table, fields.fields);
  switch (kind) {
    case "createRow":
    case "getRow":
      return row();
    case "listRows":
      return listShape(row());
    case "updateRows":
      return fields.key === undefined ? listShape(row()) : row();
    case "deleteRows":
      return number;
    case "httpRequest":
      return objectShape([
        ["status", number],
        ["headers", plainShape("object")],
        ["body", anyShape],
      ]);
    case "sendEmail":
      return objectShape([["to", listShape(text)]]);
    case "readFile":
      return objectShape([
        ["id", text],
        ["name", text],
        ["mediaType", text],
        ["bytes", number],
        ["content", fields.as === "json" ? anyShape : text],
      ]);
    case "storeFile":
    case "renderDocument":
      return rowShape(catalogue, "system", "files");
    case "runWorkflow":
      return fields.wait === false ? objectShape([["run", text]]) : anyShape;
    case "setValues":
      return renderedShape(fields.values ?? {}, scope);
    case "delay":
      return plainShape("null");
    case "condition":
      return plainShape("boolean");
    case "switch":
      return renderedShape(fields.value ?? null, scope);
    case "forEach": {
      const last = branches
        .find(({ isHandler }) => !isHandler)
        ?.steps.findLast((step) => step.fields.disabled !== true);
      return listShape(last === undefined ? anyShape : outputShape(catalogue, last, scope));
    }
    default:
      return anyShape;
  }
}

/** Returns the shape of `start.data`, as far as the trigger determines it. */
export function startShape(catalogue: Catalogue, definition: unknown): Shape {
  const trigger = isJsonObject(definition) ? definition.trigger : undefined;
  const data = isJsonObject(trigger) ? triggerShape(catalogue, trigger) : anyShape;
  return objectShape([["data", data]]);
}

function triggerShape(catalogue: Catalogue, trigger: Readonly<Record<string, unknown>>): Shape {
  switch (trigger.kind) {
    case "webhook":
      return objectShape([
        ["query", plainShape("object")],
        ["body", anyShape],
        [
          "meta",
          objectShape([
            ["ip", text],
            ["headers", plainShape("object")],
          ]),
        ],
      ]);
    case "schedule":
      return objectShape([
        ["scheduledAt", text],
        ["firedAt", text],
        ["previous", text],
      ]);
    case "databaseEvent": {
      const row = rowShape(catalogue, trigger.schema, trigger.table);
      return objectShape([
        ["event", { ...text, examples: ["insert", "update", "delete"] }],
        ["schema", text],
        ["table", text],
        ["old", row],
        ["new", row],
        ["changed", listShape(text)],
        ["occurredAt", text],
      ]);
    }
    default:
      return anyShape;
  }
}

/** Returns the shape of `errors.<id>` of the steps whose failure does not end the run. */
export function errorsShape(steps: readonly DraftStep[]): Shape {
  const handled = steps.filter(
    ({ fields }) => fields.onError !== undefined && fields.onError !== "fail",
  );
  return objectShape(handled.map(({ id }) => [id, errorShape]));
}

/** Numbers in responses of the Data API; larger types are texts there. */
const numberTypes: ReadonlySet<string> = new Set([
  "smallint",
  "integer",
  "real",
  "double precision",
]);

/**
 * Returns the shape of a row of a table; `any` for an unknown table.
 *
 * @param fields the fields that are read, separated by commas; undefined for all columns
 */
function rowShape(catalogue: Catalogue, schema: unknown, table: unknown, fields?: unknown): Shape {
  if (typeof table !== "string") return anyShape;
  const relation = catalogue.relationByName(typeof schema === "string" ? schema : "public", table);
  if (relation === undefined) return anyShape;
  const texts: readonly unknown[] = Array.isArray(fields) ? fields : [fields ?? "*"];
  const terms = splitTerms(texts.filter((text) => typeof text === "string"));
  return objectShape(terms.flatMap((term) => propertiesOf(catalogue, relation, term.trim())));
}

function propertiesOf(
  catalogue: Catalogue,
  relation: Relation,
  term: string,
): (readonly [string, Shape])[] {
  if (term === "*") return relation.columns.map(({ name, type }) => [name, columnShape(type)]);
  const column = relation.columnByName(term);
  if (column !== undefined) return [[term, columnShape(column.type)]];
  const [name = ""] = term.split(".");
  const edge = catalogue.edgesOf(relation).byName.get(name);
  if (edge === undefined) return [];
  const columns = edge.target.columns.map(({ name, type }) => [name, columnShape(type)] as const);
  const related = objectShape(columns);
  return [[name, edge.kind === "MANY" ? listShape(related) : related]];
}

function columnShape({ base, kind, array }: ColumnType): Shape {
  const one = scalarShape(base, kind);
  return array ? listShape(one) : one;
}

function scalarShape(base: string, kind: ColumnType["kind"]): Shape {
  if (base === "boolean") return plainShape("boolean");
  if (numberTypes.has(base)) return plainShape("number");
  if (base === "json" || base === "jsonb" || kind === "COMPOSITE") return anyShape;
  return plainShape("string");
}
