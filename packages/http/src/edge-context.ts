/** What the gateway knows of a request and every service relies on. */
export interface EdgeContext {
  readonly requestId: string;
  /** The caller's IP address, as the gateway took it from the socket or from a trusted proxy. */
  readonly clientAddress: string;
}

/** The environment of every service's Hono app; `edge` is there on each request that reaches a handler. */
export interface ServiceEnvironment {
  readonly Bindings: { readonly edge: EdgeContext };
}
