export { createApp, type Gateway, type GatewayDependencies } from "./app.ts";
export { type ForwardOptions, type ForwardUpstream, forwardTo } from "./forward/forward-to.ts";
export { serveGateway } from "./serve-gateway.ts";
export { createThrottle } from "./throttle.ts";
export { type Connection, inProcess, type Upstream, type UpstreamRequest } from "./upstream.ts";
