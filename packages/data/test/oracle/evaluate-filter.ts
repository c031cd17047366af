import {
  compareDocuments,
  containsDocument,
  documentText,
  hasKey,
  valueInside,
} from "./documents.ts";
import type { Access } from "./evaluate-access.ts";
import type {
  Condition,
  Filter,
  Path,
  PresetOperand,
  Row,
  Table,
  TypeName,
  Value,
} from "./model.ts";
import { boundOf, rangeTests } from "./ranges.ts";
import { columnOf, type Edge, edgesOf, relatedRows } from "./relations.ts";
import { partOfDate } from "./time-unit.ts";
import { compareValues, readLiteral } from "./values.ts";
import { findsWords } from "./words.ts";

/** SQL's three truth values: true, false or null for unknown. */
export type Truth = boolean | null;

/** Returns a field's value for a reader, or "UNKNOWN" if the field is hidden in this row. */
export type See = (table: Table, row: Row, field: string) => Value | "UNKNOWN";

/** Evaluates an administrator's filter on a row: every column and every related row counts. */
export function holds(
  filter: Filter,
  table: Table,
  row: Row,
  { user, world }: Pick<Access, "user" | "world">,
): Truth {
  return truthOf(filter, table, row, {
    user,
    typeOf,
    see: (_, its, field) => its.get(field) ?? null,
    edge: (its, name) => edgesOf(world, its).find((edge) => edge.name === name),
    related: (edge, its) => relatedRows(world, edge, its),
  });
}

/** Evaluates a caller's filter on a row: a hidden field is unknown, and a hidden row is missing. */
export function holdsFor(filter: Filter, table: Table, row: Row, access: Access): Truth {
  return truthOf(filter, table, row, {
    user: access.user,
    typeOf,
    see: (its, at, field) =>
      access.showsField(its, at, field) ? (at.get(field) ?? null) : "UNKNOWN",
    edge: (its, name) => access.edge(its, name),
    related: (edge, at) => access.related(edge, at),
  });
}

function typeOf(table: Table, field: string): TypeName | undefined {
  return columnOf(table, field)?.type;
}

interface Reader extends Pick<Access, "user"> {
  readonly typeOf: (table: Table, field: string) => TypeName | undefined;
  readonly see: See;
  readonly edge: (table: Table, name: string) => Edge | undefined;
  readonly related: (edge: Edge, row: Row) => readonly Row[];
}

/** Evaluates a filter on a row with the fields and related rows that `reader` returns. */
export function truthOf(filter: Filter, table: Table, row: Row, reader: Reader): Truth {
  switch (filter.kind) {
    case "AND":
      return all(filter.filters.map((inner) => truthOf(inner, table, row, reader)));
    case "OR":
      return not(all(filter.filters.map((inner) => not(truthOf(inner, table, row, reader)))));
    case "NOT":
      return not(truthOf(filter.filter, table, row, reader));
    case "QUANTIFIED": {
      const end = follow(filter.steps, table, row, reader);
      const truths = end.rows.map((its) => truthOf(filter.filter, end.table, its, reader));
      if (filter.quantifier === "_some") return truths.includes(true);
      if (filter.quantifier === "_none") return !truths.includes(true);
      // A row whose condition is unknown does not satisfy it.
      return truths.every((truth) => truth === true);
    }
    case "COUNTED": {
      const end = follow(filter.steps, table, row, reader);
      const found = end.rows.filter(
        (its) => truthOf(filter.filter, end.table, its, reader) === true,
      );
      const values = filter.operands.map((operand) =>
        operand.kind === "FIELD" ? null : operandOf(operand, "bigint", filter.operator, reader),
      );
      return apply(filter.operator, "bigint", String(found.length), values);
    }
    case "CONDITION": {
      const { steps, name } = filter.path;
      const end = follow(steps, table, row, reader);
      const truths = end.rows.map((its) =>
        conditionOf(filter, end.table, its, name ?? "", reader, (other) =>
          isSamePlace(other, filter.path)
            ? valueAt(reader, end.table, its, other)
            : valueAlong(reader, table, row, other),
        ),
      );
      // A to-many path needs one visible related row that matches. A to-one path without a related row is unknown.
      return end.isSingle ? (truths[0] ?? null) : truths.includes(true);
    }
    default:
      return filter satisfies never;
  }
}

interface End {
  readonly table: Table;
  readonly rows: readonly Row[];
  readonly isSingle: boolean;
}

function follow(steps: readonly string[], table: Table, row: Row, reader: Reader): End {
  let end: End = { table, rows: [row], isSingle: true };
  for (const name of steps) {
    const edge = reader.edge(end.table, name);
    if (edge === undefined) throw new TypeError(`No relation ${name}`);
    end = {
      table: edge.target,
      rows: end.rows.flatMap((its) => reader.related(edge, its)),
      isSingle: end.isSingle && edge.kind === "ONE",
    };
  }
  return end;
}

