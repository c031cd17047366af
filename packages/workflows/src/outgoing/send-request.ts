import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { endWithin } from "@rowhouse/limits";
import { RunFault } from "../base/run-fault.ts";
import {
  addressRefused,
  checkLiteralAddress,
  checkPublicHost,
  createPublicLookup,
  type HostRules,
  isAllowedHost,
  isPublicAddress,
  type ResolveName,
  systemResolver,
} from "./address-guard.ts";
import { acceptedEncodings, readContent } from "./decode-content.ts";
import { failureReason, type RequestPhase, timeoutReason } from "./failure-reason.ts";

/** A body that is read while it is sent. It cannot be sent twice, so a redirect is returned as the response. */
export interface StreamedBody {
  readonly content: Readable;
  readonly bytes: number;
}

export interface OutgoingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Headers that are never sent to another origin after a redirect, regardless of their names. */
  readonly credentials?: Readonly<Record<string, string>>;
  readonly body: Uint8Array | StreamedBody | undefined;
  /** Whether the body must not be sent to another origin either. */
  readonly bodyIsSecret?: boolean;
  /** For the whole exchange, redirects included. */
  readonly timeoutMs: number;
  readonly responseBytesMax: number;
  /** 5 by default; with 0, a redirect is returned as the response. */
  readonly redirectsMax?: number;
}

export interface OutgoingResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded: the response has no `Content-Encoding` any more. */
  readonly body: Uint8Array;
}

const redirectsMaxDefault = 5;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** The only headers that are sent to another origin after a redirect. Any other header may hold a credential. */
const harmlessHeaders: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "content-type",
  "user-agent",
]);

/**
 * Sends a request with limits. It connects only to public addresses, which are checked for each connection and each
 * redirect; another origin receives harmless headers only; size and time are bounded.
 *
 * @throws RunFault HTTP_HOST_REFUSED, HTTP_ADDRESS_REFUSED, HTTP_URL_INVALID, HTTP_TIMEOUT, HTTP_RESPONSE_TOO_LARGE,
 * HTTP_BODY_INVALID, HTTP_TOO_MANY_REDIRECTS, HTTP_REDIRECT_REFUSED, HTTP_FAILED
 */
export async function sendRequest(
  outgoing: OutgoingRequest,
  rules: HostRules,
  signal?: AbortSignal,
  resolveName: ResolveName = systemResolver,
): Promise<OutgoingResponse> {
  const { timeoutMs } = outgoing;
  const progress: Progress = { phase: "LOOKUP" };
  const late = () =>
    new RunFault(
      "HTTP_TIMEOUT",
      `No response within ${timeoutMs} ms`,
      undefined,
      timeoutReason(progress.phase),
    );
  try {
    return await endWithin({ timeoutMs, late, signal }, (stop) =>
      follow(outgoing, rules, createPublicLookup(resolveName), progress, stop),
    );
  } catch (error) {
    if (error instanceof RunFault) throw error;
    throw failed(failureReason(error, progress.phase), error);
  }
}

/** How far the current request of an exchange has come. */
interface Progress {
  phase: RequestPhase;
}

function failed(reason: string | undefined, cause?: unknown): RunFault {
  const message = "The request could not be sent, or its response could not be read";
  return new RunFault("HTTP_FAILED", message, cause, reason);
}

/** Sends a request and follows its redirects. */
async function follow(
  outgoing: OutgoingRequest,
  rules: HostRules,
  lookup: LookupFunction,
  progress: Progress,
  signal: AbortSignal,
): Promise<OutgoingResponse> {
  let url = parseUrl(outgoing.url, undefined);
  let { method, body } = outgoing;
  let headers: Readonly<Record<string, string>> = { ...outgoing.headers, ...outgoing.credentials };
  const { redirectsMax = redirectsMaxDefault } = outgoing;
  for (let redirects = 0; ; redirects += 1) {
    const request = { ...outgoing, method, headers, body };
    const response = await exchange(request, url, rules, lookup, progress, signal);
    const location = response.headers.location;
    if (!redirectStatuses.has(response.status) || location === undefined) return response;
    if (redirectsMax === 0 || isStreamed(body)) return response;
    if (redirects === redirectsMax) {
      throw new RunFault(
        "HTTP_TOO_MANY_REDIRECTS",
        `The server sent more than ${redirectsMax} redirects`,
      );
    }
    const next = parseUrl(location, url);
    const becomesGet =
      response.status === 303 ||
      ((response.status === 301 || response.status === 302) && method === "POST");
    if (becomesGet) {
      method = "GET";
      body = undefined;
    }
    if (next.origin !== url.origin) {
      if (body !== undefined && outgoing.bodyIsSecret === true) {
        throw new RunFault(
          "HTTP_REDIRECT_REFUSED",
          "The redirect would send a secret to another origin",
        );
      }
      headers = keepHarmless(outgoing.headers);
    }
    url = next;
  }
}

