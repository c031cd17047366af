import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { type AppError, createError, renderError } from "@rowhouse/errors";
import { standardHeaders } from "../answer/respond.ts";
import { requestIdFrom } from "../request/request-id.ts";

/** Maximum length of a request's path and query, in bytes. */
const urlBytesMax = 24_576;
const headersMax = 200;
// Time for a rejected caller to read the response before the connection is closed.
const farewellMs = 300;

const host =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9._-])?|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?$/;

const absoluteForm = /^https?:\/\/([^/?#]*)([/?].*)?$/is;

/**
 * Rewrites a request whose target is an absolute URL, as clients of a proxy send it: to the path and query, and the host
 * of the URL, which takes precedence over `Host` (RFC 9112, section 3.2.2). A missing or repeated `Host` stays, for the
 * checks that follow.
 *
 * @returns `REQUEST_INVALID` for a target that is neither a URL of HTTP nor a path
 */
export function toOriginForm(incoming: IncomingMessage): AppError | undefined {
  const { url = "" } = incoming;
  if (url.startsWith("/") || isServerWide(incoming)) return undefined;
  const [, named, rest = ""] = absoluteForm.exec(url) ?? [];
  if (named === undefined || named.includes("@")) {
    return invalid("The request's target must be a path, or a URL of http or https without a user");
  }
  incoming.url = rest.startsWith("/") ? rest : `/${rest}`;
  const { headers, rawHeaders } = incoming;
  if (headers.host === undefined) return undefined;
  headers.host = named;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === "host") rawHeaders[at + 1] = named;
  }
  return undefined;
}

/** Whether a request is about the server as a whole: `OPTIONS *` (RFC 9110, section 9.3.7). */
export function isServerWide({ method, url }: Pick<IncomingMessage, "method" | "url">): boolean {
  return method === "OPTIONS" && url === "*";
}

/**
 * Checks what Node's parser accepts and no handler should receive: requests that a proxy in front may have parsed
 * differently (another version of HTTP, transfer codings besides chunked, a fragment, two hosts or none), and
 * excessively long URLs or many headers.
 *
 * @returns `REQUEST_INVALID`, `URL_TOO_LONG` or `HEADERS_TOO_LARGE`, or undefined for an acceptable request
 */
export function refusalOf(incoming: IncomingMessage): AppError | undefined {
  const { rawHeaders } = incoming;
  if ((incoming.url ?? "").length > urlBytesMax) return createError("URL_TOO_LONG");
  if (rawHeaders.length > 2 * headersMax) return createError("HEADERS_TOO_LARGE");
  if (incoming.httpVersionMajor !== 1) return invalid("The request is not HTTP/1.1");
  const coding = incoming.headers["transfer-encoding"];
  if (coding !== undefined && (!/^chunked$/i.test(coding) || incoming.httpVersionMinor === 0)) {
    return invalid("The request's length cannot be determined");
  }
  // URL parsers ignore everything after it.
  if (incoming.url?.includes("#") === true)
    return invalid("The request's target must not have a fragment");
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  const named = incoming.headers.host;
  if (hosts > 1) return invalid("The request must have a single Host header");
  if (named === undefined ? incoming.httpVersion === "1.1" : !host.test(named)) {
    return invalid("The request must have a valid Host header");
  }
  return undefined;
}

/** A socket of Node's server; `_httpMessage` is the response in progress. */
interface ServerSocket extends Socket {
  readonly _httpMessage?: { readonly headersSent: boolean } | null;
}

/** A rejected request that reached no handler. */
export interface RejectedRequest {
  readonly status: number;
  readonly requestId: string;
  readonly clientAddress: string | undefined;
}

/**
 * Responds to malformed or late bytes with a standard error and closes the connection, because the following bytes
 * cannot be parsed reliably.
 *
 * @returns the rejection; undefined if the caller disconnected or a response is in progress
 */
export function answerMalformed(error: Error, socket: ServerSocket): RejectedRequest | undefined {
  const answering = socket._httpMessage;
  if (!socket.writable || socket.writableEnded || answering?.headersSent === true) {
    if (!socket.writableEnded) socket.destroy();
    return undefined;
  }
  const requestId = requestIdFrom(undefined);
  const { status, text } = rawAnswer(refusalFor(error), requestId);
  socket.end(text);
  setTimeout(() => socket.destroy(), farewellMs).unref();
  return { status, requestId, clientAddress: socket.remoteAddress };
}

function refusalFor(error: Error): AppError {
  switch ("code" in error ? error.code : undefined) {
    case "HPE_HEADER_OVERFLOW":
      return createError("HEADERS_TOO_LARGE");
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return createError("BODY_TOO_LARGE");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return createError("REQUEST_TIMEOUT");
    default:
      return createError("REQUEST_INVALID");
  }
}

const reasons: Readonly<Record<number, string>> = {
  400: "Bad Request",
  408: "Request Timeout",
  413: "Payload Too Large",
  431: "Request Header Fields Too Large",
};

/** A response as bytes, for a connection whose request has no `ServerResponse`. */
function rawAnswer(error: AppError, requestId: string) {
  const { status, body } = renderError(error, requestId);
  const text = JSON.stringify(body);
  const headers = standardHeaders(requestId, {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(text)),
    Connection: "close",
  });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return {
    status,
    text: `HTTP/1.1 ${status} ${reasons[status] ?? "Error"}\r\n${lines.join("")}\r\n${text}`,
  };
}

function invalid(message: string): AppError {
  return createError("REQUEST_INVALID", { message });
}
