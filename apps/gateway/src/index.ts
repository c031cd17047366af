export { createApp, type Gateway, type GatewayDependencies } from "./app.ts";
export { type ForwardOptions, type ForwardUpstream, forwardTo } from "./forward/forward-to.ts";
export { createThrottle } from "./request/throttle.ts";
export {
  type Connection,
  inProcess,
  type Upstream,
  type UpstreamRequest,
} from "./request/upstream.ts";
export { serveGateway } from "./serve-gateway.ts";
