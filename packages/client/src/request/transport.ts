import { isRecord, readError } from "../errors/read-error.ts";
import { type ClientErrorCode, RowhouseError } from "../errors/rowhouse-error.ts";
import { parseJson } from "../json/read-json.ts";
import { writeJson } from "../json/write-json.ts";
import type { ClientOptions, Fetch } from "./client-options.ts";
import { readBaseUrl } from "./client-options.ts";
import type { ClientCredential } from "./credential.ts";
import { type Query, writeQuery } from "./query.ts";
import { pause, type Repeatable, repeatDelay } from "./repeat.ts";

/** A request as the parts of the client describe it. */
export type Outgoing = {
  readonly method: string;
  /** Encoded, from `/`. */
  readonly path: string;
  readonly query?: Query;
  /** Sent as JSON; undefined for no body. */
  readonly body?: unknown;
  /** A file that is sent as it is, in place of `body`. */
  readonly file?: { readonly type: string; readonly content: FileContent } | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
  readonly repeatable: Repeatable;
  /** True for routes that take no credential. */
  readonly isPublic?: boolean;
  /** False for a request that is not repeated with a new credential after a 401. */
  readonly isRenewable?: boolean;
};

/** The content of a file; a stream can be sent only once. */
export type FileContent = string | Blob | ReadableStream<Uint8Array>;

/** The response of a successful request. */
export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined for a response without a body. */
  readonly body: unknown;
};

/** Whether an attempt may have been executed although its response was lost. */
type History = { mayBeDone: boolean };

/** Sends requests, repeats them where that is safe, and turns failures into `RowhouseError`. */
export class Transport {
  readonly #base: string;
  readonly #fetch: Fetch;
  readonly #credential: ClientCredential;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions, credential: ClientCredential) {
    this.#base = readBaseUrl(options.url);
    this.#fetch = options.fetch ?? ((url, init) => fetch(url, init));
    this.#credential = credential;
    this.#options = options;
  }

  async json(request: Outgoing): Promise<Answer> {
    const history = { mayBeDone: false };
    try {
      return await this.#send(request, history, async (response) => {
        const { status, headers } = response;
        return { status, headers, body: parseBody(request, response, await response.text()) };
      });
    } catch (error) {
      // The first attempt has deleted the row, or the row was missing: either way it is absent.
      const isAbsent = error instanceof RowhouseError && error.status === 404;
      if (!isAbsent || request.method !== "DELETE" || !history.mayBeDone) throw error;
      return { status: 204, headers: new Headers(), body: undefined };
    }
  }

  /** Sends a request and returns the response as soon as its headers have arrived. */
  async stream(request: Outgoing): Promise<Response> {
    return this.#send(request, { mayBeDone: false }, async (response) => response);
  }

  async #send<Result>(
    request: Outgoing,
    history: History,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const { repeats = 2, retryAfterMaxSeconds = 30 } = this.#options;
    const rule = { repeatable: request.repeatable, repeats, retryAfterMaxSeconds };
    const json = request.body === undefined ? undefined : writeJson(request.body);
    const body = request.file?.content ?? json;
    const isOnce = body instanceof ReadableStream;
    const url = `${this.#base}${request.path}${writeQuery(request.query ?? [])}`;
    // A repeat keeps the secret, although the client may have another one by then.
    let secret = request.isPublic === true ? null : this.#credential.secret;
    const { period } = this.#credential;
    let isRenewed = false;
    for (let sent = 1; ; ) {
      try {
        return await this.#attempt(request, url, body, secret, read);
      } catch (error) {
        request.signal?.throwIfAborted();
        if (!(error instanceof RowhouseError) || isOnce) throw error;
        if (isRejected(request, error) && !isRenewed) {
          const renewed = await this.#credential.renewed(secret, period, request.signal);
          if (renewed === null) throw error;
          secret = renewed;
          isRenewed = true;
          continue;
        }
        const delay = repeatDelay(error, { ...rule, sent });
        if (delay === undefined) throw error;
        history.mayBeDone ||= error.status !== 429;
        await pause(delay, request.signal);
        sent += 1;
      }
    }
  }

  async #attempt<Result>(
    request: Outgoing,
    url: string,
    body: FileContent | undefined,
    secret: string | null,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const { method, signal } = request;
    const headers = new Headers();
    const all = {
      "X-Service-Timezone": this.#options.timeZone,
      "Content-Type": body === undefined ? undefined : (request.file?.type ?? "application/json"),
      Authorization: secret === null ? undefined : `Bearer ${secret}`,
      ...request.headers,
    };
    for (const [name, value] of Object.entries(all)) {
      if (value !== undefined) headers.set(name, value);
    }
    try {
      // No redirect is followed: it could carry a password or rows to another origin.
      const init = { method, headers, redirect: "manual", cache: "no-store" } as const;
      const response = await this.#fetch(url, {
        ...init,
        ...(body === undefined ? {} : { body }),
        // Node.js and browsers require it for a stream.
        ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
        ...(signal === undefined ? {} : { signal }),
      });
      const isUnchanged = response.status === 304 && headers.has("If-None-Match");
      if (response.ok || isUnchanged) return await read(response);
      if (isRedirect(response)) throw redirectError(request, response, this.#base);
      throw await readError(request, response);
    } catch (error) {
      if (error instanceof RowhouseError) throw error;
      throw clientError(request, 0, "NETWORK_ERROR", "The service did not respond", error);
    }
  }
}

/** Whether another credential may help. The response to a HEAD has a status and no code. */
function isRejected(request: Outgoing, { code, status }: RowhouseError): boolean {
  const { method, isPublic = false, isRenewable = true } = request;
  const isCredential = code === "AUTHENTICATION_REQUIRED" || (method === "HEAD" && status === 401);
  return isCredential && !isPublic && isRenewable;
}

/** Returns an error of the client itself. */
export function clientError(
  { method, path }: Pick<Outgoing, "method" | "path">,
  status: number,
  code: ClientErrorCode,
  message: string,
  cause?: unknown,
): RowhouseError {
  return new RowhouseError({ method, path, status, faults: [{ code, message }], cause });
}

/**
 * Returns the error of a response whose bytes end early.
 *
 * @throws the reason of the request's signal, if that has ended it
 */
export function brokenOff(request: Outgoing, cause: unknown): RowhouseError {
  request.signal?.throwIfAborted();
  return clientError(request, 0, "NETWORK_ERROR", "The response broke off", cause);
}

function parseBody(request: Outgoing, { status }: Response, text: string): unknown {
  if (text === "") return undefined;
  try {
    const body = parseJson(text);
    if (isRecord(body)) return body;
  } catch {
    // The error of the parser quotes the body, which is another program's.
  }
  const message = `The response has status ${status} and is not JSON of the service`;
  throw clientError(request, status, "RESPONSE_INVALID", message);
}

function isRedirect({ type, status }: Response): boolean {
  return type === "opaqueredirect" || (status >= 300 && status < 400 && status !== 304);
}

function redirectError(request: Outgoing, response: Response, base: string): RowhouseError {
  const location = response.headers.get("location") ?? "";
  const target = URL.canParse(location, base) ? ` to ${new URL(location, base).origin}` : "";
  const message = `The service redirects${target}; no redirect is followed`;
  return clientError(request, response.status, "REDIRECT_REFUSED", message);
}
