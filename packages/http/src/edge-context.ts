import type { IncomingHttpHeaders } from "node:http";

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
  /** The headers as Node parsed them, if the request came over a socket of this process. Their presence counts. */
  readonly sent?: IncomingHttpHeaders | undefined;
}

/** The environment of every service's Hono app; `edge` is set on each request that reaches a handler. */
export interface ServiceEnvironment {
  readonly Bindings: ServiceBindings;
}
