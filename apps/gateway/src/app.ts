import { createError } from "@rowhouse/errors";
import {
  alreadySent,
  answerError,
  answerHealth,
  type BodyKind,
  bodyKindOf,
  hasBody,
  isHealthPath,
  type Readiness,
  reportChanges,
  requestIdFrom,
  type ServiceAnswer,
  standardHeaders,
} from "@rowhouse/http";
import type { Logger, Tracing } from "@rowhouse/service";
import { logged } from "./request/access-log.ts";
import { type BodyLimit, boundBody } from "./request/bound-body.ts";
import { isNormalPath, pageWithoutSlash, pathOfTarget } from "./request/check-path.ts";
import { createClientAddressReader } from "./request/client-address.ts";
import { answerPreflight, corsHeadersFor, markAnswer } from "./request/cors.ts";
import { observedGateway } from "./request/observed.ts";
import { routeOf } from "./request/route-of.ts";
import type { Throttle } from "./request/throttle.ts";
import type { Answering, Connection, Upstream, UpstreamRequest } from "./request/upstream.ts";

export interface GatewayDependencies {
  readonly logger: Logger;
  readonly dataApi: Upstream;
  readonly adminApi: Upstream;
  /** Origins whose pages may call the API; read on each request, because they are a setting. */
  readonly corsOrigins: () => readonly string[];
  /**
   * Refreshes the settings when no service is asked: before the response to a preflight, and before a body is rejected
   * for its size.
   */
  readonly refreshSettings: () => Promise<void>;
  /** The same for a response to a page, if a service in this process has just proven the settings current. */
  readonly confirmSettings?: () => Promise<void>;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: () => readonly string[];
  readonly bodyBytesMax: () => number;
  /** The size limit of imports; by default that of other bodies. */
  readonly importBytesMax?: () => number;
  /** The size limit of files; by default that of other bodies. */
  readonly fileBytesMax?: () => number;
  /** Limits the requests of one source; if undefined, there is no limit. */
  readonly throttle?: Throttle;
  readonly readiness: Readiness;
  /** Called for each response. Its route is the path prefix of a service, or `none`. */
  readonly onAnswered?: ((answer: ServiceAnswer) => void) | undefined;
  readonly tracing?: Tracing | undefined;
}

/** The public port: the checks of every request, in this order, and the route table. */
export interface Gateway {
  fetch(request: Request, connection: Connection): Response | Promise<Response>;
}

/**
 * Creates the gateway. It is not a Hono app: it has a dozen routes, and every request of the installation passes through
 * it.
 *
 * @example const gateway = createApp({ dataApi: inProcess(dataApi), adminApi: inProcess(adminApi), … }); await
 * serveGateway(gateway, logger, { port: 8080, hostname: "127.0.0.1" });
 */
