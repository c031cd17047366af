import type { ChangePreview } from "@rowhouse/ddl";
import { Pauses } from "../documents/pauses.ts";
import type { Documents, StepKind } from "../model/part.ts";
import { changesOf, commonLimit, type FieldChange, sizeOf, within } from "./field-changes.ts";
import { type RehearsedStep, stepLine } from "./rehearse.ts";

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
