import { type DatePart, isDatePart, plainPath, readName, readPath } from "@rowhouse/access";
import { createFault, type Fault } from "@rowhouse/errors";
import { isPossibleName } from "@rowhouse/wire";
import { type Expression, parseExpression } from "./expression.ts";
import { requirePossible } from "./possible-terms.ts";

export type AggregateFunction = "count" | "count_distinct" | "sum" | "avg" | "min" | "max";
export type TimeUnit = "year" | "quarter" | "month" | "week" | "day" | "hour" | "minute";

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
}

const functions: ReadonlySet<string> = new Set([
  "count",
  "count_distinct",
  "sum",
  "avg",
  "min",
  "max",
]);
const units: ReadonlySet<string> = new Set([
  "year",
  "quarter",
  "month",
  "week",
  "day",
  "hour",
  "minute",
]);
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
export function readGroups(
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
      const message = `${written} is not understood, or given twice`;
      faults.push(createFault("QUERY_INVALID", { path, message }));
    } else {
      terms.push(term);
    }
  }
  return terms;
}
