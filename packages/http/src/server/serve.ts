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
import { errorAnswer, standardHeaders } from "../answer/respond.ts";
import { bodyKindOf } from "../request/body-kind.ts";
import { requestIdFrom } from "../request/request-id.ts";
import { asksReadiness, stoppingError } from "./health.ts";
import {
  answerMalformed,
  isServerWide,
  type RejectedRequest,
  refusalOf,
  toOriginForm,
} from "./refuse-malformed.ts";
import { endStalledReaders } from "./stalled-readers.ts";
import { afterArrived, ClosingResponse } from "./unread-bodies.ts";

/** Time limits for callers, in milliseconds; a request that exceeds one gets `REQUEST_TIMEOUT`. */
export interface TimeLimits {
  /** For the headers, from the first byte or from the connection. */
  readonly headersMs: number;
  /** For the whole request, its body included; an import and a file have limits of their own. */
  readonly requestMs: number;
  /** Between two requests on one connection. */
  readonly idleMs: number;
  /** For reading some bytes of a written response; the connection of a stalled caller is closed. */
  readonly stallMs: number;
  /** Interval of the checks of all limits except `idleMs`. */
  readonly checkMs: number;
}

export interface ServeOptions {
  readonly port: number;
  readonly hostname: string;
  /** The variable of the port, for the message about a taken port; PORT by default. */
  readonly portVariable?: string;
  /**
   * Maximum bytes of a request's first line and headers; 40 KiB by default. That exceeds the limit of the public port,
   * as the gateway adds headers.
   */
  readonly headerBytesMax?: number;
  readonly timeLimits?: TimeLimits;
  /** Called for each request that was rejected before it reached a handler. */
  readonly onRefused?: (refusal: RejectedRequest) => void;
  /**
   * How long a stop leaves idle connections open; 0 by default. A caller with persistent connections (the gateway) may
   * send a request at the moment of closing. On an open connection it gets a response with `Connection: close`.
   */
  readonly idleGraceMs?: number;
}

/** The idle grace of a service behind a gateway, or of a gateway behind a load balancer, in milliseconds. */
export const keptConnectionsGraceMs = 1500;

const defaultTimeLimits: TimeLimits = {
  headersMs: 15_000,
  requestMs: 60_000,
  idleMs: 30_000,
  stallMs: 60_000,
  checkMs: 5000,
};
const defaultHeaderBytesMax = 40_960;

export interface RunningServer {
  readonly port: number;
  /** `http://host:port`, without a trailing slash. */
  readonly url: string;
  /**
   * Announces the stop and continues to serve. `/readyz` is 503 from now on, and each response closes its connection,
   * so that load balancers switch to other processes before this one stops.
   *
   * @param drainMs time until they have noticed
   */
  drain(drainMs: number): Promise<void>;
  /**
   * Stops accepting, lets requests in progress finish, then closes every connection.
   *
   * @param graceMs how long to wait for requests in progress; 10 s by default
   */
  stop(graceMs?: number): Promise<void>;
}

type Fetch = (request: Request, environment: never) => Response | Promise<Response>;

/**
 * Serves `fetch` over HTTP/1.1. The second argument of `fetch` is the server's binding `{ incoming, outgoing }`.
 *
 * @throws StartError if the port is taken or not permitted
 */
export async function serve(fetch: Fetch, options: ServeOptions): Promise<RunningServer> {
  let stopping = false;
  const handle = getRequestListener(
    (request, environment) =>
      stopping && asksReadiness(request)
        ? errorAnswer(stoppingError(), requestIdFrom(request.headers.get("x-request-id")))
        : afterArrived(
            environment.incoming as IncomingMessage,
            fetch(request, environment as never),
          ),
    { hostname: "localhost", errorHandler: answerUnservable },
  );
  const refuse = (incoming: IncomingMessage, outgoing: ServerResponse, error: AppError) => {
    const requestId = requestIdFrom(undefined);
    closing.add(incoming.socket);
    writeRefusal(outgoing, error, requestId);
    const clientAddress = incoming.socket.remoteAddress;
    options.onRefused?.({ status: error.status, requestId, clientAddress });
  };
  // Further bytes on the connection of a rejected request are ignored.
  const closing = new WeakSet<Socket>();
  const receive = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (closing.has(incoming.socket)) return;
    if (stopping) outgoing.shouldKeepAlive = false;
    received(incoming);
    const refusal = toOriginForm(incoming) ?? refusalOf(incoming);
    if (refusal !== undefined) refuse(incoming, outgoing, refusal);
    else if (isServerWide(incoming)) outgoing.writeHead(204, { Allow: serverMethods }).end();
    else void handle(incoming, outgoing);
  };
  const server = createServer(serverOptions(options), receive);
  // Unsupported `Expect` headers have no effect. By default Node would respond itself, without the checks.
  server.on("checkExpectation", receive);
  const connections = new Set<Socket>();
  server.on("connection", (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  endStalledReaders(server, options.timeLimits ?? defaultTimeLimits);
  const received = endSlowRequests(server, options.timeLimits ?? defaultTimeLimits);
  // Node silently drops headers beyond its own limit; the byte limit bounds them already.
  server.maxHeadersCount = 0;
  server.on("clientError", (error, socket) => {
    const refused = answerMalformed(error, socket as Socket);
    if (refused !== undefined) options.onRefused?.(refused);
  });
  // CONNECT tunnels are not supported.
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
      return stopServer(server, connections, graceMs, options.idleGraceMs ?? 0);
    },
  };
}

