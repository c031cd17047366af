import { stepTimeout } from "../base/run-fault.ts";
import type { EffectStep } from "../definition/definition.ts";
import type { Claim } from "../model/run.ts";
import { type RunActor, requireToken } from "../model/run-token.ts";
import { capture, conclude, writeRows } from "./carry-out.ts";
import type { EffectDeps } from "./effect-deps.ts";
import { fileRowOf, newFileOf } from "./file-input.ts";
import type { Flight } from "./flight.ts";

type NewFileStep = Extract<EffectStep, { kind: "renderDocument" | "storeFile" }>;

/**
 * Makes a file. Its bytes are stored first, as an upload, and its row takes them in the transaction of the journal
 * entry: if the worker is killed in between, the upload has no file and is deleted later.
 */
export async function createFile(
  deps: EffectDeps,
  claim: Claim,
  flight: Flight,
  step: NewFileStep,
  as: RunActor,
): Promise<void> {
  const { input } = flight.request;
  let uploadId = "";
  const stored = await capture(flight, async () => {
    await requireToken(deps.database, claim.token);
    uploadId = await withinTime(step.timeoutMs, flight.signal, async (signal) =>
      deps.files.upload(await newFileOf(deps.documents, step, input, signal), as, signal),
    );
    return { kind: "OUTPUT", output: uploadId };
  });
  if (stored.kind === "FAULT") return conclude(deps, flight, stored);
  await writeRows(deps, claim, flight, (on) =>
    deps.rows.createRow(fileRowOf(step, input, uploadId), as, on),
  );
  // After a fault no row has taken it.
  await deps.files.discard(uploadId, as);
}

/** Runs `work` within the time limit of a step, in milliseconds. @throws RunFault STEP_TIMEOUT */
export async function withinTime<Result>(
  timeoutMs: number | undefined,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (timeoutMs === undefined) return work(signal);
  const limit = AbortSignal.timeout(timeoutMs);
  return work(AbortSignal.any([signal, limit])).catch((error: unknown) => {
    throw limit.aborted ? stepTimeout() : error;
  });
}
