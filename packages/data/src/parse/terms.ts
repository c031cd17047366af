import {
  argumentEnd,
  type DatePart,
  isDatePart,
  plainPath,
  readName,
  readPath,
} from "@rowhouse/access";
import { createFault, type Fault } from "@rowhouse/errors";
import { impossibleName, isPossibleName, plusHint } from "@rowhouse/wire";
import { type Expression, parseExpression } from "./expression.ts";

const fieldsMax = 1600;
const orderMax = 32;

/** A term of `fields`: a path, or a path with aliases. Paths are as `readPath` returns them. */
export type FieldTerm = string | AliasedTerm;

export interface AliasedTerm {
  /** The whole text as a path: a name that contains a colon takes precedence over an alias. */
  readonly path: string;
  /** The path in parts, of which all but the first begin with an alias. */
  readonly parts: readonly FieldPart[];
}

export interface FieldPart {
  /** Renames the first name of the path. */
  readonly alias: string | null;
  readonly path: string;
}

/** Reads the terms of `fields`; null, for all fields, if they are missing or only `*`. */
export function readFields(
  terms: readonly string[] | null,
  faults: Fault[],
): readonly FieldTerm[] | null {
  if (terms === null || (terms.length === 1 && terms[0] === "*")) return null;
  const path = "fields";
  if (!requirePossible(terms, fieldsMax, path, faults)) return [];
  const fields = distinct(terms.map(readFieldTerm));
  if (fields.length === 0 || fields.includes("")) {
    faults.push(createFault("QUERY_INVALID", { path, message: "fields is a list of field names" }));
  }
  return fields;
}

function distinct(terms: readonly FieldTerm[]): FieldTerm[] {
  if (terms.every((term) => typeof term === "string")) return [...new Set(terms)];
  return [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()];
}

export interface OrderTerm {
  readonly field: string;
  /** Whether the term is `_rank` without quotes: the rank of the search, unless a field has the name. */
  readonly mayBeRank?: true;
  readonly descending: boolean;
  readonly nulls: "FIRST" | "LAST" | null;
}

/** Reads the terms of an order: `-created_at`, `plate:nulls_last`. */
export function readOrderTerms(
  terms: readonly string[],
  path: string,
  faults: Fault[],
): OrderTerm[] {
  if (!requirePossible(terms, orderMax, path, faults)) return [];
  const order = terms.map(orderTermOf);
  const names = order.map((term) => term.field);
  if (names.includes("") || new Set(names).size < names.length) {
    const message = "order_by is a list of different fields: -created_at,plate:nulls_last";
    faults.push(createFault("QUERY_INVALID", { path, message }));
  }
  return order;
}

/** Reads `-created_at`, `plate:nulls_last`, `-"a,b"`. */
export function orderTermOf(written: string): OrderTerm {
  const descending = written.startsWith("-");
  const name = descending ? written.slice(1) : written;
  const nulls = name.endsWith(":nulls_last")
    ? "LAST"
    : name.endsWith(":nulls_first")
      ? "FIRST"
      : null;
  const field = nulls === null ? name : name.slice(0, name.lastIndexOf(":"));
  const term: OrderTerm = { field: readPath(field), descending, nulls };
  return field === "_rank" ? { ...term, mayBeRank: true } : term;
}

/**
 * Reads the kind of count.
 *
 * @param fault code and path of the fault for any other text
 */
export function readCount(
  text: string | undefined,
  { code, path }: Pick<Fault, "code" | "path">,
  faults: Fault[],
): "exact" | "estimated" | null {
  if (text === undefined || text === "exact" || text === "estimated") return text ?? null;
  faults.push(createFault(code, { path, message: "count takes exact or estimated" }));
  return null;
}

const quotedName = /"(?:[^"]|"")*"(?=$|[,.:)])/y;

