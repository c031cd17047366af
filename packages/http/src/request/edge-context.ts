import type { IncomingMessage } from "node:http";

/** The gateway's data about a request, on which every service relies. */
export interface EdgeContext {
  readonly requestId: string;
  /** The caller's IP address, which the gateway took from the socket or from a trusted proxy. */
  readonly clientAddress: string;
  /** The parent span of the request (W3C `traceparent`), if it is traced. */
  readonly traceParent?: string | undefined;
}

/**
 * The header in which a gateway in another process sends the parent span. The gateway removes a caller's own header.
 */
export const traceHeader = "traceparent";

/**
 * The route from which a gateway in another process reads its settings; the gateway forwards no external request to
 * it.
 */
export const edgeSettingsPath = "/internal/edge-settings";

/** What a handler knows of a request beside the request itself. */
export interface ServiceBindings {
  readonly edge: EdgeContext;
  /** The request as Node parsed it, if it came over a socket of this process. */
  readonly incoming?: IncomingMessage | undefined;
  /** The error of a request that was answered without the router; its route throws it. */
  readonly failure?: { readonly error: unknown } | undefined;
  /** The pattern of the route, set where a request is answered without the router. */
  route?: string | undefined;
}

/** The part of Hono's context that exists without the router. */
export interface BareContext {
  readonly req: {
    readonly raw: Request;
    /** The path exactly as received. */
    readonly path: string;
  };
  readonly env: ServiceBindings;
}

/** The environment of every service's Hono app; `edge` is set on each request that reaches a handler. */
export interface ServiceEnvironment {
  readonly Bindings: ServiceBindings;
}
