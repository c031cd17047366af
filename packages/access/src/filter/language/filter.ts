import type { DatePart } from "./date-part.ts";
import type { ConditionOperator, Quantifier } from "./operator.ts";
import type { Period } from "./period.ts";
import type { Search } from "./search.ts";
import { joinPaths } from "./written-name.ts";

/**
 * The filter language of callers (`where`) and administrators (`rowFilter`, `check`). The tree refers to slots instead
 * of literals, so the tree alone is the shape of a statement, and repeated requests only bind other values.
 *
 * A parsed filter has names: `Field` and `Relation` are texts. `resolveFilter` replaces them by what they mean.
 */
export type Filter<Field = string, Relation = string> =
  | { readonly kind: "AND" | "OR"; readonly filters: readonly Filter<Field, Relation>[] }
  | { readonly kind: "NOT"; readonly filter: Filter<Field, Relation> }
  | Quantified<Field, Relation>
  | Counted<Field, Relation>
  | Condition<Field>;

/** A condition on the rows of a to-many relation. */
export interface Quantified<Field = string, Relation = string> {
  readonly kind: "QUANTIFIED";
  /** The relation; in a parsed filter a name or a path. Cursors depend on the names of these properties. */
  readonly field: Relation;
  readonly quantifier: Quantifier;
  readonly filter: Filter<Field, Relation>;
  /** Location in the input: `where[trips][_some]`. */
  readonly path: string;
}

/** A condition on the number of rows of a to-many relation. */
export interface Counted<Field = string, Relation = string> {
  readonly kind: "COUNTED";
  /** The relation; in a parsed filter a name or a path. */
  readonly field: Relation;
  readonly operator: ConditionOperator;
  readonly operands: readonly Exclude<Operand<Field>, { readonly kind: "FIELD" }>[];
  /** Which related rows count. */
  readonly filter: Filter<Field, Relation>;
  /** Location in the input: `where[trips][_count][_gte]`. */
  readonly path: string;
}

export interface Condition<Field = string> {
  readonly kind: "CONDITION";
  /** In a parsed filter as written: a name or a path. Only a catalogue can distinguish them. */
  readonly field: Field;
  readonly operator: ConditionOperator;
  readonly operands: readonly Operand<Field>[];
  /** Location in the input: `where[plate][_eq]`. */
  readonly path: string;
  /** The part of the value to compare, instead of the whole. */
  readonly inside?: InsideDocument | InsideDate | InsideRange;
  /** The options of `_search`; without them, words as a web search writes them. */
  readonly search?: Search;
}

/** The value at a path of a JSON document, as JSON, as a number, or as text. */
export interface InsideDocument {
  readonly path: readonly string[];
  readonly as: "JSON" | "NUMBER" | "TEXT";
}

/** A number that a date has in its calendar. */
export interface InsideDate {
  readonly part: DatePart;
}

/** A bound of a range; null if it has none. */
export interface InsideRange {
  readonly bound: "lower" | "upper";
}

export type Operand<Field = string> =
  /** @param array whether the value is written as a list, which only an array column has */
  | { readonly kind: "SLOT"; readonly slot: number; readonly array?: true }
  /** All values of a list in one slot, so that the list's length does not change the shape. */
  | { readonly kind: "LIST"; readonly slot: number; readonly array?: true }
  | { readonly kind: "VARIABLE"; readonly variable: Variable }
  /** Another field; its path starts where the path of the condition's own field does. */
  | { readonly kind: "FIELD"; readonly field: Field };

/** A variable in the place of a literal. */
export type Variable =
  | { readonly kind: "USER"; readonly column: string }
  | { readonly kind: "NOW" }
  | { readonly kind: "PERIOD"; readonly period: Period };

/** A literal as text that PostgreSQL can parse. */
export type SlotValue = string | readonly string[];

export interface Slot {
  readonly value: SlotValue;
  /** Whether the list was written with commas, which the text of an array contains as well. */
  readonly commas?: true;
  /** Location of the literal in the input: `where[plate][_eq]`, or `/data/rowFilter/plate/_eq`. */
  readonly path: string;
}

/** A filter with its literals. */
export interface ParsedFilter {
  readonly filter: Filter;
  readonly slots: readonly Slot[];
}

/** Returns the location of the field of a condition, or of its relation: `where[plate]` for `where[plate][_eq]`. */
export function fieldLocation(condition: Condition | Quantified | Counted): string {
  const { path } = condition;
  const at = path.lastIndexOf(`${path.startsWith("/") ? "/" : "["}${firstKeyOf(condition)}`);
  return at < 0 ? path : path.slice(0, at);
}

/** Returns the key that follows the field. */
function firstKeyOf(condition: Condition | Quantified | Counted): string {
  if (condition.kind === "QUANTIFIED") return condition.quantifier;
  if (condition.kind === "COUNTED") return "_count";
  const { inside, operator } = condition;
  if (inside === undefined) return operator;
  return "path" in inside ? "_path" : "part" in inside ? "_part" : `_${inside.bound}`;
}

/** Replaces the fields of a condition: its own, and those that it is compared with. */
export function mapFields<From, To>(
  condition: Condition<From>,
  map: (field: From) => To,
  mapCompared: (field: From) => To = map,
): Condition<To> {
  return {
    ...condition,
    field: map(condition.field),
    operands: condition.operands.map((operand) =>
      operand.kind === "FIELD" ? { kind: "FIELD", field: mapCompared(operand.field) } : operand,
    ),
  };
}

/** Lists the conditions of a filter in order, each with its field as a path from the filter's own relation. */
export function* conditionsOf(filter: Filter): Generator<Condition> {
  switch (filter.kind) {
    case "AND":
    case "OR":
      for (const inner of filter.filters) yield* conditionsOf(inner);
      return;
    case "NOT":
      yield* conditionsOf(filter.filter);
      return;
    case "QUANTIFIED":
    case "COUNTED":
      for (const inner of conditionsOf(filter.filter)) {
        yield mapFields(inner, (field) => joinPaths(filter.field, field));
      }
      return;
    case "CONDITION":
      yield filter;
      return;
    default:
      filter satisfies never;
  }
}

/** Lists the quantifiers and counts of a filter, each with its relation as a path from the filter's own relation. */
export function* relationsOf(filter: Filter): Generator<Quantified | Counted> {
  switch (filter.kind) {
    case "AND":
    case "OR":
      for (const inner of filter.filters) yield* relationsOf(inner);
      return;
    case "NOT":
      yield* relationsOf(filter.filter);
      return;
    case "QUANTIFIED":
    case "COUNTED":
      yield filter;
      for (const inner of relationsOf(filter.filter)) {
        yield { ...inner, field: joinPaths(filter.field, inner.field) };
      }
      return;
    case "CONDITION":
      return;
    default:
      filter satisfies never;
  }
}
