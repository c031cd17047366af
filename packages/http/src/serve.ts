import { createServer, type Server } from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";
import { createError, StartError } from "@rowhouse/errors";
import { requestIdFrom } from "./request-id.ts";
import { errorAnswer } from "./respond.ts";

export interface ServeOptions {
  readonly port: number;
  readonly hostname: string;
}

/** A server that listens. */
export interface RunningServer {
  readonly port: number;
  /** `http://host:port`, without a slash at the end. */
  readonly url: string;
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
  const server = createServer(
    {
      headersTimeout: 15_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 30_000,
      maxHeaderSize: 32_768,
      // Nagle's algorithm only ever delays an answer that is written at once.
      noDelay: true,
    },
    getRequestListener((request, environment) => fetch(request, environment as never), {
      hostname: "localhost",
      errorHandler: answerUnservable,
    }),
  );
  let stopping = false;
  server.prependListener("request", (_incoming, outgoing) => {
    if (stopping) outgoing.shouldKeepAlive = false;
  });
  await listen(server, options);
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : options.port;
  const host = options.hostname.includes(":") ? `[${options.hostname}]` : options.hostname;
  return {
    port,
    url: `http://${host}:${port}`,
    stop: (graceMs = 10_000) => {
      stopping = true;
      return stopServer(server, graceMs);
    },
  };
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

function explain(error: NodeJS.ErrnoException, { port, hostname }: ServeOptions): string {
  switch (error.code) {
    case "EADDRINUSE":
      return `Port ${port} on ${hostname} is taken by another process; set PORT to a free one.`;
    case "EACCES":
      return `Port ${port} may not be used by this user; set PORT to one above 1023.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `This machine has no address ${hostname}; set HOST to one it has.`;
    default:
      return `Cannot listen on ${hostname}:${port}: ${error.message}.`;
  }
}

async function stopServer(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // A connection whose request was in progress becomes idle later; it would be kept alive.
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}
