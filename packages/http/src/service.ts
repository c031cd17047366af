import type { IncomingMessage } from "node:http";
import { OpenAPIHono } from "@hono/zod-openapi";
import { AppError, createError, renderError } from "@rowhouse/errors";
import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { Logger } from "pino";
import { answerRendered } from "./answer/respond.ts";
import { type AssertionVerifier, assertionHeader } from "./edge/assertion.ts";
import { removeInternalHeaders } from "./edge/internal-headers.ts";
import { createIntroductionCheck, type IntroductionCheck } from "./edge/introduction.ts";
import { type PathLookup, preferMissing } from "./request/address.ts";
import {
  type BareContext,
  type EdgeContext,
  type ServiceBindings,
  type ServiceEnvironment,
  traceHeader,
} from "./request/edge-context.ts";
import { rawPath } from "./request/raw-path.ts";
import { requestIdFrom } from "./request/request-id.ts";
import { answerHealth, isHealthPath, type Readiness, reportChanges } from "./server/health.ts";
import { type ObservationOptions, observed } from "./server/observed.ts";

/** The app of a service. It is an `OpenAPIHono`, so plain Hono routes and documented routers can be mounted. */
export type Service = OpenAPIHono<ServiceEnvironment>;

export interface ServiceOptions extends ObservationOptions {
  readonly logger: Logger;
  /** The check behind `/readyz`; without it the service is always ready. */
  readonly readiness?: Readiness;
  /** Verifies requests of a gateway in another process. Without it only a gateway in this process is admitted. */
  readonly verifyAssertion?: AssertionVerifier;
  /**
   * Translates an unhandled error. Only the information that the database is unavailable or too slow reaches the caller
   * (503, retryable). Any other error is an internal error.
   */
  readonly translate?: (error: unknown) => AppError;
  /** Looks up the names in a path; without it, the first fault of a request is reported. */
  readonly locate?: PathLookup;
  /**
   * Answers a request as its route does, without the router; undefined for a request of another route. If the answer
   * fails, the route receives the error in its bindings, and throws it.
   */
  readonly shortcut?: (c: BareContext) => Promise<Response> | undefined;
  /** Responds to a request that no route takes; undefined for the usual error. */
  readonly answerPage?: (c: Context<ServiceEnvironment>) => Response | undefined;
}

/**
 * Creates an app with everything that the services share: the edge context (only from the gateway in this process or
 * its signed assertion), errors, unknown paths and methods, health.
 *
 * @example const service = createService({ logger }); service.get("/api/hello", (c) => jsonValue(200,
 * envelope("hello"), c.env.edge.requestId)); const answer = await service.fetch(request, { edge: { requestId: "1",
 * clientAddress: "127.0.0.1" } });
 */
export function createService(options: ServiceOptions): Service {
  const service: Service = new OpenAPIHono<ServiceEnvironment>({ getPath: rawPath });

  service.onError(async (error, c) => {
    const known = toPublic(error, options.translate);
    const refusal = await preferMissing(known, options.locate, c).catch((failure: Error) =>
      toPublic(failure, options.translate),
    );
    return answerError(options.logger, refusal, c.env.edge.requestId, c.req.raw, c.req.path);
  });
  service.notFound((c) => {
    const page = options.answerPage?.(c);
    if (page !== undefined) return page;
    const allowed = methodsOf(service, c.req.path);
    throw allowed.length === 0
      ? createError("NOT_FOUND")
      : createError("METHOD_NOT_ALLOWED", { headers: { Allow: allowed.join(", ") } });
  });

  const readiness =
    options.readiness === undefined ? undefined : reportChanges(options.readiness, options.logger);
  const introductions =
    options.verifyAssertion === undefined
      ? undefined
      : createIntroductionCheck(options.verifyAssertion, options.logger);
  const { router, fetch } = service;
  const dispatch = observed({ router, fetch: withShortcut(fetch, options.shortcut) }, options);
  service.fetch = (request, environment) => {
    // For a request over a socket, `environment` is the server's own binding, which has no `edge`.
    const { edge, incoming } = (environment ?? {}) as Partial<ServiceBindings>;
    if (edge !== undefined) return dispatch(request, { edge, incoming });
    return admit(request, incoming, { ...options, readiness, introductions }, (admitted) =>
      dispatch(request, { edge: admitted, incoming }),
    );
  };
  return service;
}

