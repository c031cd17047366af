/** A prefix of paths, and the service that receives them. */
export interface GatewayRoute {
  readonly service: "data-api" | "admin-api";
  /** The name of the route in metrics and traces. */
  readonly pattern: string;
}

const routes: readonly GatewayRoute[] = [
  { pattern: "/api/*", service: "data-api" },
  { pattern: "/admin/api/*", service: "admin-api" },
  { pattern: "/app/api/*", service: "admin-api" },
  { pattern: "/admin/*", service: "admin-api" },
  { pattern: "/app/*", service: "admin-api" },
  { pattern: "/oauth/*", service: "data-api" },
];

/** Paths without others below them, pages whose path is a prefix itself, and the address of the installation. */
const exact: Readonly<Record<string, GatewayRoute>> = {
  "/": { pattern: "/", service: "admin-api" },
  "/admin": { pattern: "/admin/*", service: "admin-api" },
  "/app": { pattern: "/app/*", service: "admin-api" },
  "/mcp": { pattern: "/mcp", service: "data-api" },
  "/.well-known/oauth-protected-resource/mcp": {
    pattern: "/.well-known/*",
    service: "data-api",
  },
  "/.well-known/oauth-authorization-server": { pattern: "/.well-known/*", service: "data-api" },
};

const prefixes = routes.map((route) => ({ prefix: route.pattern.slice(0, -1), route }));

/** Returns the route of a path in normal form; undefined if no service serves it. */
export function routeOf(path: string): GatewayRoute | undefined {
  const found = prefixes.find(({ prefix }) => path.startsWith(prefix));
  return found?.route ?? (Object.hasOwn(exact, path) ? exact[path] : undefined);
}
