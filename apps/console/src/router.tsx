import { createRootRoute, createRoute, createRouter } from "@tanstack/react-router";
import { FailurePage } from "./shell/failure-page.tsx";
import { MissingPage } from "./shell/missing-page.tsx";

const root = createRootRoute({ notFoundComponent: MissingPage, errorComponent: FailurePage });

const workspace = createRoute({ getParentRoute: () => root, path: "/app", component: MissingPage });

/** Every address of the pages. */
export const router = createRouter({ routeTree: root.addChildren([workspace]) });

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