export function createApp(dependencies: GatewayDependencies): Gateway {
  const { logger, dataApi, adminApi, corsOrigins } = dependencies;
  const readiness = reportChanges(dependencies.readiness, logger);
  const readClientAddress = createClientAddressReader(dependencies.trustedProxies);

  const upstreams = { "data-api": dataApi, "admin-api": adminApi } as const;
  const route = (path: string): Upstream | undefined => {
    const found = routeOf(path);
    return found === undefined ? undefined : upstreams[found.service];
  };

  const addressOf = ({ incoming }: Connection) =>
    readClientAddress(
      incoming.socket.remoteAddress,
      oneHeader(incoming.headers["x-forwarded-for"]),
    );
  const refresh = dependencies.refreshSettings;
  const { bodyBytesMax, importBytesMax = bodyBytesMax, fileBytesMax = bodyBytesMax } = dependencies;
  const bodyLimits: Readonly<Record<BodyKind, BodyLimit>> = {
    ORDINARY: { bytesMax: bodyBytesMax, refresh },
    IMPORT: { bytesMax: importBytesMax, refresh },
    FILE: { bytesMax: fileBytesMax, refresh },
  };

  const forward = (
    request: Request,
    connection: Connection,
    requestId: string,
    answerHeaders?: UpstreamRequest["answerHeaders"],
  ) => {
    const { incoming, outgoing } = connection;
    const path = pathOfTarget(incoming.url ?? "");
    if (!isNormalPath(path)) {
      const page = isForPage(request) ? pageWithoutSlash(path) : undefined;
      if (page === undefined) throw createError("NOT_FOUND");
      const Location = `${page}${(incoming.url ?? "").slice(path.length)}`;
      const headers = standardHeaders(requestId, { Location, Vary: "Accept" });
      return new Response(null, { status: 302, headers });
    }
    if (isHealthPath(request)) return answerHealth(request, readiness, requestId);
    const upstream = route(path);
    if (upstream === undefined) throw createError("NOT_FOUND");
    const clientAddress = addressOf(connection);
    const bodyLimit = bodyLimits[bodyKindOf(incoming)];
    const throttled = dependencies.throttle?.(clientAddress);
    const bounded =
      throttled === undefined
        ? boundBody(incoming, bodyLimit)
        : throttled.then(() => boundBody(incoming, bodyLimit));
    // No handler reads the body of such a request, and on a kept connection its rest would be parsed as the next
    // request.
    if (isSafe(request) && hasBody(incoming)) outgoing.shouldKeepAlive = false;
    const exchange: UpstreamRequest = {
      request,
      edge: { requestId, clientAddress, traceParent: connection.traceParent },
      connection,
      bodyLimit,
      ...(answerHeaders === undefined ? {} : { answerHeaders }),
    };
    return bounded === undefined ? upstream(exchange) : bounded.then(() => upstream(exchange));
  };

  /**
   * Handles a request from a page: the browser sends a preflight first, and checks the headers of the response before
   * the page may read it.
   */
  const forwardForPage = async (
    request: Request,
    connection: Connection,
    requestId: string,
    origin: string,
    fail: (error: unknown) => Response,
  ): Promise<Response> => {
    if (isPreflight(connection)) {
      await dependencies.refreshSettings();
      if (corsOrigins().includes(origin)) return answerPreflight(origin, requestId);
    }
    const confirmed = dependencies.confirmSettings?.();
    const answerHeaders = async () => {
      await confirmed;
      return corsHeadersFor(origin, corsOrigins());
    };
    const answer = await attempt(
      () => forward(request, connection, requestId, answerHeaders),
      fail,
    );
    return answer === alreadySent ? answer : markAnswer(answer, await answerHeaders());
  };

  const answer: Answering = (request, connection, requestId) => {
    const { headers, url } = connection.incoming;
    const fail = (error: unknown) =>
      answerError(logger, error, requestId, request, pathOfTarget(url ?? ""));
    const { origin } = headers;
    if (origin === undefined) return attempt(() => forward(request, connection, requestId), fail);
    return forwardForPage(request, connection, requestId, origin, fail).catch(fail);
  };
  const watched = logged(observedGateway(answer, dependencies), logger, addressOf);
  return {
    fetch: (request, connection) => {
      const sent = oneHeader(connection.incoming.headers["x-request-id"]);
      return watched(request, connection, requestIdFrom(sent));
    },
  };
}

/** Runs `work`; converts an error, thrown or rejected, to a response. */
function attempt(
  work: () => Response | Promise<Response>,
  fail: (error: unknown) => Response,
): Response | Promise<Response> {
  try {
    const answer = work();
    return answer instanceof Promise ? answer.catch(fail) : answer;
  } catch (error) {
    return fail(error);
  }
}

/** Whether a browser asks for a page. */
function isForPage(request: Request): boolean {
  return isSafe(request) && request.headers.get("accept")?.includes("text/html") === true;
}

function isSafe({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}

function isPreflight({ incoming }: Connection): boolean {
  return (
    incoming.method === "OPTIONS" && incoming.headers["access-control-request-method"] !== undefined
  );
}

function oneHeader(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(",") : value;
}
