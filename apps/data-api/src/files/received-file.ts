import { createError, createFault, throwFaults } from "@rowhouse/errors";
import type { UploadInput } from "@rowhouse/files";
import { parseQueryStrict, splitQuery } from "@rowhouse/http";
import { isStorableText } from "@rowhouse/wire";
import type { FileFields } from "./file-rows.ts";
import { openMultipart } from "./multipart-file.ts";
import { uploadBody } from "./upload-body.ts";

/** A file in the body of a request, whose bytes still arrive. */
export interface ReceivedFile {
  readonly input: UploadInput;
  /** The fields of its row. */
  readonly fields: FileFields;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The fields of a row that an upload sets beside its bytes. */
export const settableFields: ReadonlySet<string> = new Set([
  "name",
  "title",
  "description",
  "folder_id",
  "visibility",
]);

const multipart = /^multipart\/form-data[ \t]*(?:;|$)/i;

/**
 * Reads a request that creates a file: a form with the fields before the file, or the bytes alone with the fields in
 * the query.
 *
 * @throws AppError QUERY_INVALID, BODY_INVALID
 */
export async function receiveFile(request: Request, stallMs: number): Promise<ReceivedFile> {
  const { headers } = request;
  const bytes = uploadBody(request.body, stallMs);
  const type = headers.get("content-type");
  if (type === null || !multipart.test(type)) {
    const { single } = parseQueryStrict(request.url, { single: [...settableFields] });
    const input = { claimedType: type, length: lengthOf(headers) };
    return receivedOf(single, "QUERY_INVALID", null, input, bytes);
  }
  const [, query] = splitQuery(request.url);
  throwFaults(
    [...new URLSearchParams(query).keys()].map((path) =>
      createFault("QUERY_INVALID", { path, message: "A form has its fields in the body" }),
    ),
  );
  const { fields, name, claimedType, content } = await openMultipart(headers, bytes);
  throwFaults(
    [...fields.keys()]
      .filter((path) => !settableFields.has(path))
      .map((path) => createFault("BODY_INVALID", { path, message: "Unknown field" })),
  );
  return receivedOf(fields, "BODY_INVALID", name, { claimedType, length: null }, content);
}

function receivedOf(
  texts: ReadonlyMap<string, string>,
  code: "QUERY_INVALID" | "BODY_INVALID",
  nameOfPart: string | null,
  input: Omit<UploadInput, "name">,
  content: AsyncIterable<Uint8Array>,
): ReceivedFile {
  const name = texts.get("name") ?? nameOfPart;
  if (name === null) {
    throw createError(code, { path: "name", message: "name is required: the name of the file" });
  }
  requireStorable("name", [name]);
  requireStorable("Content-Type", [input.claimedType]);
  return { input: { ...input, name }, fields: fieldsOf(texts, name), content };
}

/** @throws AppError BODY_INVALID for a text that PostgreSQL cannot store */
export function requireStorable(path: string, texts: readonly (string | null)[]): void {
  if (texts.every((text) => text === null || isStorableText(text))) return;
  const message = "Text must not contain NUL or a lone surrogate";
  throw createError("BODY_INVALID", { path, message });
}

/** The fields of a row from texts; an empty text is null. */
export function fieldsOf(texts: ReadonlyMap<string, string>, name: string): FileFields {
  const given = [...texts].filter(([key]) => key !== "name");
  return { ...Object.fromEntries(given.map(([key, text]) => [key, text || null])), name };
}

/** The declared size; null for a chunked body. */
export function lengthOf(headers: Headers): number | null {
  const length = headers.get("content-length");
  return length === null ? null : Number(length);
}
