import { setImmediate as nextTurn } from "node:timers/promises";
import { AppError, createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { readWithin } from "@rowhouse/limits";
import { type CsvRecord, countLineBreaks, textOfCell } from "@rowhouse/wire";
import {
  type CharacterEncoding,
  type ImportFormat,
  type ImportRequest,
  rowPointer,
} from "./import-request.ts";
import { CsvParser, type Line, LineParser } from "./parse-records.ts";

/** A file whose header has been read. */
export type OpenFile = (
  | {
      readonly format: "CSV";
      readonly header: { readonly names: readonly string[] };
      readonly items: AsyncIterable<readonly CsvRecord[]>;
    }
  | {
      readonly format: "NDJSON";
      readonly header: null;
      readonly items: AsyncIterable<readonly Line[]>;
    }
) & { close(): Promise<void> };

/** Maximum number of columns of a PostgreSQL table. */
const columnsMax = 1600;

/**
 * Reads the header of a file, and returns its rows as they arrive.
 *
 * @param charsMax maximum length of a row
 * @throws AppError BODY_INVALID with every fault of the header, or the errors of `chunks`
 */
export async function openFile(
  { format, form }: ImportRequest,
  chunks: AsyncGenerator<string, void, undefined>,
  charsMax: number,
): Promise<OpenFile> {
  const close = async () => {
    await chunks.return();
  };
  if (format === "NDJSON") {
    const items = parsed(chunks, new LineParser(charsMax), []);
    return { format, header: null, items, close };
  }
  const parser = new CsvParser(charsMax, form.delimiter);
  try {
    let records: CsvRecord[] = [];
    for (let isDone = false; records.length === 0; ) {
      if (isDone) throw createError("BODY_INVALID", { message: noHeader });
      const { value = "", done = false } = await chunks.next();
      isDone = done;
      records = parser.push(value, isDone);
    }
    const [head, ...first] = records;
    const header = { names: namesOf(head) };
    return { format, header, items: parsed(chunks, parser, first), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const noHeader = "The first line must name the columns";

/** Yields parsed rows for each chunk. */
async function* parsed<Item>(
  chunks: AsyncGenerator<string, void, undefined>,
  parser: { push(text: string, isLast: boolean): Item[] },
  first: Item[],
): AsyncGenerator<readonly Item[], void, undefined> {
  if (first.length > 0) yield first;
  for (;;) {
    const { value = "", done = false } = await chunks.next();
    const items = parser.push(value, done);
    if (items.length > 0) yield items;
    if (done) return;
  }
}

/** @throws AppError BODY_INVALID */
function namesOf(head: CsvRecord | undefined): string[] {
  const { cells, line } = head ?? { cells: null, line: 1 };
  const details = { line };
  if (cells === null) throw createError("BODY_INVALID", { message: noHeader, details });
  if (cells.length > columnsMax) {
    const message = `The header names at most ${columnsMax} columns`;
    throw createError("BODY_INVALID", { message, details });
  }
  const names = cells.map((cell) => (cell === null ? "" : textOfCell(cell)));
  throwFaults(faultsOf(names, line));
  return names;
}

function* faultsOf(names: readonly string[], line: number): Generator<Fault> {
  const seen = new Set<string>();
  for (const [index, name] of names.entries()) {
    if (name === "") {
      const message = `Column ${index + 1} of the header has no name`;
      yield createFault("BODY_INVALID", { message, details: { line } });
    } else if (seen.has(name)) {
      const path = `/${rowPointer(0, name).slice(3)}`;
      const message = "The header names a column twice";
      yield createFault("BODY_INVALID", { path, message, details: { line } });
    }
    seen.add(name);
  }
}

export interface ReadChunksOptions {
  readonly format: ImportFormat;
  readonly encoding: CharacterEncoding;
  readonly bytesMax: number;
  /** Milliseconds without a byte from the sender, after which the import ends. */
  readonly stallMs: number;
  /** Milliseconds from the first read, after which the import ends although its sender still sends. */
  readonly timeoutMs: number;
  /** Receives each chunk. */
  readonly onBytes: (bytes: Uint8Array) => void;
}

/** Bytes that are parsed before other requests get their turn. */
const sliceBytes = 65_536;

/**
 * Yields the text of a body in parts of a bounded size. The sender is read at the speed of the reader.
 *
 * @throws AppError BODY_TOO_LARGE; QUERY_TIMEOUT; BODY_INVALID for a body that breaks off, stalls or is not in the encoding
 */
export async function* readChunks(
  body: ReadableStream<Uint8Array>,
  { format, encoding, bytesMax, stallMs, timeoutMs, onBytes }: ReadChunksOptions,
): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const deadline = performance.now() + timeoutMs;
  const decoder = createBodyDecoder(encoding, true);
  let size = 0;
  // A CR within a line of NDJSON is white space.
  const linesOf = (text: string) => (format === "CSV" ? text : text.replaceAll("\r", ""));
  let line = 1;
  let previous = "";
  const read = (bytes: Uint8Array | undefined) => {
    const text = decode(decoder, encoding, bytes, (valid) => {
      return line + countLineBreaks(linesOf(valid), previous);
    });
    const lines = linesOf(text);
    line += countLineBreaks(lines, previous);
    if (lines !== "") previous = lines;
    return text;
  };
  try {
    for (;;) {
      // The transaction has the same limit, but the header is read before it begins.
      if (performance.now() > deadline) throw createError("QUERY_TIMEOUT");
      const { done, value } = await readNext(reader, stallMs);
      if (done) break;
      size += value.byteLength;
      if (size > bytesMax) {
        throw createError("BODY_TOO_LARGE", {
          message: `An import has at most ${bytesMax} bytes (limits.import_bytes)`,
        });
      }
      for (let at = 0; at < value.byteLength; at += sliceBytes) {
        const slice = value.subarray(at, at + sliceBytes);
        onBytes(slice);
        yield read(slice);
        await nextTurn();
      }
    }
    yield read(undefined);
  } finally {
    // To cancel the stream would close the connection before its response.
    reader.releaseLock();
  }
}

async function readNext(reader: ReadableStreamDefaultReader<Uint8Array>, stallMs: number) {
  const stalled = () =>
    createError("BODY_INVALID", {
      message: `The body stalled for ${stallMs} ms (limits.import_stall_ms)`,
    });
  try {
    return await readWithin(reader, stallMs, stalled);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw createError("BODY_INVALID", { message: "The body could not be read", cause });
  }
}

function decode(
  decoder: BodyDecoder,
  encoding: CharacterEncoding,
  bytes: Uint8Array | undefined,
  lineAfter: (valid: string) => number,
): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    const [valid = ""] = createBodyDecoder(encoding, false).decode(bytes).split("\ufffd", 1);
    throw createError("BODY_INVALID", {
      message: `The body is not ${encoding.toUpperCase()} text`,
      details: { line: lineAfter(valid) },
      cause,
    });
  }
}

/** Converts the bytes of a body to text as they arrive. */
interface BodyDecoder {
  /**
   * @param bytes the next ones; undefined at the end
   * @throws TypeError for bytes that are no text of the encoding
   */
  decode(bytes: Uint8Array | undefined): string;
}

/** Returns a decoder. In UTF-16 a byte order mark decides the order of the bytes; without one it is little-endian. */
function createBodyDecoder(encoding: CharacterEncoding, fatal: boolean): BodyDecoder {
  let decoder = encoding === "utf-16" ? undefined : new TextDecoder(encoding, { fatal });
  let start = new Uint8Array(0);
  return {
    decode: (bytes) => {
      if (decoder === undefined) {
        start = new Uint8Array(Buffer.concat([start, bytes ?? new Uint8Array(0)]));
        if (start.length < 2 && bytes !== undefined) return "";
        const isBig = start[0] === 0xfe && start[1] === 0xff;
        decoder = new TextDecoder(isBig ? "utf-16be" : "utf-16le", { fatal });
        if (bytes !== undefined) return decoder.decode(start, { stream: true });
        return decoder.decode(start);
      }
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    },
  };
}
