import {
  createRootRoute,
  createRoute,
  lazyRouteComponent,
  notFound,
  redirect,
} from "@tanstack/react-router";
import { readExplainSearch, readGrantSearch, readViewAsSearch } from "./access/access-search.ts";
import { readAuditSearch } from "./audit/audit-search.ts";
import { readBuilderSearch as readBoardSearch } from "./dashboards/builder/builder-search.ts";
import { readDashboardSearch } from "./dashboards/model/open-dashboard.ts";
import { readPanelRowsSearch } from "./dashboards/model/panel-rows-search.ts";
import { readBuilderSearch } from "./data-views/builder/builder-search.ts";
import { readViewState } from "./data-views/model/view-state.ts";
import { readFilesSearch } from "./files/files-search.ts";
import { readMatrixSearch } from "./grants/model/matrix-search.ts";
import { readCallsSearch } from "./mcp/calls-search.ts";
import { page, searchPage } from "./page-route.ts";
import { readPeopleSearch } from "./people/people-search.ts";
import { readRowsSearch } from "./records/rows/rows-address.ts";
import { readReferenceSearch } from "./reference/reference-search.ts";
import { readSettingsSearch } from "./settings/setting-queries.ts";
import { authorizationPath } from "./shell/authorization-query.ts";
import { FailurePage, MissingPage } from "./shell/message-page.tsx";
import { navigationQuery, personQuery } from "./shell/navigation.ts";
import { queryClient } from "./shell/query.ts";
import { needWords } from "./shell/words-store.ts";
import {
  readMapSearch,
  readStructureSearch,
  readTableSearch,
} from "./structure/structure-search.ts";
import { readEditorSearch, readVersionsSearch } from "./workflows/editor/editor-search.ts";
import { readRunSearch, readRunsSearch } from "./workflows/runs/runs-search.ts";
import { HomePage } from "./workspace/home-page.tsx";
import { WorkspaceFrame } from "./workspace/workspace-frame.tsx";

// Routes with children are constants, and those with a redirect: within the table, the type of the redirect would need that of the table.

/** Every address is below it. */
const root = createRootRoute({
  notFoundComponent: () => <MissingPage />,
  errorComponent: FailurePage,
});

/** The question of a program for access, outside the frame. */
const authorize = createRoute({
  getParentRoute: () => root,
  path: authorizationPath,
  validateSearch: ({ request }: Record<string, unknown>): { readonly request: string } => ({
    request: typeof request === "string" ? request : "",
  }),
  component: lazyRouteComponent(() => import("./sign-in/authorize-page.tsx"), "AuthorizePage"),
});

/** The frame of the pages behind the sign-in. */
const frame = createRoute({
  getParentRoute: () => root,
  id: "frame",
  loader: () => {
    // Every page waits for it, but its failure is that of the page.
    void queryClient.prefetchQuery(personQuery);
    void queryClient.prefetchQuery(navigationQuery);
    return needWords("workspace");
  },
  component: WorkspaceFrame,
  notFoundComponent: () => <MissingPage isInFrame />,
});

const app = createRoute({
  getParentRoute: () => frame,
  path: "/app",
  notFoundComponent: () => <MissingPage isInFrame />,
});

/** The first page of most people: part of the file of the frame. */
const home = createRoute({ getParentRoute: () => app, path: "/", component: HomePage });

const managedPeople = createRoute({
  getParentRoute: () => app,
  path: "/people",
  validateSearch: readPeopleSearch,
  loader: () => needWords("administration"),
});

const account = page(app, "/account", {
  AccountFrame: () => import("./account/account-frame.tsx"),
});

const accountStart = createRoute({
  getParentRoute: () => account,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/app/account/profile", replace: true });
  },
});

const files = createRoute({
  getParentRoute: () => app,
  path: "/files",
  validateSearch: readFilesSearch,
  // Nothing of the page loads for a person who may read no files.
  beforeLoad: async () => {
    const { mayOpenFiles } = await import("./shell/may-open-files.ts");
    if (!(await mayOpenFiles())) throw notFound();
  },
  component: lazyRouteComponent(() => import("./files/files-page.tsx"), "FilesPage"),
});

/** The pages of administrators. */
const admin = createRoute({
  getParentRoute: () => frame,
  path: "/admin",
  loader: () => needWords("administration"),
  component: lazyRouteComponent(
    () => import("./workspace/administration-gate.tsx"),
    "AdministrationGate",
  ),
  notFoundComponent: () => <MissingPage isInFrame />,
});

const people = createRoute({
  getParentRoute: () => admin,
  path: "/people",
  validateSearch: readPeopleSearch,
});

const peopleStart = createRoute({
  getParentRoute: () => people,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/admin/people/users", replace: true });
  },
});