/** Returns the router's `fetch` with a shortcut before it. */
function withShortcut(
  fetch: Service["fetch"],
  shortcut: ServiceOptions["shortcut"],
): Service["fetch"] {
  if (shortcut === undefined) return fetch;
  return (request, bindings) => {
    const env = bindings as ServiceBindings;
    return (
      shortcut({ req: { raw: request, path: rawPath(request) }, env })?.catch((error: unknown) =>
        fetch(request, { ...env, failure: { error } }),
      ) ?? fetch(request, env)
    );
  };
}

async function admit(
  request: Request,
  incoming: IncomingMessage | undefined,
  options: Omit<ServiceOptions, "readiness"> & {
    readonly readiness: Readiness | undefined;
    readonly introductions: IntroductionCheck | undefined;
  },
  proceed: (edge: EdgeContext) => Response | Promise<Response>,
): Promise<Response> {
  const requestId = requestIdFrom(headerOf("x-request-id", request, incoming));
  try {
    const assertion = headerOf(assertionHeader, request, incoming);
    if (isHealthPath(request)) {
      if (assertion !== undefined) {
        await options.introductions?.check(assertion, incoming?.socket.remoteAddress ?? "");
      }
      return await answerHealth(request, options.readiness, requestId);
    }
    if (options.verifyAssertion === undefined) throw createError("AUTHENTICATION_REQUIRED");
    const traceParent = headerOf(traceHeader, request, incoming);
    // The headers are not needed below, and a webhook, which stores its caller's headers, must not store them. Removing
    // them from the server's own headers costs nothing; deleting them from the request's headers would copy all of them.
    if (incoming === undefined) {
      for (const name of [assertionHeader, traceHeader]) request.headers.delete(name);
    } else removeInternalHeaders(incoming, traceHeader);
    const verified = options.verifyAssertion(assertion);
    const { clientAddress } = verified instanceof Promise ? await verified : verified;
    return await proceed({ requestId, clientAddress, traceParent });
  } catch (error) {
    return answerError(options.logger, error, requestId, request, rawPath(request));
  }
}

/** Returns a header that has one value; from what Node has parsed already, if the request came over a socket. */
function headerOf(
  name: string,
  request: Request,
  incoming: IncomingMessage | undefined,
): string | undefined {
  if (incoming === undefined) return request.headers.get(name) ?? undefined;
  const value = incoming.headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

/**
 * Logs an unexpected error and returns the response for the caller. A request whose caller has left is often ended as
 * unavailable; that is no failure.
 */
export function answerError(
  logger: Logger,
  error: unknown,
  requestId: string,
  request: Request,
  path: string,
): Response {
  const rendered = renderError(error, requestId);
  const isAbandoned = rendered.status === 503 && request.signal.aborted;
  if (rendered.isLogged && !isAbandoned) {
    const level = rendered.unexpected ? "error" : "warn";
    logger[level]({ err: error, requestId, method: request.method, path }, "A request failed");
  }
  return answerRendered(rendered, requestId);
}

/** Hono's own middleware throws its own errors; their messages must not reach a caller. */
function toPublic(error: Error, translate: ServiceOptions["translate"]): Error {
  if (error instanceof AppError) return error;
  if (!(error instanceof HTTPException)) {
    const known = translate?.(error);
    if (known?.code === "SERVICE_UNAVAILABLE") return known;
    return known?.code === "QUERY_TIMEOUT" ? heldUp(error) : error;
  }
  if (error.status === 413) return createError("BODY_TOO_LARGE", { cause: error });
  if (error.status === 415) return createError("UNSUPPORTED_MEDIA_TYPE", { cause: error });
  return error.status === 400 ? createError("BODY_INVALID", { cause: error }) : error;
}

/** The error for a statement of the service's own that was canceled: it waited for a lock or an overloaded database. */
function heldUp(cause: Error): AppError {
  return createError("SERVICE_UNAVAILABLE", { cause, headers: { "Retry-After": "1" } });
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** The methods of `path`. Middleware, which is registered for every method, does not count. */
function methodsOf(service: Service, path: string): string[] {
  const taken = methods.filter((method) =>
    service.router.match(method, path)[0].some(([[, route]]) => route.method === method),
  );
  return taken.includes("GET") ? ["GET", "HEAD", ...taken.slice(1)] : taken;
}
