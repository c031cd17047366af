import { createRoute, createRouter, type Router, redirect } from "@tanstack/react-router";
import { openRoutes, root } from "./open-routes.tsx";
import type { routeTree } from "./routes.tsx";

/** Every other address, until the routes behind the sign-in are loaded. */
const rest = createRoute({
  getParentRoute: () => root,
  path: "$",
  beforeLoad: async ({ location }) => {
    await loadRoutes();
    throw redirect({ href: location.href, replace: true });
  },
});

/** The addresses of the pages: at first those that need no session, so that the sign-in loads no others. */
export const router = createRouter({ routeTree: root.addChildren([...openRoutes, rest]) });

/** Adds the routes behind the sign-in. */
export async function loadRoutes(): Promise<void> {
  await import("./routes.tsx");
  router.setRoutes(router.buildRouteTree());
}

declare module "@tanstack/react-router" {
  interface Register {
    router: Router<typeof routeTree>;
  }
}