const settings = page(admin, "/settings", {
  SettingsFrame: () => import("./settings/settings-frame.tsx"),
});
const structure = createRoute({ getParentRoute: () => admin, path: "/structure" });
const mcp = page(admin, "/mcp", { McpFrame: () => import("./mcp/mcp-frame.tsx") });

/** Every address of the pages that need a session. */
export const routeTree = root.addChildren([
  authorize,
  frame.addChildren([
    app.addChildren([
      home,
      searchPage(app, "/data/$schema/$kind/$name", readRowsSearch, {
        DataPage: () => import("./data/page/data-page.tsx"),
      }),
      searchPage(app, "/dashboards/$id", readDashboardSearch, {
        DashboardPage: () => import("./dashboards/page/dashboard-page.tsx"),
      }),
      searchPage(app, "/dashboards/$id/panels/$panel/rows", readPanelRowsSearch, {
        PanelRowsPage: () => import("./dashboards/page/panel-rows-page.tsx"),
      }),
      searchPage(app, "/data-views/$id", readViewState, {
        DataViewPage: () => import("./data-views/page/data-view-page.tsx"),
      }),
      page(app, "/records/$schema/$kind/$name/$key", {
        RecordPage: () => import("./data/record/record-page.tsx"),
      }),
      files,
      managedPeople.addChildren([
        page(managedPeople, "/", {
          ManagedUsersPage: () => import("./people/delegated/managed-users-page.tsx"),
        }),
        page(managedPeople, "/$id", {
          ManagedUserPage: () => import("./people/delegated/managed-user-page.tsx"),
        }),
      ]),
      account.addChildren([
        accountStart,
        page(account, "/profile", { ProfilePage: () => import("./account/profile-page.tsx") }),
        page(account, "/security", { SecurityPage: () => import("./account/security-page.tsx") }),
        page(account, "/sessions", { SessionsPage: () => import("./account/sessions-page.tsx") }),
        page(account, "/tokens", { TokensPage: () => import("./account/tokens-page.tsx") }),
      ]),
    ]),
    admin.addChildren([
      page(admin, "/", { OverviewPage: () => import("./overview/overview-page.tsx") }),
      page(admin, "/open-tables", {
        OpenTablesPage: () => import("./first-steps/open-tables-page.tsx"),
      }),
      page(admin, "/connect", { ConnectPage: () => import("./first-steps/connect-page.tsx") }),
      people.addChildren([
        peopleStart,
        page(people, "/users", { UsersPage: () => import("./people/users-page.tsx") }),
        page(people, "/users/$id", { UserPage: () => import("./people/user-page.tsx") }),
        page(people, "/roles", { RolesPage: () => import("./people/roles-page.tsx") }),
        page(people, "/roles/$id", { RolePage: () => import("./people/role-page.tsx") }),
        page(people, "/invitations", {
          InvitationsPage: () => import("./people/invitations-page.tsx"),
        }),
        page(people, "/providers", { ProvidersPage: () => import("./people/providers-page.tsx") }),
        page(people, "/tokens", { TokensPage: () => import("./people/tokens-page.tsx") }),
      ]),
      searchPage(admin, "/access", readMatrixSearch, {
        MatrixPage: () => import("./access/matrix-page.tsx"),
      }),
      searchPage(admin, "/access/grants/$id", readGrantSearch, {
        GrantPage: () => import("./access/grant/grant-page.tsx"),
      }),
      searchPage(admin, "/access/explain", readExplainSearch, {
        ExplainPage: () => import("./access/explain/explain-page.tsx"),
      }),
      searchPage(admin, "/access/view-as", readViewAsSearch, {
        ViewAsPage: () => import("./access/view-as/view-as-page.tsx"),
      }),
      page(admin, "/sql", { SqlPage: () => import("./sql/sql-page.tsx") }),
      searchPage(admin, "/audit", readAuditSearch, {
        AuditPage: () => import("./audit/audit-page.tsx"),
      }),
      settings.addChildren([
        searchPage(settings, "/", readSettingsSearch, {
          SettingsPage: () => import("./settings/settings-page.tsx"),
        }),
        page(settings, "/sealed-values", {
          SealedValuesPage: () => import("./settings/sealed-values-page.tsx"),
        }),
        searchPage(settings, "/records/$kind", readSearch, {
          KindPage: () => import("./kinds/kind-page.tsx"),
        }),
        page(settings, "/templates", {
          TemplatesPage: () => import("./settings/templates/templates-page.tsx"),
        }),
      ]),
      page(admin, "/settings/templates/$id", {
        TemplatePage: () => import("./settings/templates/template-page.tsx"),
      }),
      page(admin, "/configuration", {
        ConfigurationPage: () => import("./configuration/configuration-page.tsx"),
      }),
      page(admin, "/configuration/set-back", {
        SetBackPage: () => import("./configuration/set-back-page.tsx"),
      }),
      page(admin, "/configuration/import", {
        ImportPage: () => import("./configuration/import-page.tsx"),
      }),
      searchPage(admin, "/reference", readReferenceSearch, {
        ReferencePage: () => import("./reference/reference-page.tsx"),
      }),
      structure.addChildren([
        searchPage(structure, "/", readStructureSearch, {
          StructurePage: () => import("./structure/overview/structure-page.tsx"),
        }),
        searchPage(structure, "/map", readMapSearch, {
          MapPage: () => import("./structure/map/map-page.tsx"),
        }),
        page(structure, "/$schema/new/table", {
          NewTablePage: () => import("./structure/table/new-table-page.tsx"),
        }),
        searchPage(structure, "/$schema/table/$name", readTableSearch, {
          TablePage: () => import("./structure/table/table-page.tsx"),
        }),
        page(structure, "/$schema/new/view", {
          NewViewPage: () => import("./structure/view/new-view-page.tsx"),
        }),
        page(structure, "/$schema/view/$name", {
          ViewPage: () => import("./structure/view/view-page.tsx"),
        }),
      ]),
      mcp.addChildren([
        page(mcp, "/", { SetupPage: () => import("./mcp/setup-page.tsx") }),
        page(mcp, "/clients", { ClientsPage: () => import("./mcp/clients-page.tsx") }),
        searchPage(mcp, "/calls", readCallsSearch, {
          CallsPage: () => import("./mcp/calls-page.tsx"),
        }),
      ]),
      searchPage(admin, "/data-views", readSearch, {
        DataViewsPage: () => import("./data-views/builder/data-views-page.tsx"),
      }),
      searchPage(admin, "/data-views/$id", readBuilderSearch, {
        BuilderPage: () => import("./data-views/builder/builder-page.tsx"),
      }),
      searchPage(admin, "/dashboards", readSearch, {
        DashboardsPage: () => import("./dashboards/builder/dashboards-page.tsx"),
      }),
      searchPage(admin, "/dashboards/new", readBoardSearch, {
        NewDashboardPage: () => import("./dashboards/builder/builder-page.tsx"),
      }),
      searchPage(admin, "/dashboards/$id", readBoardSearch, {
        BuilderPage: () => import("./dashboards/builder/builder-page.tsx"),
      }),
      searchPage(admin, "/workflows", readOverviewSearch, {
        WorkflowsPage: () => import("./workflows/overview/workflows-page.tsx"),
      }),
      page(admin, "/workflows/new", {
        NewWorkflowPage: () => import("./workflows/overview/new-workflow-page.tsx"),
      }),
      searchPage(admin, "/workflows/runs", readRunsSearch, {
        AllRunsPage: () => import("./workflows/runs/all-runs-page.tsx"),
      }),
      searchPage(admin, "/workflows/secrets", readSearch, {
        SecretsPage: () => import("./workflows/settings/secrets-page.tsx"),
      }),
      searchPage(admin, "/workflows/$id", readEditorSearch, {
        EditorPage: () => import("./workflows/editor/editor-page.tsx"),
      }),
      searchPage(admin, "/workflows/$id/versions", readVersionsSearch, {
        VersionsPage: () => import("./workflows/editor/versions-page.tsx"),
      }),
      searchPage(admin, "/workflows/$id/runs", readRunsSearch, {
        WorkflowRunsPage: () => import("./workflows/runs/workflow-runs-page.tsx"),
      }),
      searchPage(admin, "/workflows/$id/runs/$runId", readRunSearch, {
        RunPage: () => import("./workflows/runs/run-page.tsx"),
      }),
      page(admin, "/workflows/$id/settings", {
        WorkflowSettingsPage: () => import("./workflows/settings/workflow-settings-page.tsx"),
      }),
      page(admin, "/workflows/$id/test", {
        TestPage: () => import("./workflows/test/test-page.tsx"),
      }),
    ]),
  ]),
]);

/** Reads the text to search for from an address. */
function readSearch({ search }: Record<string, unknown>): { readonly search?: string | undefined } {
  return { search: typeof search === "string" && search !== "" ? search : undefined };
}

/** Reads the search and the period of the list of workflows. The service takes 1 to 720 hours. */
function readOverviewSearch({ search, hours }: Record<string, unknown>): {
  readonly search?: string | undefined;
  readonly hours?: number | undefined;
} {
  const isPeriod = Number.isInteger(hours) && Number(hours) >= 1 && Number(hours) <= 720;
  return { ...readSearch({ search }), hours: isPeriod ? Number(hours) : undefined };
}
