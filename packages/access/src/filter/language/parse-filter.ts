import { createFault, type ErrorCode, type Fault, faultsMax, throwFaults } from "@rowhouse/errors";
import { impossibleName, isPossibleName, valueHint, writeExactJson } from "@rowhouse/wire";
import { dateParts, isDatePart } from "./date-part.ts";
import { isNumericValue, jsonValues } from "./document-values.ts";
import type { Condition, Counted, Filter, Operand, ParsedFilter, Slot } from "./filter.ts";
import {
  conditionOperators,
  isConditionOperator,
  isQuantifier,
  orderingOperators,
} from "./operator.ts";
import { isPeriodReading, parseScalar, parseValue, parseVariable } from "./scalar.ts";
import { findTooLong, readSearchOperand, searchForm } from "./search.ts";
import { documentKeysOf, joinPaths, readPath } from "./written-name.ts";

export interface FilterLimits {
  /** Maximum number of conditions and combinations together. */
  readonly nodesMax: number;
  readonly depthMax: number;
  readonly listMax: number;
}

export interface ParseFilterOptions {
  readonly limits: FilterLimits;
  /** Returns the location of a part of the filter, in the syntax of its author. */
  readonly pathOf: (segments: readonly string[]) => string;
  /** The code of a fault: callers send a query, administrators a body. */
  readonly code: Extract<ErrorCode, "QUERY_INVALID" | "BODY_INVALID">;
  /** Whether lists may be written `a,b,c`: true for query parameters, false for JSON. */
  readonly commaLists: boolean;
  /** Literals that were parsed before in the same request; the literals of this filter are numbered after them. */
  readonly slots?: readonly Slot[];
}

/** The default limits, which settings may change. */
export const defaultFilterLimits: FilterLimits = { nodesMax: 200, depthMax: 8, listMax: 1000 };

/**
 * Parses a filter from plain JSON: `{ "plate": { "_eq": "A" }, "_or": [ … ] }`.
 *
 * @throws AppError with every fault, each at its path
 */
export function parseFilter(input: unknown, options: ParseFilterOptions): ParsedFilter {
  const parser = new FilterParser(options);
  const filter = parser.parse(input);
  throwFaults(parser.faults);
  return { filter, slots: parser.slots };
}

class FilterParser {
  readonly slots: Slot[];
  readonly faults: Fault[] = [];
  readonly #options: ParseFilterOptions;
  #nodes = 0;

  constructor(options: ParseFilterOptions) {
    this.#options = options;
    this.slots = [...(options.slots ?? [])];
  }

  parse(input: unknown): Filter {
    return this.#parseObject(input, [], 1);
  }