function isSamePlace({ steps }: Path, other: Path): boolean {
  return steps.join(".") === other.steps.join(".");
}

/** The value of a field at the end of a to-one path: null if it is hidden, or if no related row is visible. */
function valueAlong(reader: Reader, table: Table, row: Row, path: Path): Value {
  const end = follow(path.steps, table, row, reader);
  const [its] = end.rows;
  return its === undefined ? null : valueAt(reader, end.table, its, path);
}

function valueAt(reader: Reader, table: Table, row: Row, { name }: Path): Value {
  const value = reader.see(table, row, name ?? "");
  return value === "UNKNOWN" ? null : value;
}

function conditionOf(
  condition: Condition,
  table: Table,
  row: Row,
  name: string,
  reader: Reader,
  fieldOf: (path: Path) => Value,
): Truth {
  const { operator, operands, part, bound, keys, search } = condition;
  const its = reader.typeOf(table, name);
  const whole = reader.see(table, row, name);
  if (its === undefined || whole === "UNKNOWN") return null;
  const zone = reader.user.columns.get("$USER.time_zone") ?? "UTC";
  if (keys !== undefined) return insideOf(condition, valueIn(whole, keys));
  const [type, value]: [TypeName, Value] =
    part !== undefined
      ? ["int", whole === null ? null : partOfDate(whole, part, its, zone)]
      : bound !== undefined
        ? ["int", whole === null ? null : boundOf(whole, bound)]
        : [its, whole];
  const values = operands.map((operand) =>
    operand.kind === "FIELD"
      ? fieldOf(operand.path)
      : operandOf(operand, operator === "_contains_value" ? "int" : type, operator, reader),
  );
  if (search !== undefined) {
    const [text = null] = values;
    return value === null || text === null ? null : findsWords(value, text, search);
  }
  // Numbers of different types compare as exact numbers.
  const isMixed = operands.some(({ kind }) => kind === "FIELD") && /^(?:int|bigint)$/.test(type);
  return apply(operator, isMixed ? "numeric" : type, value, values);
}

function operandOf(
  operand: PresetOperand,
  type: TypeName,
  operator: string,
  reader: Reader,
): Value {
  if (operand.kind === "VARIABLE") return reader.user.columns.get(operand.name) ?? null;
  if (textTestOf(operator) !== undefined || isPlain(operator)) return operand.text;
  return readLiteral(type, operand.text) ?? null;
}

const textTests: Readonly<Record<string, (value: string, operand: string) => boolean>> = {
  like,
  contains: (value, operand) => value.includes(operand),
  starts_with: (value, operand) => value.startsWith(operand),
  ends_with: (value, operand) => value.endsWith(operand),
  regex: (value, operand) => new RegExp(operand, "su").test(value),
};

/**
 * Returns the positive test of a text operator (`_nicontains` negates a case-insensitive contains); undefined for
 * other operators.
 */
export function textTestOf(
  operator: string,
): ((value: string, operand: string) => boolean) | undefined {
  const [, negated, folded, name = ""] = /^_(n?)(i?)([a-z]{4}.*)$/.exec(operator) ?? [];
  const test = textTests[name];
  if (test === undefined) return undefined;
  return (value, operand) => {
    const matches = folded === "i" ? test(fold(value), fold(operand)) : test(value, operand);
    return matches === (negated === "");
  };
}

/** Whether the operand is no value of the field's type. */
const isPlain = (operator: string): boolean => /^_(?:has|json_contains|search)/.test(operator);

/** The value inside a document; undefined for null and for none. */
function valueIn(document: Value, keys: readonly string[]): unknown {
  const value = document === null ? null : valueInside(JSON.parse(document), keys);
  return value ?? undefined;
}

/** A condition on a value inside a document: equality compares JSON, an order numbers or texts, the others texts. */
function insideOf({ operator, operands, untyped = false }: Condition, value: unknown): Truth {
  const given = operands.flatMap((operand): unknown[] =>
    operand.kind === "LITERAL" ? [JSON.parse(operand.text)] : [],
  );
  const texts = given.map((other) => (typeof other === "string" ? other : documentText(other)));
  if (/^_n?(?:eq|in)$/.test(operator)) {
    // A text in brackets also stands for the number or flag that is written alike.
    const others = untyped
      ? texts.flatMap((text) => [text, ...(literalForm.test(text) ? [JSON.parse(text)] : [])])
      : given;
    const isIn = others.some((other) => compareDocuments(value, other) === 0);
    const isKnown = value !== undefined || others.length === 0;
    return isKnown ? isIn === /^_(?:eq|in)$/.test(operator) : null;
  }
  const isOrder = /^_(?:[lg]te?|n?between)$/.test(operator);
  const isNumber =
    isOrder &&
    (untyped
      ? texts.every((text) => /^-?\d/.test(text))
      : given.every((other) => typeof other === "number"));
  const text = value === undefined ? null : typeof value === "string" ? value : documentText(value);
  const own = isNumber && typeof value !== "number" ? null : text;
  return apply(operator, isNumber ? "numeric" : "text", own, texts);
}