/** Reads a term of `fields`: `plate`, `driver.name`, `number:plate`, `long:trips.id`, `vehicles.long:trips.id`. */
function readFieldTerm(written: string): FieldTerm {
  const path = readPath(written);
  if (!written.includes(":")) return path;
  const parts: FieldPart[] = [];
  let alias: string | null = null;
  let partStart = 0;
  let nameStart = 0;
  let isAliased = false;
  let depth = 0;
  for (let at = 0; at < written.length; at += 1) {
    const character = written[at];
    if (character === '"' && depth > 0) {
      at = (argumentEnd(written, at) ?? at + 1) - 1;
    } else if (character === '"' && (at === nameStart || ",.".includes(written[at - 1] ?? " "))) {
      quotedName.lastIndex = at;
      if (quotedName.test(written)) at = quotedName.lastIndex - 1;
    } else if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    else if (character === "." && depth === 0) {
      nameStart = at + 1;
      isAliased = false;
    } else if (character === ":" && depth === 0 && !isAliased && at > nameStart) {
      // `sum(price*quantity):revenue` has its name at the end.
      if (written[at - 1] === ")") continue;
      if (nameStart > 0)
        parts.push({ alias, path: readPath(written.slice(partStart, nameStart - 1)) });
      alias = readName(written.slice(nameStart, at));
      isAliased = true;
      partStart = at + 1;
      nameStart = at + 1;
    }
  }
  if (alias === null) return path;
  return { path, parts: [...parts, { alias, path: readPath(written.slice(partStart)) }] };
}

export const aggregateFunctions = ["count", "count_distinct", "sum", "avg", "min", "max"] as const;
export type AggregateFunction = (typeof aggregateFunctions)[number];
export const timeUnits = ["year", "quarter", "month", "week", "day", "hour", "minute"] as const;
export type TimeUnit = (typeof timeUnits)[number];

/**
 * `sum(price)` has the result name `sum_price`, and `sum(price*quantity):revenue` the name `revenue`. `count`, and `count(*)`
 * with the name `count_*`, have no field.
 */
export interface AggregateTerm {
  readonly name: string;
  readonly apply: AggregateFunction;
  readonly field: string | null;
  /** Computes the value of each row; a term without one has a field, or counts rows. */
  readonly expression: Expression | null;
}

/**
 * `status`, or `date_trunc(month,created_at)` with the result name `created_at_month`, or `date_part(weekday,created_at)`
 * with the result name `created_at_part_weekday`.
 */
export interface GroupTerm {
  readonly name: string;
  readonly field: string;
  readonly unit: TimeUnit | null;
  readonly part: DatePart | null;
  /** Whether the response has the name of a truncated date in the caller's time zone: `2026-02`. */
  readonly isLabeled?: true;
}

const functions: ReadonlySet<string> = new Set(aggregateFunctions);
const units: ReadonlySet<string> = new Set(timeUnits);
const callForm = /^([a-z_]+)\((.+)\)$/s;
/** Maximum number of terms, and of numbers of related rows in `fields`. */
export const termsMax = 100;

/** Reads the terms of `aggregate`: `count`, `sum(price)`. */
export function readAggregates(terms: readonly string[], faults: Fault[]): AggregateTerm[] {
  return readTerms(terms, "aggregate", faults, (term) => readComputed(term) ?? readAggregate(term));
}

const computedForm = /^(sum|avg|min|max)\((.+)\):([^()]+)$/s;

/** Reads a term with an expression, which its author names: `sum(price*quantity):revenue`; undefined for any other text. */
export function readComputed(term: string): AggregateTerm | undefined {
  const [, apply, inner = "", written = ""] = computedForm.exec(term) ?? [];
  if (apply === undefined) return undefined;
  const expression = parseExpression(inner);
  const name = readName(written);
  if (expression === undefined || !isPossibleName(name)) return undefined;
  return { name, apply: apply as AggregateFunction, field: null, expression };
}