  /** @param relation the path to the relation that the fields of this object belong to; undefined for the filter's own */
  #parseObject(input: unknown, path: readonly string[], depth: number, relation?: string): Filter {
    const nothing: Filter = { kind: "AND", filters: [] };
    if (depth > this.#options.limits.depthMax) {
      this.#fault(path, `A filter can be at most ${this.#options.limits.depthMax} levels deep`);
      return nothing;
    }
    if (!isPlainObject(input)) {
      this.#fault(path, "A filter must be an object of fields and operators");
      return nothing;
    }
    const filters: Filter[] = [];
    for (const [key, value] of Object.entries(input)) {
      const inner = [...path, key];
      this.#count(path);
      if (!this.#isName(key, inner)) continue;
      if (key === "_and" || key === "_or") {
        filters.push({
          kind: key === "_and" ? "AND" : "OR",
          filters: this.#parseList(value, inner, depth, relation),
        });
      } else if (key === "_not") {
        filters.push({ kind: "NOT", filter: this.#parseObject(value, inner, depth + 1, relation) });
      } else {
        const name = readPath(key);
        const field = relation === undefined ? name : joinPaths(relation, name);
        filters.push(...this.#parseField(field, value, inner, depth));
      }
    }
    const [only] = filters;
    return filters.length === 1 && only !== undefined ? only : { kind: "AND", filters };
  }

  #parseList(input: unknown, path: readonly string[], depth: number, relation?: string): Filter[] {
    if (!Array.isArray(input)) {
      this.#fault(path, "Must be a list of filters");
      return [];
    }
    return input.map((item, index) =>
      this.#parseObject(item, [...path, String(index)], depth + 1, relation),
    );
  }

  /** Parses the object of a field: operators, quantifiers over a relation's rows, or fields of a relation. */
  #parseField(field: string, input: unknown, path: readonly string[], depth: number): Filter[] {
    if (!isPlainObject(input) || Object.keys(input).length === 0) {
      this.#fault(path, "A field must have an object of operators");
      return [];
    }
    const filters: Filter[] = [];
    for (const [key, value] of Object.entries(input)) {
      const inner = [...path, key];
      this.#count(path);
      if (!this.#isName(key, inner)) continue;
      if (!key.startsWith("_")) {
        filters.push(this.#parseObject({ [key]: value }, path, depth + 1, field));
      } else if (key === "_path") {
        filters.push(...this.#parsePaths(field, value, inner));
      } else if (key === "_part") {
        filters.push(...this.#parseParts(field, value, inner));
      } else if (key === "_lower" || key === "_upper") {
        const bound = key === "_lower" ? "lower" : "upper";
        filters.push(...this.#parseInside(field, { bound }, value, inner));
      } else if (key === "_count") {
        filters.push(...this.#parseCount(field, value, inner, depth));
      } else if (isQuantifier(key)) {
        const filter = this.#parseObject(value, inner, depth + 1);
        filters.push({
          kind: "QUANTIFIED",
          field,
          quantifier: key,
          filter,
          path: this.#options.pathOf(inner),
        });
      } else {
        filters.push(...this.#parseCondition(field, key, value, inner));
      }
    }
    return filters;
  }

  /** Parses conditions on the number of a relation's rows: `{ "_gte": 3, "_where": { … } }`. */
  #parseCount(field: string, input: unknown, path: readonly string[], depth: number): Filter[] {
    if (!isPlainObject(input)) {
      this.#fault(path, "_count must have an object of operators");
      return [];
    }
    const { _where: where = {}, ...operators } = input;
    const filter = this.#parseObject(where, [...path, "_where"], depth + 1);
    if (Object.keys(operators).length === 0) this.#fault(path, "_count must have an operator");
    return this.#parseOperators(field, operators, path).map(
      ({ operator, operands, path: written }): Counted => {
        const known = operands.filter((operand) => operand.kind !== "FIELD");
        if (known.length < operands.length) {
          this.#fault([...path, operator], "A number of rows is not compared with a field");
        }
        return { kind: "COUNTED", field, operator, operands: known, filter, path: written };
      },
    );
  }

  /** Parses conditions inside a JSON document: `{ "a.b": { "_eq": 1 } }`. Its paths are those of `fields`. */
  #parsePaths(field: string, input: unknown, path: readonly string[]): Filter[] {
    if (!isPlainObject(input)) {
      this.#fault(path, "_path must have an object of paths");
      return [];
    }
    return Object.entries(input).flatMap(([written, operators]) => {
      const inner = [...path, written];
      if (!this.#isName(written, inner)) return [];
      const keys = documentKeysOf(readPath(written));
      if (keys === undefined || keys.length > documentKeysMax || !isPlainObject(operators)) {
        this.#fault(inner, `A path must have 1 to ${documentKeysMax} keys, and operators`);
        return [];
      }
      return Object.entries(operators).flatMap(([operator, value]): Condition[] => {
        this.#count(path);
        const within = [...inner, operator];
        const target = isConditionOperator(operator) ? conditionOperators[operator].target : "ANY";
        if (target === "ARRAY" || target === "JSON") {
          this.#fault(within, "This operator does not apply inside a document");
          return [];
        }
        const { commaLists } = this.#options;
        const values = jsonValues(operator, value, commaLists);
        if (values !== undefined) {
          const among = operator === "_eq" || operator === "_in" ? "_in" : "_nin";
          return this.#parseCondition(field, among, values, within).map((condition) => ({
            ...condition,
            inside: { path: keys, as: "JSON" },
          }));
        }
        // These compare numbers as numbers. Equality compares the texts of scalars.
        const isNumber = orderingOperators.has(operator) && isNumericValue(value, commaLists);
        return this.#parseCondition(field, operator, value, within).map((condition) => ({
          ...condition,
          inside: { path: keys, as: isNumber ? "NUMBER" : "TEXT" },
        }));
      });
    });
  }

