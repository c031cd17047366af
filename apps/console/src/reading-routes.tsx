import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { readBuilderSearch as readBoardSearch } from "./dashboards/builder/builder-search.ts";
import { readBuilderSearch } from "./data-views/builder/builder-search.ts";
import { administration } from "./frame-routes.tsx";

function readSearch({ search }: Record<string, unknown>): { readonly search?: string | undefined } {
  return { search: typeof search === "string" && search !== "" ? search : undefined };
}

const dataViews = createRoute({
  getParentRoute: () => administration,
  path: "/data-views",
  validateSearch: readSearch,
  component: lazyRouteComponent(
    () => import("./data-views/builder/data-views-page.tsx"),
    "DataViewsPage",
  ),
});

const dataViewBuilder = createRoute({
  getParentRoute: () => administration,
  path: "/data-views/$id",
  validateSearch: readBuilderSearch,
  component: lazyRouteComponent(
    () => import("./data-views/builder/builder-page.tsx"),
    "BuilderPage",
  ),
});

const dashboards = createRoute({
  getParentRoute: () => administration,
  path: "/dashboards",
  validateSearch: readSearch,
  component: lazyRouteComponent(
    () => import("./dashboards/builder/dashboards-page.tsx"),
    "DashboardsPage",
  ),
});

const newDashboard = createRoute({
  getParentRoute: () => administration,
  path: "/dashboards/new",
  validateSearch: readBoardSearch,
  component: lazyRouteComponent(
    () => import("./dashboards/builder/builder-page.tsx"),
    "NewDashboardPage",
  ),
});

const dashboardBuilder = createRoute({
  getParentRoute: () => administration,
  path: "/dashboards/$id",
  validateSearch: readBoardSearch,
  component: lazyRouteComponent(
    () => import("./dashboards/builder/builder-page.tsx"),
    "BuilderPage",
  ),
});

/** The addresses at which administrators build DataViews and dashboards, and the lists of both. */
export const readingRoutes = [
  dataViews,
  dataViewBuilder,
  dashboards,
  newDashboard,
  dashboardBuilder,
] as const;