/** Reads one term of `aggregate`; undefined for any other text. */
export function readAggregate(term: string): AggregateTerm | undefined {
  if (term === "count") return { name: "count", apply: "count", field: null, expression: null };
  // `count_*` differs from the name of a group by a column `count`.
  if (term === "count(*)") {
    return { name: "count_*", apply: "count", field: null, expression: null };
  }
  const [, apply = "", written = ""] = callForm.exec(term) ?? [];
  if (!functions.has(apply)) return undefined;
  const field = readPath(written);
  return {
    name: `${apply}_${plainPath(field)}`,
    apply: apply as AggregateFunction,
    field,
    expression: null,
  };
}

/** Reads the terms of `group_by`: `status`, `date_trunc(month,created_at)`, `date_part(weekday,created_at)`. */
export function readGroupTerms(
  terms: readonly string[],
  faults: Fault[],
  path = "group_by",
): GroupTerm[] {
  return readTerms(terms, path, faults, (term): GroupTerm | undefined => {
    const [, call, inner = ""] = callForm.exec(term) ?? [];
    if (call === undefined) {
      return { name: readName(term), field: readPath(term), unit: null, part: null };
    }
    const comma = inner.indexOf(",");
    const option = inner.slice(0, comma);
    const field = readPath(inner.slice(comma + 1).trimStart());
    if (field === "") return undefined;
    const plain = plainPath(field);
    if (call === "date_trunc" && units.has(option)) {
      return { name: `${plain}_${option}`, field, unit: option as TimeUnit, part: null };
    }
    if (call === "date_part" && isDatePart(option)) {
      return { name: `${plain}_part_${option}`, field, unit: null, part: option };
    }
    return undefined;
  });
}

/**
 * Reads `labels=local`, and applies it to the truncated dates among the groups.
 *
 * @param fault code and path of the fault for any other text
 */
export function labelGroups(
  groups: readonly GroupTerm[],
  text: string | undefined,
  { code, path }: Pick<Fault, "code" | "path">,
  faults: Fault[],
): readonly GroupTerm[] {
  if (text === undefined) return groups;
  const isApplied = groups.some(({ unit }) => unit !== null);
  if (text === "local" && isApplied) {
    return groups.map((term) => (term.unit === null ? term : { ...term, isLabeled: true }));
  }
  const message =
    text === "local" ? "labels applies to group_by with date_trunc" : "labels must be local";
  faults.push(createFault(code, { path, message }));
  return groups;
}

function readTerms<Term extends { readonly name: string }>(
  texts: readonly string[],
  path: string,
  faults: Fault[],
  read: (term: string) => Term | undefined,
): Term[] {
  const terms: Term[] = [];
  if (!requirePossible(texts, termsMax, path, faults)) return terms;
  for (const written of texts) {
    const term = written === "" ? undefined : read(written);
    if (term === undefined || terms.some(({ name }) => name === term.name)) {
      const hint = /[\w)"] [\w("]/.test(written) ? plusHint : "";
      const message = `${written} is not understood, or given twice${hint}`;
      faults.push(createFault("QUERY_INVALID", { path, message }));
    } else {
      terms.push(term);
    }
  }
  return terms;
}

/** Maximum number of characters of a term: of an expression over several paths. */
const termLengthMax = 10_000;

/** Returns whether there are at most `max` terms and all can contain names; otherwise adds a fault. Counts first. */
export function requirePossible(
  terms: readonly string[],
  max: number,
  path: string,
  faults: Fault[],
): boolean {
  if (terms.length > max) {
    faults.push(createFault("QUERY_INVALID", { path, message: `This takes at most ${max} terms` }));
    return false;
  }
  const isShort = terms.every(({ length }) => length <= termLengthMax);
  if (isShort && terms.every(isPossibleName)) return true;
  const message = isShort ? impossibleName : `A term has at most ${termLengthMax} characters`;
  faults.push(createFault("QUERY_INVALID", { path, message }));
  return false;
}
