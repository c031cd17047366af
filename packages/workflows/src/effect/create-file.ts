import type { CreateRowInput, RunActor } from "@rowhouse/access";
import { DocumentFault, type Documents } from "@rowhouse/templates";
import { exactNumberText } from "@rowhouse/wire";
import { type JsonObject, mapLeaves } from "../base/json.ts";
import { RunFault, stepTimeout } from "../base/run-fault.ts";
import type { EffectStep } from "../definition/definition.ts";
import { renderedTextOf } from "../interpret/render-input.ts";
import type { Claim } from "../model/run.ts";
import { requireToken } from "../model/run-token.ts";
import { capture, conclude, writeRowsOfRun } from "./carry-out.ts";
import type { EffectDeps } from "./effect-deps.ts";
import type { Flight } from "./flight.ts";
import type { UploadInput } from "./run-files.ts";

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
  await writeRowsOfRun(deps, claim, flight, {
    schema: "system",
    work: (on) => deps.rows.createRow(fileRowOf(step, input, uploadId), as, on),
  });
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

/** Every character of base64, in groups of four. */
const base64Form = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Makes the file of a step, from its rendered templates.
 *
 * @throws RunFault FILE_INVALID, FILE_CONTENT_INVALID, and the codes of `Documents.render`
 */
export async function newFileOf(
  documents: Documents,
  step: NewFileStep,
  input: JsonObject,
  signal: AbortSignal,
): Promise<UploadInput> {
  const name = renderedTextOf(input.name);
  if (step.kind === "storeFile") {
    const claimedType = step.mediaType ?? null;
    return { name, claimedType, content: bytesOf(renderedTextOf(input.content), step.encoding) };
  }
  const request = {
    key: step.template,
    language: input.language === null ? null : renderedTextOf(input.language),
    // A number that a double cannot represent keeps its digits.
    data: mapLeaves(input.data, (leaf) => exactNumberText(leaf) ?? leaf) as JsonObject,
    isPdf: step.pdf,
  };
  const { mediaType, content } = await documents.render(request, signal).catch(asRunFault);
  return { name, claimedType: mediaType, content };
}

/** Returns the row of a new file, which takes the bytes of an upload. */
export function fileRowOf(
  step: NewFileStep,
  { name, title, description, folderId }: JsonObject,
  uploadId: string,
): CreateRowInput {
  const given = { title, description, folder_id: folderId, visibility: step.visibility };
  const values = Object.fromEntries(
    // What is not given is the default of the column or a preset, and needs no right to write.
    Object.entries(given).filter(([, value]) => value !== null && value !== undefined),
  );
  return { schema: "system", table: "files", values: { name, ...values, content: uploadId } };
}

function bytesOf(content: string, encoding: "text" | "base64"): Uint8Array {
  if (encoding === "text") return Buffer.from(content);
  if (base64Form.test(content)) return Buffer.from(content, "base64");
  throw new RunFault("FILE_CONTENT_INVALID", "The content of the file is not valid base64");
}

function asRunFault(error: unknown): never {
  throw error instanceof DocumentFault ? new RunFault(error.code, error.message, error) : error;
}
