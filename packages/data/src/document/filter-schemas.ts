import {
  type ConditionOperator,
  conditionOperators,
  dateParts,
  isComparable,
  isRange,
  isTemporal,
  isTextual,
  searchModes,
  writeName,
} from "@rowhouse/access";
import type { ColumnType } from "@rowhouse/db";
import type { Visible } from "../authorize/visible.ts";
import { type Json, objectOf, refTo } from "./column-schema.ts";

/** Classes of columns that accept the same operators. */
const classes = {
  Text: ["COMPARABLE", "ANY", "TEXT", "SEARCHABLE"],
  Value: ["COMPARABLE", "ANY"],
  Date: ["COMPARABLE", "ANY"],
  Range: ["COMPARABLE", "ANY", "RANGE"],
  Array: ["COMPARABLE", "ANY", "ARRAY"],
  Document: ["COMPARABLE", "ANY", "JSON"],
  RawDocument: ["ANY", "JSON"],
  SearchText: ["COMPARABLE", "ANY", "SEARCHABLE"],
  Opaque: ["ANY"],
} as const;

type ConditionClass = keyof typeof classes;

function classOf(type: ColumnType): ConditionClass {
  if (isTextual(type)) return "Text";
  if (type.array) return "Array";
  if (type.base === "jsonb") return "Document";
  if (type.base === "json") return "RawDocument";
  if (type.base === "tsvector") return "SearchText";
  if (isTemporal(type)) return "Date";
  if (isRange(type)) return "Range";
  return isComparable(type) ? "Value" : "Opaque";
}

const scalar: Json = { type: ["string", "number", "boolean"] };
/** A value of an array column, as a list or in PostgreSQL's text form. */
const arrayOrText: Json = {
  type: ["array", "string"],
  items: { type: ["string", "number", "boolean", "null", "array"] },
};

/** Words, or words with options. */
const searched: Json = {
  anyOf: [
    scalar,
    objectOf(
      {
        text: scalar,
        config: { type: "string", description: "The name of a text search configuration" },
        mode: { type: "string", enum: [...searchModes] },
      },
      ["text"],
    ),
  ],
};

function operandOf(operator: ConditionOperator, value: Json): Json {
  if (operator === "_search") return searched;
  switch (conditionOperators[operator].operands) {
    case "ONE":
      return value;
    case "TWO":
      return { type: "array", items: value, minItems: 2, maxItems: 2 };
    case "LIST":
      return { type: "array", items: value };
    case "BOOLEAN":
      return { type: "boolean" };
    case "JSON":
      return {};
  }
}

/** Builds the schema of a condition for each class of columns, from the operators of docs/data-api.md. */
export function conditionSchemas(): Record<string, Json> {
  const operators = Object.keys(conditionOperators) as ConditionOperator[];
  return Object.fromEntries(
    (Object.keys(classes) as ConditionClass[]).map((name) => {
      const targets: readonly string[] = classes[name];
      const properties: Record<string, Json> = {};
      for (const operator of operators) {
        const { target } = conditionOperators[operator];
        if (!targets.includes(target)) continue;
        const isOfArrays = name === "Array" && target === "COMPARABLE";
        properties[operator] = operandOf(operator, isOfArrays ? arrayOrText : scalar);
      }
      if (name.endsWith("Document")) {
        properties._path = {
          type: "object",
          description: 'Conditions on the value at a path, as in `fields`: `a.b`, `"a.b".c`',
          additionalProperties: refTo("schemas", "Condition.Text"),
        };
      }
      if (name === "Range") {
        const condition = refTo("schemas", "Condition.Value");
        Object.assign(properties, { _lower: condition, _upper: condition });
      }
      if (name === "Date") {
        const condition = refTo("schemas", "Condition.Value");
        properties._part = {
          ...objectOf(Object.fromEntries(dateParts.map((part) => [part, condition]))),
          description:
            "Conditions on a number that the date has in the caller's time zone: `weekday` from 1, Monday, to 7; `week` of ISO 8601",
        };
      }
      return [`Condition.${name}`, objectOf(properties)];
    }),
  );
}

/** A relation whose target the reader may see. */
export interface DocumentedEdge {
  readonly name: string;
  readonly kind: "ONE" | "MANY";
  /** The target's component name. */
  readonly target: string;
}

/**
 * Builds the filter of a relation: its fields and relations. A value may also be a variable (`$USER.id`, `$NOW`,
 * `$PERIOD.today`, `$FIELD.ended_at`), and a member name may be a path (`driver.name`).
 */
export function filterSchema(
  visible: Visible,
  edges: readonly DocumentedEdge[],
  own: string,
): Json {
  const properties: Record<string, Json> = {};
  for (const { column } of visible.fields) {
    properties[writeName(column.name)] = refTo("schemas", `Condition.${classOf(column.type)}`);
  }
  for (const { name, kind, target } of edges) {
    const inner = refTo("schemas", `${target}.Filter`);
    const count = {
      type: "object",
      properties: { _where: inner },
      additionalProperties: {},
      description: "Operators on the number of rows; `_where` selects those that count",
    };
    const related =
      kind === "ONE"
        ? inner
        : {
            anyOf: [objectOf({ _some: inner, _none: inner, _every: inner, _count: count }), inner],
          };
    const field = properties[writeName(name)];
    properties[writeName(name)] = field === undefined ? related : { anyOf: [field, related] };
  }
  const self = refTo("schemas", `${own}.Filter`);
  return {
    ...objectOf({
      ...properties,
      _and: { type: "array", items: self },
      _or: { type: "array", items: self },
      _not: self,
    }),
    description:
      "Fields with their conditions, which must all hold; a path (`driver.name`) counts as a field",
  };
}
