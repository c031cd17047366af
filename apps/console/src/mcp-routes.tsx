import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { administration } from "./frame-routes.tsx";
import { readCallsSearch } from "./mcp/calls-search.ts";

const mcp = createRoute({
  getParentRoute: () => administration,
  path: "/mcp",
  component: lazyRouteComponent(() => import("./mcp/mcp-frame.tsx"), "McpFrame"),
});

const mcpSetup = createRoute({
  getParentRoute: () => mcp,
  path: "/",
  component: lazyRouteComponent(() => import("./mcp/setup-page.tsx"), "SetupPage"),
});

const mcpClients = createRoute({
  getParentRoute: () => mcp,
  path: "/clients",
  component: lazyRouteComponent(() => import("./mcp/clients-page.tsx"), "ClientsPage"),
});

const mcpCalls = createRoute({
  getParentRoute: () => mcp,
  path: "/calls",
  validateSearch: readCallsSearch,
  component: lazyRouteComponent(() => import("./mcp/calls-page.tsx"), "CallsPage"),
});

/** The pages of the MCP server, as children of the administration. */
export const mcpRoutes = [mcp.addChildren([mcpSetup, mcpClients, mcpCalls])];
