import { ExactNumber } from "../json/exact-number.ts";
import { writeJson } from "../json/write-json.ts";
import type { Query } from "../request/query.ts";

/**
 * Returns a filter as JSON.
 *
 * @throws TypeError for an undefined value: JSON omits it, and the filter would match more rows than its author meant
 */
export function filterText(filter: unknown, name: string): string {
  requireDefined(filter, name);
  return writeJson(filter);
}

/**
 * Returns a filter as parameters with brackets, as those of `deep` are sent.
 *
 * @throws TypeError for an undefined or null value and for an empty list or object, which brackets cannot express
 */
export function filterBrackets(filter: unknown, name: string): Query {
  if (typeof filter !== "object" || filter === null || filter instanceof ExactNumber) {
    if (filter === undefined || filter === null) throw unsaid(name, String(filter));
    return [[name, String(filter)]];
  }
  const members = Object.entries(filter);
  if (members.length === 0) throw unsaid(name, "empty");
  return members.flatMap(([key, value]) => filterBrackets(value, `${name}[${key}]`));
}

/** @throws TypeError for an undefined value in a filter */
export function requireDefined(value: unknown, name: string): void {
  if (value === undefined) throw unsaid(name, "undefined");
  if (typeof value !== "object" || value === null) return;
  for (const [key, each] of Object.entries(value)) requireDefined(each, `${name}[${key}]`);
}

function unsaid(name: string, state: string): TypeError {
  return new TypeError(`${name} is ${state}; omit the condition or give it a value`);
}
