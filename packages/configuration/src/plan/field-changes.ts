import { isObject, unifiedDiff, writeExactJson } from "@rowhouse/wire";
import type { Step } from "../model/part.ts";
import { writeYaml } from "../yaml/write-yaml.ts";

/** A value that a step changes. */
export interface FieldChange {
  /** What it is of the record: `label`, `READ fleet.trips.filter`. Empty for the whole of it. */
  readonly field: string;
  /** Values that fit into a line, as JSON; null if there is none, and with `diff`. */
  readonly before: string | null;
  readonly after: string | null;
  /** The changed lines of a longer text, or of a longer value as YAML: a unified diff. Null for values that fit into a line. */
  readonly diff: string | null;
  /** Characters of the diff that a long plan leaves out. */
  readonly leftOut: number;
}

/** Characters of values that fit into a line: of a text, a number or a list of such, and of objects, which are harder to read. */
const lineMax = 120;
const objectMax = 60;

/** Returns the values that a step changes: each member of an object, else the value as a whole. */
export function changesOf({ detail, values: given }: Step, hasSql: boolean): FieldChange[] {
  // Otherwise its SQL says what it does.
  if (given === undefined && hasSql) return [];
  const { before, after } = given ?? { before: null, after: detail };
  const [old, now] = [membersOf(before), membersOf(after)];
  if (old === undefined || now === undefined) return changeOf("", before, after);
  const fields = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...fields].flatMap((field) => changeOf(field, old[field], now[field]));
}

/** Returns the members of a record; those of one that does not exist are none. */
function membersOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (value === null || value === undefined) return {};
  return isObject(value) ? value : undefined;
}

function changeOf(field: string, before: unknown, after: unknown): FieldChange[] {
  const [was, is] = [jsonOf(before), jsonOf(after)];
  if (was === is) return [];
  const common = { field, leftOut: 0 };
  if (isLine(before, was) && isLine(after, is)) {
    return [{ ...common, before: was, after: is, diff: null }];
  }
  const diff = unifiedDiff(linesOf(before), linesOf(after));
  return [{ ...common, before: null, after: null, diff }];
}

function jsonOf(value: unknown): string | null {
  return value === undefined || value === null ? null : writeExactJson(value);
}

function isLine(value: unknown, json: string | null): boolean {
  if (typeof value === "string" && value.includes("\n")) return false;
  const hasObjects = isObject(value) || (Array.isArray(value) && value.some(isObject));
  return (json?.length ?? 0) <= (hasObjects ? objectMax : lineMax);
}

function linesOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : writeYaml(value);
}

/** Returns what a change takes of the size of a plan, in characters. */
export function sizeOf({ field, before, after, diff }: FieldChange): number {
  const texts = [field, before ?? "", after ?? "", diff ?? ""];
  // The names of the members have about as many.
  return texts.reduce((sum, { length }) => sum + length, 60);
}

/** Returns as many changes as have a size, the last with the lines of its diff that fit. */
export function within(changes: readonly FieldChange[], size: number): FieldChange[] {
  const taken: FieldChange[] = [];
  let left = size;
  for (const change of changes) {
    const own = sizeOf(change);
    const { diff } = change;
    if (own > left && diff !== null) {
      const end = diff.lastIndexOf("\n", Math.max(0, diff.length - (own - left) - 1)) + 1;
      if (end > 0) taken.push({ ...change, diff: diff.slice(0, end), leftOut: diff.length - end });
    }
    if (own > left) break;
    taken.push(change);
    left -= own;
  }
  return taken;
}

/** Returns the size up to which each of several fits, so that all have a total: only the longest are cut. */
export function commonLimit(sizes: readonly number[], total: number): number {
  let left = total;
  for (const [index, size] of sizes.toSorted((a, b) => a - b).entries()) {
    const share = left / (sizes.length - index);
    if (size > share) return share;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}
