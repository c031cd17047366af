import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { root } from "./open-routes.tsx";
import { MissingPage } from "./shell/missing-page.tsx";
import { currentSession } from "./shell/session.ts";
import { needWords } from "./shell/words-store.ts";

/** The frame of the pages behind the sign-in. */
export const frame = createRoute({
  getParentRoute: () => root,
  id: "frame",
  beforeLoad: ({ location }) => {
    if (currentSession() !== null) return;
    throw redirect({ to: "/admin/auth/sign-in", search: { return_to: location.href } });
  },
  loader: () => needWords("workspace"),
  component: lazyRouteComponent(() => import("./workspace/workspace-frame.tsx"), "WorkspaceFrame"),
  notFoundComponent: () => <MissingPage isInFrame />,
});

/** The pages of administrators. */
export const administration = createRoute({
  getParentRoute: () => frame,
  path: "/admin",
  loader: () => needWords("administration"),
  component: lazyRouteComponent(
    () => import("./workspace/administration-gate.tsx"),
    "AdministrationGate",
  ),
  notFoundComponent: () => <MissingPage isInFrame />,
});

/** Reads the text to search for from an address. */
export function readSearch({ search }: Record<string, unknown>): {
  readonly search?: string | undefined;
} {
  return { search: typeof search === "string" && search !== "" ? search : undefined };
}