const literalForm = /^(?:true|false|-?\d+(?:\.\d+)?)$/;

/** A caller's filter in brackets, where values inside documents have no type. */
export function untypedFilter(filter: Filter): Filter {
  switch (filter.kind) {
    case "AND":
    case "OR":
      return { ...filter, filters: filter.filters.map(untypedFilter) };
    case "CONDITION":
      return { ...filter, untyped: true };
    default:
      return { ...filter, filter: untypedFilter(filter.filter) };
  }
}

/** The tests of lists, by their operators; a null is equal to no item. */
const listTests: Readonly<
  Record<string, (value: readonly Value[], items: readonly Value[]) => boolean>
> = {
  _has: (value, items) => items.every((item) => value.includes(item)),
  _has_all: (value, items) => items.every((item) => value.includes(item)),
  _has_any: (value, items) => items.some((item) => value.includes(item)),
  _has_only: (value, items) => value.every((item) => item !== null && items.includes(item)),
};

/** The operators of lists, ranges and documents; undefined for others. */
function applyPlain(operator: string, value: Value, operands: readonly Value[]): Truth | undefined {
  const [first = null] = operands;
  const [ofList, ofRange] = [listTests[operator], rangeTests[operator]];
  if (ofList !== undefined)
    return value === null ? null : ofList(JSON.parse(value) as Value[], operands);
  if (ofRange !== undefined) return value === null || first === null ? null : ofRange(value, first);
  if (operator !== "_json_contains" && operator !== "_has_key") return undefined;
  if (value === null || first === null) return null;
  const document: unknown = JSON.parse(value);
  return operator === "_has_key"
    ? hasKey(document, first)
    : containsDocument(document, JSON.parse(first));
}

function apply(operator: string, type: TypeName, value: Value, operands: readonly Value[]): Truth {
  const [first = null, second = null] = operands;
  const test = textTestOf(operator);
  if (test !== undefined) return value === null || first === null ? null : test(value, first);
  const plain = applyPlain(operator, value, operands);
  if (plain !== undefined) return plain;
  if (operator === "_null") return (value === null) === (first === "true");
  if (operator === "_nnull") return (value !== null) === (first === "true");
  const order = compareValues(type, value, first);
  const is = (test: (order: number) => boolean): Truth => (order === null ? null : test(order));
  const isIn = (): Truth => not(all(operands.map((operand) => not(equals(type, value, operand)))));
  const isBetween = (): Truth => {
    const upper = compareValues(type, value, second);
    return all([is((its) => its >= 0), upper === null ? null : upper <= 0]);
  };
  switch (operator) {
    case "_eq":
      return is((its) => its === 0);
    case "_neq":
      return is((its) => its !== 0);
    case "_lt":
      return is((its) => its < 0);
    case "_lte":
      return is((its) => its <= 0);
    case "_gt":
      return is((its) => its > 0);
    case "_gte":
      return is((its) => its >= 0);
    case "_in":
      return isIn();
    case "_nin":
      return not(isIn());
    case "_between":
      return isBetween();
    case "_nbetween":
      return not(isBetween());
    default:
      throw new TypeError(`No operator ${operator}`);
  }
}

function equals(type: TypeName, left: Value, right: Value): Truth {
  const order = compareValues(type, left, right);
  return order === null ? null : order === 0;
}

function all(truths: readonly Truth[]): Truth {
  return truths.includes(false) ? false : truths.includes(null) ? null : true;
}

function not(truth: Truth): Truth {
  return truth === null ? null : !truth;
}

/** Matches LIKE patterns: `%` is any text, `_` is one character, and a backslash escapes the next character. */
function like(value: string, pattern: string): boolean {
  const source = pattern.replace(/\\?./gsu, (part) => {
    if (part === "%") return ".*";
    if (part === "_") return ".";
    const literal = part.length > 1 && part.startsWith("\\") ? part.slice(1) : part;
    return literal.replace(/[$()*+./?[\\\]^{|}]/gu, "\\$&");
  });
  return new RegExp(`^${source}$`, "su").test(value);
}

/** Lower case, character by character, as in the builtin locale `C.UTF-8` of the test databases. */
function fold(text: string): string {
  return Array.from(text, (character) => {
    const lower = character.toLowerCase();
    return [...lower].length === 1 ? lower : character;
  }).join("");
}
