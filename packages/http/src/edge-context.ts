/** What the gateway knows of a request and every service relies on. */
export interface EdgeContext {
  readonly requestId: string;
  /** The caller's IP address, as the gateway took it from the socket or from a trusted proxy. */
  readonly clientAddress: string;
  /** The part of a trace that goes on here (W3C `traceparent`), where requests are traced. */
  readonly traceParent?: string | undefined;
}

/** How a gateway in another process says where a trace goes on; one that a caller sent never gets here. */
export const traceHeader = "traceparent";

/** Where a gateway in another process asks for its settings; no request from outside reaches it. */
export const edgeSettingsPath = "/internal/edge-settings";

/** The environment of every service's Hono app; `edge` is there on each request that reaches a handler. */
export interface ServiceEnvironment {
  readonly Bindings: { readonly edge: EdgeContext };
}
