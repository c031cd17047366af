import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { administration } from "./frame-routes.tsx";
import { readRunsSearch } from "./workflows/runs/runs-search.ts";

const workflows = createRoute({
  getParentRoute: () => administration,
  path: "/workflows",
  validateSearch: ({
    search,
  }: Record<string, unknown>): { readonly search?: string | undefined } => ({
    search: typeof search === "string" && search !== "" ? search : undefined,
  }),
  component: lazyRouteComponent(
    () => import("./workflows/overview/workflows-page.tsx"),
    "WorkflowsPage",
  ),
});

const allRuns = createRoute({
  getParentRoute: () => administration,
  path: "/workflows/runs",
  validateSearch: readRunsSearch,
  component: lazyRouteComponent(() => import("./workflows/runs/all-runs-page.tsx"), "AllRunsPage"),
});

const workflowStart = createRoute({
  getParentRoute: () => administration,
  path: "/workflows/$id",
  beforeLoad: ({ params: { id } }) => {
    throw redirect({ to: "/admin/workflows/$id/runs", params: { id }, replace: true });
  },
});

const workflowRuns = createRoute({
  getParentRoute: () => administration,
  path: "/workflows/$id/runs",
  validateSearch: readRunsSearch,
  component: lazyRouteComponent(
    () => import("./workflows/runs/workflow-runs-page.tsx"),
    "WorkflowRunsPage",
  ),
});

/** The addresses of workflows and their runs, below those of the administration. */
export const workflowRoutes = [workflows, allRuns, workflowStart, workflowRuns] as const;
