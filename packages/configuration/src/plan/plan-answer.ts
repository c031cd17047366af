import type { ChangePreview } from "@rowhouse/ddl";
import { isObject, unifiedDiff, writeExactJson } from "@rowhouse/wire";
import { Pauses } from "../documents/pauses.ts";
import type { Documents, Step, StepKind } from "../model/part.ts";
import { writeYaml } from "../yaml/write-yaml.ts";
import { type RehearsedStep, stepLine } from "./rehearse.ts";

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

/** A step of a plan as an administrator reads it. */
export interface PlannedStep {
  readonly kind: StepKind;
  /** The path of the document that asks for it. */
  readonly document: string;
  /** The line that asks for it; null for a document that is gone. */
  readonly line: number | null;
  readonly subject: string;
  readonly sql: readonly string[];
  readonly changes: readonly FieldChange[];
  /** Changes that a long plan leaves out. */
  readonly moreChanges: number;
  readonly locks: ChangePreview["locks"];
  readonly losses: ChangePreview["losses"];
  /** Rows on which the step would fail. */
  readonly failing: ChangePreview["failingRows"];
  /** Consents that the apply must have, by name. */
  readonly needsConsent: readonly string[];
  /** Whether the apply leaves it out without its consent: what is in no file stays. */
  readonly isOptional: boolean;
  /** Whether only an administrator's session may apply it. */
  readonly sessionOnly: boolean;
  readonly notes: readonly string[];
}

/** Characters of all changes of a plan. */
const charsMax = 2_000_000;

/**
 * Returns the steps as their reader gets them. A secret is in no step: documents only name them. Of a plan that is too long, the
 * longest steps are cut, and say so.
 */
export async function describeSteps(
  steps: readonly RehearsedStep[],
  documents: Documents,
): Promise<readonly PlannedStep[]> {
  const pauses = new Pauses();
  const all: FieldChange[][] = [];
  for (const { step, preview } of steps) {
    await pauses.next();
    all.push(changesOf(step, preview.sql.length > 0));
  }
  const sizes = all.map((changes) => changes.reduce((sum, change) => sum + sizeOf(change), 0));
  const limit = commonLimit(sizes, charsMax);
  return steps.map(({ step, preview, consents }, index): PlannedStep => {
    const own = all[index] ?? [];
    const changes = within(own, limit);
    const { sql, locks, losses, failingRows: failing, notes } = preview;
    return {
      ...{ kind: step.kind, document: documents.fileOf(step.document), subject: step.subject, sql },
      line: stepLine(step, documents),
      ...{ changes, moreChanges: own.length - changes.length, locks, losses, failing },
      ...{
        needsConsent: consents,
        isOptional: step.isOptional ?? false,
        sessionOnly: step.sessionOnly ?? false,
        notes: [...notes, ...(step.notes ?? [])],
      },
    };
  });
}

/** Characters of values that fit into a line: of a text, a number or a list of such, and of objects, which are harder to read. */
const lineMax = 120;
const objectMax = 60;

/** Returns the values that a step changes: each member of an object, else the value as a whole. */
function changesOf({ detail, values: given }: Step, hasSql: boolean): FieldChange[] {
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
function sizeOf({ field, before, after, diff }: FieldChange): number {
  const texts = [field, before ?? "", after ?? "", diff ?? ""];
  // The names of the members have about as many.
  return texts.reduce((sum, { length }) => sum + length, 60);
}

/** Returns as many changes as have a size, the last with the lines of its diff that fit. */
function within(changes: readonly FieldChange[], size: number): FieldChange[] {
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
function commonLimit(sizes: readonly number[], total: number): number {
  let left = total;
  for (const [index, size] of sizes.toSorted((a, b) => a - b).entries()) {
    const share = left / (sizes.length - index);
    if (size > share) return share;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}
