import { once } from "node:events";
import { Readable } from "node:stream";
import { Busboy, type BusboyHeaders, type BusboyInstance } from "@fastify/busboy";
import { AppError, createError } from "@rowhouse/errors";

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
export async function openMultipart(
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
