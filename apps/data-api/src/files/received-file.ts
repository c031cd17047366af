import { once } from "node:events";
import { Readable } from "node:stream";
import { Busboy, type BusboyHeaders, type BusboyInstance } from "@fastify/busboy";
import { AppError, createError, createFault, throwFaults } from "@rowhouse/errors";
import type { UploadInput } from "@rowhouse/files";
import { parseQueryStrict, splitQuery } from "@rowhouse/http";
import { isStorableText } from "@rowhouse/wire";
import type { FileFields } from "./file-rows.ts";
import { uploadBody } from "./upload-body.ts";

/** A file in the body of a request, whose bytes still arrive. */
export interface ReceivedFile {
  readonly input: UploadInput;
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
  return { input: { ...input, name }, fields: fileFieldsOf(texts, name), content };
}

/** @throws AppError BODY_INVALID for a text that PostgreSQL cannot store */
function requireStorable(path: string, texts: readonly (string | null)[]): void {
  if (texts.every((text) => text === null || isStorableText(text))) return;
  const message = "Text must not contain NUL or a lone surrogate";
  throw createError("BODY_INVALID", { path, message });
}

/** The fields of a row from texts; an empty text is null. */
export function fileFieldsOf(texts: ReadonlyMap<string, string>, name: string): FileFields {
  const given = [...texts].filter(([key]) => key !== "name");
  return { ...Object.fromEntries(given.map(([key, text]) => [key, text || null])), name };
}

/** The declared size; null for a chunked body. */
export function lengthOf(headers: Headers): number | null {
  const length = headers.get("content-length");
  return length === null ? null : Number(length);
}

/** The file of a multipart body, and the fields before it. */
export interface MultipartFile {
  readonly fields: ReadonlyMap<string, string>;
  readonly name: string;
  readonly claimedType: string;
  /** The bytes, at the speed of their reader. It fails if the body goes on behind the file. */
  readonly content: AsyncIterable<Uint8Array>;
}

const limits = { fields: 20, fieldSize: 65_536, fieldNameSize: 100, files: 1, headerPairs: 20 };

/**
 * Reads a body of `multipart/form-data` up to its one file, whose part is named `file` and is the last one.
 *
 * @throws AppError BODY_INVALID, and any error of `body`
 */
async function openMultipart(
  headers: Headers,
  body: AsyncIterable<Uint8Array>,
): Promise<MultipartFile> {
  const fields = new Map<string, string>();
  const parser = createParser(headers);
  const source = Readable.from(body, { objectMode: false });
  // Errors of the body reach the reader of the file.
  source.on("error", (error) => parser.destroy(error));
  return new Promise((resolve, reject) => {
    let isFound = false;
    parser.on("field", (name, value, isNameCut, isValueCut) => {
      if (isNameCut || isValueCut) parser.destroy(invalid(`The field ${name} is too long`));
      else if (isFound) parser.destroy(invalid("The file must be the last part of the body"));
      else if (fields.has(name)) parser.destroy(invalid(`The body has the field ${name} twice`));
      else if (isReplaced(value)) parser.destroy(notText(name));
      else fields.set(name, value);
    });
    parser.on("file", (part, file, name, _encoding, claimedType) => {
      // An error without a listener ends the process; the reader of the file, if there is one, gets it as well.
      file.on("error", () => undefined);
      isFound = true;
      if (part !== "file" || name === undefined) {
        file.resume();
        parser.destroy(invalid("The part of the file must have the name file and a file name"));
        return;
      }
      if (isReplaced(name)) {
        file.resume();
        parser.destroy(notText("file"));
        return;
      }
      const content = wholeFile(file, parser);
      resolve({ fields, name, claimedType, content });
    });
    parser.on("filesLimit", () => parser.destroy(invalid("The body must have one file")));
    parser.on("fieldsLimit", () => parser.destroy(invalid("The body has too many fields")));
    parser.on("partsLimit", () => parser.destroy(invalid("The body has too many parts")));
    parser.on("error", (error) => reject(known(error)));
    parser.on("finish", () => reject(invalid("The body has no part with the name file")));
    source.pipe(parser);
  });
}

/** Whether the parser may have replaced bytes that are not UTF-8; it does not tell them from the character itself. */
function isReplaced(text: string): boolean {
  return text.includes("\ufffd");
}

function notText(part: string) {
  return invalid(`The text of the part ${part} must be UTF-8 without U+FFFD`);
}

/** Returns the bytes of a file, which end only when the whole body has arrived. */
function wholeFile(file: Readable, parser: BusboyInstance): AsyncIterable<Uint8Array> {
  // From now on, because the body may be at fault before the first byte of the file is read.
  const finished = once(parser, "finish");
  finished.catch((error: Error) => file.destroy(error));
  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      yield* file as AsyncIterable<Uint8Array>;
      await finished;
    } catch (error) {
      throw known(error);
    }
  }
  return read();
}

function createParser(headers: Headers): BusboyInstance {
  try {
    const type = headers.get("content-type") ?? "";
    return new Busboy({ headers: { "content-type": type } as BusboyHeaders, limits });
  } catch (cause) {
    throw createError("BODY_INVALID", { message: "The body is not multipart/form-data", cause });
  }
}

function known(error: unknown): unknown {
  return error instanceof AppError
    ? error
    : invalid("The body is not valid multipart/form-data", error);
}

function invalid(message: string, cause?: unknown) {
  return createError("BODY_INVALID", { message, cause });
}
