import { toAppError } from "@rowhouse/db";
import { cascadeRemedy } from "@rowhouse/ddl";
import { AppError, createFault, type Fault } from "@rowhouse/errors";
import { Faults, fileFault, withMissing } from "../documents/document-faults.ts";
import type { Document } from "../model/document.ts";
import {
  type Documents,
  noEffects,
  type Part,
  type Step,
  type StepPreview,
  type World,
} from "../model/part.ts";
import { collecting } from "../run/executed.ts";
import { runInSavepoint, WaitingSteps } from "../run/waiting.ts";
import type { Position } from "../yaml/yaml-text.ts";
import { partsOf } from "./read-configuration.ts";

/** A step with its effects. */
export interface RehearsedStep {
  readonly step: Step;
  readonly preview: StepPreview;
  /** Every consent that it needs. */
  readonly consents: readonly string[];
}

const dependent: StepPreview = {
  ...noEffects,
  notes: [
    "The plan could not try this step, because it depends on one that would lock a table in use; it is checked when the plan is applied.",
  ],
};

/**
 * Runs the steps that lock nothing that others use, and previews the others.
 *
 * @param isWhole whether they need no other step
 * @throws AppError with the faults of the steps of one stage, each with its file and line
 */
export async function rehearse(
  world: World,
  steps: readonly Step[],
  documents: Documents,
  isWhole: boolean,
): Promise<RehearsedStep[]> {
  const effects = new Map<Step, StepPreview>();
  const faults = new Faults();
  const previewed: Step[] = [];
  const isTried = (step: Step) => isWhole && !previewed.some((other) => isUsedBy(other, step));
  const waiting = new WaitingSteps(
    async (step) => void effects.set(step, await effectsOf(world, step, isTried(step))),
    (step, error) => {
      const failure = error instanceof AppError ? error : toAppError(error);
      if (failure.status >= 500) throw failure;
      if (!isTried(step)) effects.set(step, dependent);
      else faults.add(...failure.faults.map((fault) => placed(step, documents, fault)));
    },
  );
  let stage = 0;
  for (const step of steps) {
    if (step.order !== stage) {
      await waiting.begin(step.order);
      // What comes after a fault would often fail because of it.
      if (!faults.isEmpty) break;
    }
    stage = step.order;
    await waiting.run(step);
    if (step.preview !== undefined) previewed.push(step);
  }
  if (faults.isEmpty) await waiting.begin(Number.POSITIVE_INFINITY);
  waiting.giveUp();
  faults.throwAll();
  return steps.flatMap((step) => {
    const preview = effects.get(step);
    return preview === undefined ? [] : [withConsents(step, preview)];
  });
}

function isUsedBy({ isUsedBy: isUsed }: Step, other: Step): boolean {
  return isUsed === undefined || isUsed(other);
}

async function effectsOf(world: World, step: Step, isTried: boolean): Promise<StepPreview> {
  if (step.preview !== undefined) return step.preview(world, isTried);
  const sql: string[] = [];
  const database = collecting(world.database, sql);
  // What is rolled back needs nobody's consent.
  const tried = { ...world, database, isTrial: true };
  await (step.isAtomic === true
    ? step.run(tried, () => true)
    : runInSavepoint(tried, step, () => true));
  return { ...noEffects, sql };
}

function withConsents(step: Step, preview: StepPreview): RehearsedStep {
  const asked = preview.confirmations.map(({ confirm }) => confirm);
  return { step, preview, consents: [step.consent ?? [], asked].flat() };
}

/** Returns a fault of a step at its place in the document. */
export function placed(step: Step, documents: Documents, fault: Fault): Fault {
  const document = findDocument(documents, step.document);
  const place = fault.path === undefined ? undefined : step.locate?.(fault.path);
  const message = fault.message.replace(
    cascadeRemedy,
    "drop them as well, or change them in an apply before",
  );
  if (document === undefined) {
    return fileFault(documents.fileOf(step.document), message, undefined, fault.code);
  }
  const position = positionIn(fault) ?? step.position;
  const at = document.faultAt(place ?? [], message, fault.code, position);
  return withMissing(at, fault);
}

/** Returns the place of a fault inside the text of a file beside a document. */
function positionIn({ details = {} }: Fault): Position | undefined {
  const { line, column } = details;
  return typeof line === "number" && typeof column === "number" ? { line, column } : undefined;
}

/** Returns the line of a document that asks for a step; null if the document is deleted. */
export function stepLine(step: Step, documents: Documents): number | null {
  const { details = {} } = placed(step, documents, createFault("VALUE_INVALID", { path: "" }));
  return typeof details.line === "number" ? details.line : null;
}

function findDocument(documents: Documents, path: string): Document | undefined {
  for (const part of partsOf(documents.parts)) {
    const document = documents.of(part as Part<unknown>).get(path);
    if (document !== undefined) return document;
  }
  return undefined;
}
