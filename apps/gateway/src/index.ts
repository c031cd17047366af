export { createApp, type Gateway, type GatewayDependencies } from "./app.ts";
export { type ForwardOptions, forwardTo } from "./forward.ts";
export { type Connection, inProcess, type Upstream } from "./upstream.ts";
