import type { RunActor } from "@rowhouse/access";
import type { Queryable } from "@rowhouse/db";
import type { JsonObject } from "../base/json.ts";
import { RunFault } from "../base/run-fault.ts";
import type { EffectStep } from "../definition/definition.ts";
import { renderedTextOf } from "../interpret/render-input.ts";
import type { FileReader, RunFile } from "./run-files.ts";
import { parseOutsideJson, toStorable } from "./stored-text.ts";

type ReadFileStep = Extract<EffectStep, { kind: "readFile" }>;

/** The limit of all attachments of one mail, in bytes. */
const attachmentBytesMax = 10_485_760;

/**
 * Reads a file into the run.
 *
 * @throws RunFault FILE_TOO_LARGE, FILE_CONTENT_INVALID for bytes that are not the text or the JSON that the step
 * expects; AppError NOT_FOUND for a file that the user may not read
 */
export async function readFileStep(
  files: FileReader,
  step: ReadFileStep,
  input: JsonObject,
  as: RunActor,
  on: Queryable | undefined,
): Promise<unknown> {
  const file = await files.describe(renderedTextOf(input.file), as, on);
  const { id, name, mediaType, bytes } = file;
  if (bytes > step.bytesMax) {
    const message = `The file has ${bytes} bytes; bytesMax of the step is ${step.bytesMax}`;
    throw new RunFault("FILE_TOO_LARGE", message);
  }
  return { id, name, mediaType, bytes, content: contentOf(await files.read(file), step.as) };
}

function contentOf(bytes: Uint8Array, as: ReadFileStep["as"]): unknown {
  if (as === "base64") return Buffer.from(bytes).toString("base64");
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new RunFault("FILE_CONTENT_INVALID", "The file is not a text in UTF-8");
  }
  return toStorable(
    as === "json" ? parseOutsideJson(text, "FILE_CONTENT_INVALID", "The file") : text,
  );
}

/**
 * Describes the files that a mail attaches. The right to read them is checked here and again at the delivery.
 *
 * @throws RunFault ATTACHMENTS_TOO_LARGE; AppError NOT_FOUND for a file that the user may not read
 */
export async function describeAttachments(
  files: FileReader,
  ids: readonly string[],
  as: RunActor,
  on?: Queryable,
): Promise<RunFile[]> {
  const found: RunFile[] = [];
  let bytes = 0;
  for (const id of ids) {
    const file = await files.describe(id, as, on);
    bytes += file.bytes;
    found.push(file);
  }
  if (bytes > attachmentBytesMax) {
    const message = `The attachments have ${bytes} bytes; a mail may have ${attachmentBytesMax}`;
    throw new RunFault("ATTACHMENTS_TOO_LARGE", message);
  }
  return found;
}
