import type { OpenParameter } from "./open-dashboard.ts";

const dayMs = 86_400_000;
const form = /^\d{4}-\d\d-\d\d$/;

/** Returns the day some days after an ISO date. */
function dayAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** Returns the first and the last day of a period; undefined for one without days. */
export function daysOf({
  from,
  until,
}: Pick<OpenParameter, "from" | "until">):
  | { readonly first: string; readonly last: string }
  | undefined {
  if (from === undefined || until === undefined) return undefined;
  return { first: from.slice(0, 10), last: dayAfter(until.slice(0, 10), -1) };
}

/** Returns the period from a first to a last day; undefined if these make none. */
export function periodOf(
  first: string,
  last: string,
): { readonly from: string; readonly until: string } | undefined {
  if (!form.test(first) || !form.test(last) || first > last) return undefined;
  return { from: first, until: dayAfter(last, 1) };
}
