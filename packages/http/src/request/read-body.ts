import type { IncomingMessage } from "node:http";
import {
  AppError,
  createError,
  createFault,
  escapePointer,
  type Fault,
  throwFaults,
} from "@rowhouse/errors";
import { type JsonValue, type ParseJsonOptions, parseJson } from "./parse-json.ts";

export interface ReadBodyOptions {
  /** The size limit of the body as sent, in bytes. */
  readonly bytesMax: number;
  /** The request as Node parsed it: a short body has mostly arrived with it. */
  readonly incoming?: IncomingMessage | undefined;
}

export interface ReadJsonBodyOptions extends ReadBodyOptions, ParseJsonOptions {}

const jsonMediaType = /^application\/json[ \t]*(?:;|$)/i;
// "Fatal" applies to the decoding only: the decoder throws instead of inserting U+FFFD.
const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads and parses a body of `application/json`.
 *
 * @throws `UNSUPPORTED_MEDIA_TYPE`, `BODY_TOO_LARGE`, or `BODY_INVALID` as `parseJson` does
 */
export async function readJsonBody(
  request: Request,
  options: ReadJsonBodyOptions,
): Promise<JsonValue> {
  return parseJson(await readJsonBodyText(request, options), options);
}

/**
 * Reads a body of `application/json` as text, unparsed.
 *
 * @throws `UNSUPPORTED_MEDIA_TYPE`, `BODY_TOO_LARGE`, or `BODY_INVALID` for bytes that are not UTF-8
 */
export async function readJsonBodyText(
  request: Request,
  options: ReadBodyOptions,
): Promise<string> {
  requireJson(request);
  return decodeText(await readBodyBytes(request, options));
}

/**
 * Reads a body of `application/json` as text; `{}` for a request without a body, whatever type it declares.
 *
 * @throws as `readJsonText`
 */
export async function readOptionalJsonText(
  request: Request,
  options: ReadBodyOptions,
): Promise<string> {
  const bytes = await readBodyBytes(request, options);
  if (bytes.length === 0) return "{}";
  requireJson(request);
  return decodeText(bytes);
}

/** Decodes a body; `BODY_INVALID` if it is not UTF-8. */
export function decodeText(bytes: Uint8Array | ArrayBuffer): string {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    throw createError("BODY_INVALID", { message: "The body is not UTF-8 text", cause: error });
  }
}

/** Throws `UNSUPPORTED_MEDIA_TYPE` unless the request declares plain `application/json`. */
export function requireJson(request: Request): void {
  const type = request.headers.get("content-type");
  const encoding = request.headers.get("content-encoding");
  const plain = encoding === null || encoding.toLowerCase() === "identity";
  if (type === null || !jsonMediaType.test(type) || !plain) {
    throw createError("UNSUPPORTED_MEDIA_TYPE");
  }
}

/**
 * Reads a body, at most `bytesMax` bytes of it.
 *
 * @throws `BODY_TOO_LARGE`, or `BODY_INVALID` if the caller disconnected before the end
 */
export async function readBodyBytes(
  request: Request,
  options: ReadBodyOptions,
): Promise<Uint8Array> {
  requireBodyLength(request, options);
  const length = request.headers.get("content-length");
  try {
    // The server's parser ends a body at its Content-Length, so the size is known to be within the limit.
    if (length !== null) {
      const arrived = await bodyOf(options.incoming, Number(length));
      return arrived ?? new Uint8Array(await request.arrayBuffer());
    }
    return await readChunks(request, options);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw createError("BODY_INVALID", { message: "The body could not be read", cause: error });
  }
}

/** Returns a body that has arrived; undefined if a part is missing. A stream of the web costs ten times as much. */
async function bodyOf(
  incoming: IncomingMessage | undefined,
  length: number,
): Promise<Uint8Array | undefined> {
  if (incoming === undefined || length === 0) return undefined;
  // The parser reads the body in the packet of the headers before the promises go on.
  await undefined;
  if (incoming.readableDidRead || incoming.readableLength !== length) return undefined;
  const bytes = incoming.read() as Buffer | null;
  // Reads the end of the body.
  incoming.resume();
  return bytes ?? undefined;
}

/** A body that is read at most once. */
export interface RequestBody {
  /** The declared size in bytes; null without one. */
  readonly declaredBytes: number | null;
  /** @throws as `readBodyBytes` */
  read(bytesMax: number): Promise<Uint8Array>;
}

export function openBody(request: Request): RequestBody {
  const length = request.headers.get("content-length");
  let bytes: Promise<Uint8Array> | undefined;
  return {
    declaredBytes: length === null ? null : Number(length),
    read: async (bytesMax) => {
      requireBodyLength(request, { bytesMax });
      bytes ??= readBodyBytes(request, { bytesMax });
      return bytes;
    },
  };
}

/** Throws `BODY_TOO_LARGE` for a request that declares a longer body. */
function requireBodyLength(request: Request, options: ReadBodyOptions): void {
  const length = request.headers.get("content-length");
  if (length !== null && Number(length) > options.bytesMax) throw tooLarge(options);
}

async function readChunks(request: Request, options: ReadBodyOptions): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (request.body === null) return new Uint8Array();
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > options.bytesMax) throw tooLarge(options);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(options: ReadBodyOptions) {
  return createError("BODY_TOO_LARGE", {
    message: `The body is larger than ${options.bytesMax} bytes`,
  });
}

/**
 * Returns the `data` of a body `{ "data": … }`.
 *
 * @throws `BODY_INVALID` for a body without it, or with other fields
 */
export function requireData(body: JsonValue): JsonValue {
  if (typeof body !== "object" || body === null || Array.isArray(body) || !("data" in body)) {
    throw createError("BODY_INVALID", {
      message: 'The body must be an object with "data"',
      path: "/data",
    });
  }
  throwFaults(strangers(body));
  return body.data as JsonValue;
}

/** Fields besides `data`. */
function* strangers(body: object): Generator<Fault> {
  for (const key of Object.keys(body)) {
    if (key === "data") continue;
    yield createFault("BODY_INVALID", {
      message: "Unknown field",
      path: `/${escapePointer(key)}`,
    });
  }
}