function parseUrl(text: string, base: URL | undefined): URL {
  let url: URL;
  try {
    url = new URL(text, base);
  } catch {
    throw new RunFault("HTTP_URL_INVALID", "url must be a valid URL");
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new RunFault("HTTP_URL_INVALID", "url must begin with http:// or https://");
  }
  if (url.username !== "" || url.password !== "") {
    throw new RunFault(
      "HTTP_URL_INVALID",
      "url must not contain credentials; send them in a header",
    );
  }
  return url;
}

function keepHarmless(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => harmlessHeaders.has(name.toLowerCase())),
  );
}

function exchange(
  outgoing: OutgoingRequest,
  url: URL,
  rules: HostRules,
  lookup: LookupFunction,
  progress: Progress,
  signal: AbortSignal,
): Promise<OutgoingResponse> {
  const isAllowed = isAllowedHost(url, rules);
  if (!isAllowed) {
    checkPublicHost(url, rules);
    checkLiteralAddress(url);
  }
  const { body } = outgoing;
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method: outgoing.method,
      headers: {
        "user-agent": "Rowhouse",
        accept: "application/json, */*;q=0.5",
        "accept-encoding": acceptedEncodings,
        ...outgoing.headers,
        ...(body === undefined ? {} : { "content-length": String(bytesOf(body)) }),
      },
      // Each request opens its own connection: a pooled one could have been checked under an older rule.
      agent: false,
      signal,
      ...(isAllowed ? {} : { lookup }),
    });
    progress.phase = isIP(url.hostname.replace(/^\[|\]$/g, "")) === 0 ? "LOOKUP" : "CONNECT";
    const reach = (phase: RequestPhase) => () => {
      progress.phase = phase;
    };
    request.on("socket", (socket) => {
      socket.once("lookup", (error) => {
        if (error === null) progress.phase = "CONNECT";
      });
      socket.once("secureConnect", reach("ANSWER"));
      socket.once("connect", () => {
        progress.phase = url.protocol === "https:" ? "TLS" : "ANSWER";
        const address = socket.remoteAddress;
        if (!isAllowed && (address === undefined || !isPublicAddress(address))) {
          request.destroy(addressRefused());
        }
      });
    });
    request.on("error", reject);
    // A response that leaves HTTP, whatever the request asked for. Without a listener Node.js closes the connection,
    // and reports neither a response nor an error.
    request.on("upgrade", (response, socket) => {
      socket.destroy();
      reject(failed(`The server switched protocols (${response.statusCode})`));
    });
    const onClose = () => reject(failed("The connection closed before a response"));
    request.on("close", onClose);
    request.on("response", (response) => {
      progress.phase = "BODY";
      request.off("close", onClose);
      readResponse(response, outgoing.responseBytesMax).then(resolve, (error: unknown) => {
        request.destroy();
        reject(error);
      });
    });
    if (isStreamed(body)) pipeline(body.content, request).catch(reject);
    else request.end(body);
  });
}

function isStreamed(body: OutgoingRequest["body"]): body is StreamedBody {
  return body !== undefined && !(body instanceof Uint8Array);
}

function bytesOf(body: Uint8Array | StreamedBody): number {
  return isStreamed(body) ? body.bytes : body.length;
}

async function readResponse(
  response: IncomingMessage,
  bytesMax: number,
): Promise<OutgoingResponse> {
  const status = response.statusCode ?? 0;
  const { "content-encoding": encoding, ...headers } = headersOf(response);
  if (encoding === undefined) {
    return { status, headers, body: await readContent(response, encoding, bytesMax) };
  }
  const { "content-length": _, ...others } = headers;
  const body = await readContent(response, encoding, bytesMax).catch((error: unknown) => {
    // The status of an error counts more than its body.
    if (status < 400 || !(error instanceof RunFault && error.code === "HTTP_BODY_INVALID"))
      throw error;
    return new Uint8Array();
  });
  return { status, headers: others, body };
}

function headersOf(response: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(response.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
    ),
  );
}