function serverOptions({ headerBytesMax, timeLimits }: ServeOptions): ServerOptions {
  const limits = timeLimits ?? defaultTimeLimits;
  return {
    ServerResponse: ClosingResponse,
    headersTimeout: limits.headersMs,
    // `endSlowRequests` limits the time for a body.
    requestTimeout: 0,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: limits.checkMs,
    maxHeaderSize: headerBytesMax ?? defaultHeaderBytesMax,
    // `receive` requires it, with a standard error response.
    requireHostHeader: false,
    // Nagle's algorithm would only delay responses, which are written at once.
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

const serverMethods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

/** A target or host that is not a valid URL gets NOT_FOUND; every other error is internal. */
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
      return `Port ${port} on ${hostname} is in use by another process; set ${portVariable} to a free port.`;
    case "EACCES":
      return `This user is not permitted to use port ${port}; set ${portVariable} to a port above 1023.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `This machine has no address ${hostname}; set HOST to one of its addresses.`;
    default:
      return `Cannot listen on ${hostname}:${port}: ${error.message}.`;
  }
}

/** The interval at which a stop closes idle connections. */
const sweepMs = 20;

async function stopServer(
  server: Server,
  connections: ReadonlySet<Socket>,
  graceMs: number,
  idleGraceMs: number,
): Promise<void> {
  const closed = once(server, "close");
  // Accepts no more connections. `close` of an HTTP server would end idle ones at once; that of its base class does not.
  NetServer.prototype.close.call(server);
  if (idleGraceMs === 0) server.close();
  // The grace is counted in turns: a process that was held up has not yet read what arrived meanwhile.
  let turns = Math.ceil(idleGraceMs / sweepMs);
  // A connection with a request in progress becomes idle later and would stay open.
  const sweep = setInterval(() => {
    turns -= 1;
    if (turns >= 0) return;
    server.closeIdleConnections();
    // Browsers connect in advance. Node counts a connection as idle only after its first request.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  }, sweepMs);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
  // Also stops the timer of the time limits.
  server.close();
}

export interface RequestTimeouts {
  /** Time for a whole request, its body included, in milliseconds. */
  readonly requestMs: number;
  /** Interval of the checks, in milliseconds. */
  readonly checkMs: number;
}

interface Receiving {
  readonly incoming: IncomingMessage;
  readonly since: number;
}

/**
 * Rejects requests whose body is incomplete after `requestMs`, except imports and files: their routes limit them. Node's own
 * limit is the same for all requests of a server.
 *
 * @returns registers a request when its headers have arrived
 */
function endSlowRequests(
  server: Server,
  { requestMs, checkMs }: RequestTimeouts,
): (incoming: IncomingMessage) => void {
  const last = new Map<Socket, Receiving>();
  server.on("connection", (socket) => {
    socket.once("close", () => last.delete(socket));
  });
  const check = () => {
    const before = performance.now() - requestMs;
    for (const [socket, { incoming, since }] of last) {
      if (incoming.complete) last.delete(socket);
      else if (since < before) {
        last.delete(socket);
        const error = Object.assign(new Error("Request timeout"), {
          code: "ERR_HTTP_REQUEST_TIMEOUT",
        });
        server.emit("clientError", error, socket);
      }
    }
  };
  const timer = setInterval(check, checkMs).unref();
  server.once("close", () => clearInterval(timer));
  return (incoming) => {
    const { headers, socket } = incoming;
    const hasBody =
      headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
    if (hasBody && bodyKindOf(incoming) === "ORDINARY")
      last.set(socket, { incoming, since: performance.now() });
    else last.delete(socket);
  };
}
