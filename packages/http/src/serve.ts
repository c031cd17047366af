import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { getRequestListener, RequestError } from "@hono/node-server";
import { type AppError, createError, renderError, StartError } from "@rowhouse/errors";
import { asksReadiness, stoppingError } from "./health.ts";
import { answerMalformed, type Refusal, refusalOf } from "./refuse-malformed.ts";
import { requestIdFrom } from "./request-id.ts";
import { errorAnswer, standardHeaders } from "./respond.ts";
import { endStalledReaders } from "./stalled-readers.ts";

/** How long a caller may take, in milliseconds; whoever takes longer is answered `REQUEST_TIMEOUT`. */
export interface TimeLimits {
  /** For the headers, from the first byte, or from the connection. */
  readonly headersMs: number;
  /** For the whole request, its body included. */
  readonly requestMs: number;
  /** Between two requests on one connection. */
  readonly idleMs: number;
  /** Without taking a byte of an answer that is there; whoever does so is cut off. */
  readonly stallMs: number;
  /** How often all but the third are looked after. */
  readonly checkMs: number;
}

export interface ServeOptions {
  readonly port: number;
  readonly hostname: string;
  /** The variable that the port comes from, for the sentence about one that is taken; PORT if not given. */
  readonly portVariable?: string;
  /** Bytes of a request's first line and headers; 40 KiB, more than the public port takes, as the gateway adds to them. */
  readonly headerBytesMax?: number;
  readonly timeLimits?: TimeLimits;
  /** Hears of requests that were refused before any handler saw them. */
  readonly onRefused?: (refusal: Refusal) => void;
  /**
   * How long a stop leaves connections open that are idle, 0 if not given. A caller that keeps connections (the gateway)
   * may send a request over one at the very moment it is closed; left open, it is answered, and told to close.
   */
  readonly idleGraceMs?: number;
}

/** The idle grace of a service that a gateway keeps connections to, or a balancer to a gateway, in milliseconds. */
export const keptConnectionsGraceMs = 1500;

const defaultTimeLimits: TimeLimits = {
  headersMs: 15_000,
  requestMs: 60_000,
  idleMs: 30_000,
  stallMs: 60_000,
  checkMs: 5000,
};
const defaultHeaderBytesMax = 40_960;

/** A server that listens. */
export interface RunningServer {
  readonly port: number;
  /** `http://host:port`, without a slash at the end. */
  readonly url: string;
  /**
   * Announces the end and goes on answering: `/readyz` is 503 from now on, and each answer closes its connection, so that
   * whoever shares requests out among several processes turns to the others before this one stops.
   *
   * @param drainMs how long that takes to be noticed
   */
  drain(drainMs: number): Promise<void>;
  /**
   * Stops accepting, lets requests in progress finish, then closes every connection.
   *
   * @param graceMs how long to wait for requests in progress; 10 s if not given
   */
  stop(graceMs?: number): Promise<void>;
}

type Fetch = (request: Request, environment: never) => Response | Promise<Response>;

/**
 * Serves `fetch` over HTTP/1.1. The second argument of `fetch` is the server's binding `{ incoming, outgoing }`.
 *
 * @throws StartError when the port is taken or may not be used
 */
