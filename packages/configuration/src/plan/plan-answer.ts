import type { ChangePreview } from "@rowhouse/ddl";
import { isObject, writeExactJson } from "@rowhouse/wire";
import type { Documents, Step, StepKind } from "../model/part.ts";
import { type RehearsedStep, stepLine } from "./rehearse.ts";

/** A value that a step changes. Values are JSON; null if there is none. */
export interface FieldChange {
  /** The place in what the step changes: `grants.READ.filter`. */
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
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
  /** Changes that a long list leaves out. */
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

/** Characters of a value; a longer one is cut, and says so. */
const valueMax = 1_000;
const changesMax = 50;
/** Characters of all values of a plan. */
const charsMax = 2_000_000;

/** Returns the steps as their reader gets them. A secret is in no step: documents only name them. */
export function describeSteps(
  steps: readonly RehearsedStep[],
  documents: Documents,
): readonly PlannedStep[] {
  let left = charsMax;
  return steps.map(({ step, preview, consents }): PlannedStep => {
    const all = changesOf(step, preview.sql.length > 0);
    const changes: FieldChange[] = [];
    for (const change of all) {
      if (changes.length === changesMax || left <= 0) break;
      left -= (change.before?.length ?? 0) + (change.after?.length ?? 0);
      changes.push(change);
    }
    const { sql, locks, losses, failingRows: failing, notes } = preview;
    return {
      ...{ kind: step.kind, document: documents.fileOf(step.document), subject: step.subject, sql },
      line: stepLine(step, documents),
      ...{ changes, moreChanges: all.length - changes.length, locks, losses, failing },
      ...{
        needsConsent: consents,
        isOptional: step.isOptional ?? false,
        sessionOnly: step.sessionOnly ?? false,
        notes,
      },
    };
  });
}

function changesOf({ detail, values: given }: Step, hasSql: boolean): FieldChange[] {
  const changes: FieldChange[] = [];
  // Otherwise its SQL says what it does.
  if (given === undefined && hasSql) return changes;
  const values = given ?? { before: null, after: detail };
  addChanges(changes, [], values.before, values.after);
  return changes;
}

/** Compares members of objects, and items of lists of objects by their place. */
function addChanges(
  changes: FieldChange[],
  place: readonly string[],
  before: unknown,
  after: unknown,
): void {
  const [was, is] = [textOf(before), textOf(after)];
  if (was === is) return;
  const [old, now] = [membersOf(before), membersOf(after)];
  const names = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])];
  const isSameKind = is === null || was === null || Array.isArray(before) === Array.isArray(after);
  const isLeaf = (was !== null && old === undefined) || (is !== null && now === undefined);
  if (names.length === 0 || isLeaf || !isSameKind) {
    changes.push({ field: place.join("."), before: cut(was), after: cut(is) });
    return;
  }
  const { length } = changes;
  for (const name of names) addChanges(changes, [...place, name], old?.[name], now?.[name]);
  // Another order of the same items.
  if (changes.length === length) {
    changes.push({ field: place.join("."), before: cut(was), after: cut(is) });
  }
}

type Members = Readonly<Record<string, unknown>>;

/**
 * Returns the members of an object, or the items of a list of objects by their names or ids; undefined for a value that is
 * shown as a whole.
 */
function membersOf(value: unknown): Members | undefined {
  if (isObject(value)) return value;
  if (!Array.isArray(value) || value.length === 0 || !value.every(isObject)) return undefined;
  const members = Object.fromEntries(
    value.map((item: Members, index) => [String(item.name ?? item.id ?? index), item]),
  );
  return Object.keys(members).length === value.length ? members : { ...value };
}

function textOf(value: unknown): string | null {
  return value === undefined || value === null ? null : writeExactJson(value);
}

function cut(text: string | null): string | null {
  if (text === null || text.length <= valueMax) return text;
  return `${text.slice(0, valueMax)}… (${text.length} characters)`;
}