  /** Parses conditions on parts of a date: `{ "weekday": { "_in": [6, 7] } }`. */
  #parseParts(field: string, input: unknown, path: readonly string[]): Filter[] {
    if (!isPlainObject(input)) {
      this.#fault(path, "_part must have an object of parts of a date");
      return [];
    }
    return Object.entries(input).flatMap(([part, operators]) => {
      const inner = [...path, part];
      if (!this.#isName(part, inner)) return [];
      if (!isDatePart(part)) {
        this.#fault(inner, `A part must be one of ${dateParts.join(", ")}`);
        return [];
      }
      return this.#parseInside(field, { part }, operators, inner);
    });
  }

  /** Parses the conditions on a part of a value. */
  #parseInside(
    field: string,
    inside: NonNullable<Condition["inside"]>,
    input: unknown,
    path: readonly string[],
  ): Condition[] {
    if (!isPlainObject(input)) {
      this.#fault(path, "This must have an object of operators");
      return [];
    }
    return this.#parseOperators(field, input, path).map((condition) => ({ ...condition, inside }));
  }

  #parseOperators(
    field: string,
    operators: Readonly<Record<string, unknown>>,
    path: readonly string[],
  ): Condition[] {
    return Object.entries(operators).flatMap(([operator, value]) => {
      this.#count(path);
      const within = [...path, operator];
      return this.#isName(operator, within)
        ? this.#parseCondition(field, operator, value, within)
        : [];
    });
  }

  #parseCondition(
    field: string,
    operator: string,
    value: unknown,
    path: readonly string[],
  ): Condition[] {
    if (!isConditionOperator(operator)) return this.#fault(path, "Unknown operator");
    if (operator === "_search" && isPlainObject(value)) {
      const read = readSearchOperand(value);
      if (read === undefined) this.#fault(path, searchForm);
      return read === undefined
        ? []
        : this.#parseCondition(field, operator, read.text, [...path, "text"]).map((condition) => ({
            ...condition,
            search: read.search,
          }));
    }
    const tooLong = findTooLong(operator, value);
    if (tooLong !== undefined) return this.#fault(path, tooLong);
    const rule = conditionOperators[operator];
    const written = this.#options.pathOf(path);
    if (rule.operands === "BOOLEAN") {
      const flag = value === true || value === "true";
      if (!flag && value !== false && value !== "false") {
        const isPython = value === "True" || value === "False";
        const message = "The value of this operator must be true or false";
        this.#fault(path, isPython ? `${message}, in small letters` : message);
        return [];
      }
      // `_null: false` is `_nnull: true`; one form of each limits the number of shapes.
      const isNull = (operator === "_null") === flag;
      const known = isNull ? "_null" : "_nnull";
      return [{ kind: "CONDITION", field, operator: known, path: written, operands: [] }];
    }
    if (rule.operands === "JSON") {
      const document = this.#options.commaLists ? value : writeExactJson(value);
      const operands = this.#parseOne(document, path, true, false);
      return [{ kind: "CONDITION", field, operator, path: written, operands }];
    }
    const operands =
      rule.operands === "ONE"
        ? this.#parseOne(value, path, rule.text, true)
        : this.#parseMany(value, path, rule.operands === "TWO", rule.text);
    return [{ kind: "CONDITION", field, operator, path: written, operands }];
  }

  #parseOne(
    input: unknown,
    path: readonly string[],
    isPattern: boolean,
    takesPeriod: boolean,
  ): Operand[] {
    const variable = parseVariable(input);
    if (variable !== undefined && !isPattern) {
      if (variable.kind === "UNKNOWN" || (isPeriodReading(variable) && !takesPeriod)) {
        const hint = typeof input === "string" ? valueHint(input) : "";
        const message = "Unknown variable, or a variable that this operator does not support";
        this.#fault(path, `${message}${hint}`);
        return [];
      }
      return [variable];
    }
    const value = isPattern ? parseScalar(input) : parseValue(input);
    if (value === undefined) {
      this.#fault(path, `${singleValue}; for null use _null or _nnull`);
      return [];
    }
    const slot = this.#addSlot(value, path);
    return [{ kind: "SLOT", slot, ...(Array.isArray(input) && { array: true }) }];
  }

  #parseMany(
    input: unknown,
    path: readonly string[],
    isPair: boolean,
    isPattern: boolean,
  ): Operand[] {
    const commas = this.#options.commaLists && typeof input === "string";
    const items = commas ? input.split(",") : Array.isArray(input) ? input : undefined;
    if (items === undefined) {
      this.#fault(path, "The value of this operator must be a list");
      return [];
    }
    if (isPair) {
      if (items.length !== 2) {
        this.#fault(path, "The value of this operator must be a list of two values");
        return [];
      }
      return items.flatMap((item) => this.#parseOne(item, path, false, false));
    }
    if (items.length > this.#options.limits.listMax) {
      this.#fault(path, `A list can have at most ${this.#options.limits.listMax} values`);
      return [];
    }
    const operands: Operand[] = [];
    const literals: string[] = [];
    for (const item of items) {
      const variable = isPattern ? undefined : parseVariable(item);
      if (variable?.kind === "VARIABLE" && !isPeriodReading(variable)) {
        operands.push({ kind: "VARIABLE", variable: variable.variable });
        continue;
      }
      const read = isPattern ? parseScalar : parseValue;
      const value = variable === undefined ? read(item) : undefined;
      if (value === undefined)
        this.#fault(path, "A list can only contain plain values and known variables");
      else literals.push(value);
    }
    const slot = this.#addSlot(literals, path, commas);
    const array = !isPattern && items.some(Array.isArray);
    return [{ kind: "LIST", slot, ...(array && { array }) }, ...operands];
  }

  #isName(key: string, path: readonly string[]): boolean {
    if (isPossibleName(key)) return true;
    this.#fault(path, impossibleName);
    return false;
  }

  #addSlot(value: string | readonly string[], path: readonly string[], commas = false): number {
    this.slots.push({ value, path: this.#options.pathOf(path), ...(commas && { commas }) });
    return this.slots.length - 1;
  }

  #count(path: readonly string[]): void {
    this.#nodes += 1;
    if (this.#nodes === this.#options.limits.nodesMax + 1) {
      this.#fault(path, `A filter can have at most ${this.#options.limits.nodesMax} parts`);
    }
  }

  /** Returns no conditions. */
  #fault(path: readonly string[], message: string): [] {
    if (this.faults.length >= faultsMax) return [];
    this.faults.push(
      createFault(this.#options.code, { path: this.#options.pathOf(path), message }),
    );
    return [];
  }
}

/** The fault of a list where the field has single values. */
export const singleValue = "The value of this operator must be a single value";

/** Maximum number of keys in a path within a document. */
export const documentKeysMax = 20;

function isPlainObject(input: unknown): input is Record<string, unknown> {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return false;
  const prototype: unknown = Object.getPrototypeOf(input);
  return prototype === Object.prototype || prototype === null;
}