export async function serve(fetch: Fetch, options: ServeOptions): Promise<RunningServer> {
  let stopping = false;
  const handle = getRequestListener(
    (request, environment) =>
      stopping && asksReadiness(request)
        ? errorAnswer(stoppingError(), requestIdFrom(request.headers.get("x-request-id")))
        : fetch(request, environment as never),
    { hostname: "localhost", errorHandler: answerUnservable },
  );
  const refuse = (incoming: IncomingMessage, outgoing: ServerResponse, error: AppError) => {
    const requestId = requestIdFrom(undefined);
    closing.add(incoming.socket);
    writeRefusal(outgoing, error, requestId);
    const clientAddress = incoming.socket.remoteAddress;
    options.onRefused?.({ status: error.status, requestId, clientAddress });
  };
  // What else was sent over a connection whose request was refused is not looked at.
  const closing = new WeakSet<Socket>();
  const receive = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (closing.has(incoming.socket)) return;
    if (stopping) outgoing.shouldKeepAlive = false;
    const refusal = refusalOf(incoming);
    if (refusal === undefined) void handle(incoming, outgoing);
    else refuse(incoming, outgoing, refusal);
  };
  const server = createServer(serverOptions(options), receive);
  // What else a caller expects is nothing that we do; Node would answer it itself, unchecked.
  server.on("checkExpectation", receive);
  endStalledReaders(server, options.timeLimits ?? defaultTimeLimits);
  // Node drops what is over its own count without a word; the header bytes bound them already.
  server.maxHeadersCount = 0;
  server.on("clientError", (error, socket) => {
    const refused = answerMalformed(error, socket as Socket);
    if (refused !== undefined) options.onRefused?.(refused);
  });
  // A tunnel is nothing that a handler sees.
  server.on("connect", (_incoming, socket) => {
    const refused = answerMalformed(new Error("CONNECT"), socket as Socket);
    if (refused !== undefined) options.onRefused?.(refused);
  });
  await listen(server, options);
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : options.port;
  const host = options.hostname.includes(":") ? `[${options.hostname}]` : options.hostname;
  return {
    port,
    url: `http://${host}:${port}`,
    drain: async (drainMs) => {
      stopping = true;
      await sleep(drainMs);
    },
    stop: (graceMs = 10_000) => {
      stopping = true;
      return stopServer(server, graceMs, options.idleGraceMs ?? 0);
    },
  };
}

function serverOptions({ headerBytesMax, timeLimits }: ServeOptions): ServerOptions {
  const limits = timeLimits ?? defaultTimeLimits;
  return {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: limits.checkMs,
    maxHeaderSize: headerBytesMax ?? defaultHeaderBytesMax,
    // It is required here, with an answer of the contract.
    requireHostHeader: false,
    // Nagle's algorithm only ever delays an answer that is written at once.
    noDelay: true,
  };
}

function writeRefusal(outgoing: ServerResponse, error: AppError, requestId: string): void {
  const body = JSON.stringify(renderError(error, requestId).body);
  outgoing.shouldKeepAlive = false;
  outgoing.writeHead(error.status, {
    ...standardHeaders(requestId),
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
  });
  outgoing.end(body);
}

/** A target or host that makes no URL names nothing that exists; anything else that gets here is a fault of ours. */
function answerUnservable(error: unknown): Response {
  const known = error instanceof RequestError ? createError("NOT_FOUND") : error;
  return errorAnswer(known, requestIdFrom(undefined));
}

function listen(server: Server, options: ServeOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(new StartError(explain(error, options), { cause: error }));
    });
    server.listen(options.port, options.hostname, resolve);
  });
}

function explain(
  error: NodeJS.ErrnoException,
  { port, hostname, portVariable = "PORT" }: ServeOptions,
): string {
  switch (error.code) {
    case "EADDRINUSE":
      return `Port ${port} on ${hostname} is taken by another process; set ${portVariable} to a free one.`;
    case "EACCES":
      return `Port ${port} may not be used by this user; set ${portVariable} to one above 1023.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `This machine has no address ${hostname}; set HOST to one it has.`;
    default:
      return `Cannot listen on ${hostname}:${port}: ${error.message}.`;
  }
}

async function stopServer(server: Server, graceMs: number, idleGraceMs: number): Promise<void> {
  const closed = once(server, "close");
  // No more connections from here on. An HTTP server's own `close` ends the idle ones at once, its base's does not.
  NetServer.prototype.close.call(server);
  const closeIdle = setTimeout(() => server.close(), idleGraceMs);
  // A connection whose request was in progress becomes idle later; it would be kept alive.
  const graceEnds = Date.now() + idleGraceMs;
  const sweep = setInterval(() => {
    if (Date.now() >= graceEnds) server.closeIdleConnections();
  }, 20);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(closeIdle);
  clearInterval(sweep);
  clearTimeout(cut);
  // Also ends the watch over time limits.
  server.close();
}
