import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { administration, readSearch } from "./frame-routes.tsx";
import { readEditorSearch } from "./workflows/editor/editor-search.ts";
import { readVersionsSearch } from "./workflows/editor/versions-search.ts";
import { readRunsSearch } from "./workflows/runs/runs-search.ts";

const workflows = createRoute({
  getParentRoute: () => administration,
  path: "/workflows",
  validateSearch: readOverviewSearch,
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

const workflowEditor = createRoute({
  getParentRoute: () => administration,
  path: "/workflows/$id",
  validateSearch: readEditorSearch,
  component: lazyRouteComponent(() => import("./workflows/editor/editor-page.tsx"), "EditorPage"),
});

const workflowVersions = createRoute({
  getParentRoute: () => administration,
  path: "/workflows/$id/versions",
  validateSearch: readVersionsSearch,
  component: lazyRouteComponent(
    () => import("./workflows/editor/versions-page.tsx"),
    "VersionsPage",
  ),
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

const secrets = createRoute({
  getParentRoute: () => administration,
  path: "/workflows/secrets",
  validateSearch: readSearch,
  component: lazyRouteComponent(
    () => import("./workflows/settings/secrets-page.tsx"),
    "SecretsPage",
  ),
});

const workflowSettings = createRoute({
  getParentRoute: () => administration,
  path: "/workflows/$id/settings",
  component: lazyRouteComponent(
    () => import("./workflows/settings/workflow-settings-page.tsx"),
    "WorkflowSettingsPage",
  ),
});

const workflowRun = createRoute({
  getParentRoute: () => administration,
  path: "/workflows/$id/runs/$runId",
  validateSearch: readRunSearch,
  component: lazyRouteComponent(() => import("./workflows/runs/run-page.tsx"), "RunPage"),
});

const workflowTest = createRoute({
  getParentRoute: () => administration,
  path: "/workflows/$id/test",
  component: lazyRouteComponent(() => import("./workflows/test/test-page.tsx"), "TestPage"),
});

/** The addresses of workflows and their runs, below those of the administration. */
export const workflowRoutes = [
  workflows,
  allRuns,
  workflowEditor,
  workflowVersions,
  workflowRuns,
  secrets,
  workflowSettings,
  workflowRun,
  workflowTest,
] as const;

/** What the address of a run's page has beside its id. */
export interface RunSearch {
  /** Path of the chosen step. */
  readonly step?: string | undefined;
  /** The run that the step is compared with. */
  readonly compare?: string | undefined;
}

/** Reads the parameters of an address. */
function readRunSearch(raw: Readonly<Record<string, unknown>>): RunSearch {
  const text = (value: unknown): string | undefined => {
    const given = typeof value === "number" ? String(value) : value;
    return typeof given === "string" && given !== "" ? given : undefined;
  };
  return { step: text(raw.step), compare: text(raw.compare) };
}

/** What the address of the list of workflows has. */
export interface OverviewSearch {
  readonly search?: string | undefined;
  /** The period of the counts. */
  readonly hours?: number | undefined;
}

/** Reads the parameters of an address. The service takes 1 to 720 hours. */
function readOverviewSearch({ search, hours }: Readonly<Record<string, unknown>>): OverviewSearch {
  const isPeriod = Number.isInteger(hours) && Number(hours) >= 1 && Number(hours) <= 720;
  return {
    search: typeof search === "string" && search !== "" ? search : undefined,
    hours: isPeriod ? Number(hours) : undefined,
  };
}
