import { createRoute, lazyRouteComponent, notFound, redirect } from "@tanstack/react-router";
import { readExplainSearch } from "./access/explain/explain-search.ts";
import { readGrantSearch } from "./access/grant/grant-search.ts";
import { readMatrixSearch } from "./access/matrix/matrix-search.ts";
import { readViewAsSearch } from "./access/view-as/view-as-search.ts";
import { readAuditSearch } from "./audit/audit-search.ts";
import { readDashboardSearch } from "./dashboards/model/open-dashboard.ts";
import { readPanelRowsSearch } from "./dashboards/model/panel-rows-search.ts";
import { readViewState } from "./data-views/model/view-state.ts";
import { readFilesSearch } from "./files/files-search.ts";
import { administration, frame, readSearch } from "./frame-routes.tsx";
import { mcpRoutes } from "./mcp-routes.tsx";
import { openRoutes, root } from "./open-routes.tsx";
import { readPeopleSearch } from "./people/people-search.ts";
import { readingRoutes } from "./reading-routes.tsx";
import { readRowsSearch } from "./records/rows/rows-address.ts";
import { readReferenceSearch } from "./reference/reference-search.ts";
import { MissingPage } from "./shell/missing-page.tsx";
import { needWords } from "./shell/words-store.ts";
import { readMapSearch } from "./structure/map/map-search.ts";
import { readStructureSearch } from "./structure/overview/structure-search.ts";
import { readTableSearch } from "./structure/table/table-search.ts";
import { workflowRoutes } from "./workflow-routes.tsx";

const workspace = createRoute({
  getParentRoute: () => frame,
  path: "/app",
  notFoundComponent: () => <MissingPage isInFrame />,
});

const overview = createRoute({
  getParentRoute: () => administration,
  path: "/",
  component: lazyRouteComponent(() => import("./overview/overview-page.tsx"), "OverviewPage"),
});

const access = createRoute({
  getParentRoute: () => administration,
  path: "/access",
  validateSearch: readMatrixSearch,
  component: lazyRouteComponent(() => import("./access/matrix/matrix-page.tsx"), "MatrixPage"),
});

const grant = createRoute({
  getParentRoute: () => administration,
  path: "/access/grants/$id",
  validateSearch: readGrantSearch,
  component: lazyRouteComponent(() => import("./access/grant/grant-page.tsx"), "GrantPage"),
});

const sql = createRoute({
  getParentRoute: () => administration,
  path: "/sql",
  component: lazyRouteComponent(() => import("./sql/sql-page.tsx"), "SqlPage"),
});

const explain = createRoute({
  getParentRoute: () => administration,
  path: "/access/explain",
  validateSearch: readExplainSearch,
  component: lazyRouteComponent(() => import("./access/explain/explain-page.tsx"), "ExplainPage"),
});

const viewAs = createRoute({
  getParentRoute: () => administration,
  path: "/access/view-as",
  validateSearch: readViewAsSearch,
  component: lazyRouteComponent(() => import("./access/view-as/view-as-page.tsx"), "ViewAsPage"),
});

const audit = createRoute({
  getParentRoute: () => administration,
  path: "/audit",
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import("./audit/audit-page.tsx"), "AuditPage"),
});

const people = createRoute({
  getParentRoute: () => administration,
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

const users = createRoute({
  getParentRoute: () => people,
  path: "/users",
  component: lazyRouteComponent(() => import("./people/users-page.tsx"), "UsersPage"),
});

const user = createRoute({
  getParentRoute: () => people,
  path: "/users/$id",
  component: lazyRouteComponent(() => import("./people/user-page.tsx"), "UserPage"),
});

const managedPeople = createRoute({
  getParentRoute: () => workspace,
  path: "/people",
  validateSearch: readPeopleSearch,
  loader: () => needWords("administration"),
});

const managedUsers = createRoute({
  getParentRoute: () => managedPeople,
  path: "/",
  component: lazyRouteComponent(
    () => import("./people/delegated/managed-users-page.tsx"),
    "ManagedUsersPage",
  ),
});

const managedUser = createRoute({
  getParentRoute: () => managedPeople,
  path: "/$id",
  component: lazyRouteComponent(
    () => import("./people/delegated/managed-user-page.tsx"),
    "ManagedUserPage",
  ),
});

const roles = createRoute({
  getParentRoute: () => people,
  path: "/roles",
  component: lazyRouteComponent(() => import("./people/roles-page.tsx"), "RolesPage"),
});

const role = createRoute({
  getParentRoute: () => people,
  path: "/roles/$id",
  component: lazyRouteComponent(() => import("./people/role-page.tsx"), "RolePage"),
});

const settings = createRoute({
  getParentRoute: () => administration,
  path: "/settings",
  component: lazyRouteComponent(() => import("./settings/settings-frame.tsx"), "SettingsFrame"),
});

const allSettings = createRoute({
  getParentRoute: () => settings,
  path: "/",
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import("./settings/settings-page.tsx"), "SettingsPage"),
});

const sealedValues = createRoute({
  getParentRoute: () => settings,
  path: "/sealed-values",
  component: lazyRouteComponent(
    () => import("./settings/sealed-values-page.tsx"),
    "SealedValuesPage",
  ),
});

const templates = createRoute({
  getParentRoute: () => settings,
  path: "/templates",
  component: lazyRouteComponent(
    () => import("./settings/templates/templates-page.tsx"),
    "TemplatesPage",
  ),
});

const template = createRoute({
  getParentRoute: () => administration,
  path: "/settings/templates/$id",
  component: lazyRouteComponent(
    () => import("./settings/templates/template-page.tsx"),
    "TemplatePage",
  ),
});

const reference = createRoute({
  getParentRoute: () => administration,
  path: "/reference",
  validateSearch: readReferenceSearch,
  component: lazyRouteComponent(() => import("./reference/reference-page.tsx"), "ReferencePage"),
});

const structure = createRoute({
  getParentRoute: () => administration,
  path: "/structure",
});

const schemas = createRoute({
  getParentRoute: () => structure,
  path: "/",
  validateSearch: readStructureSearch,
  component: lazyRouteComponent(
    () => import("./structure/overview/structure-page.tsx"),
    "StructurePage",
  ),
});

const schemaMap = createRoute({
  getParentRoute: () => structure,
  path: "/map",
  validateSearch: readMapSearch,
  component: lazyRouteComponent(() => import("./structure/map/map-page.tsx"), "MapPage"),
});

const newTable = createRoute({
  getParentRoute: () => structure,
  path: "/$schema/new/table",
  component: lazyRouteComponent(
    () => import("./structure/table/new-table-page.tsx"),
    "NewTablePage",
  ),
});

const table = createRoute({
  getParentRoute: () => structure,
  path: "/$schema/table/$name",
  validateSearch: readTableSearch,
  component: lazyRouteComponent(() => import("./structure/table/table-page.tsx"), "TablePage"),
});

const peopleInvitations = createRoute({
  getParentRoute: () => people,
  path: "/invitations",
  component: lazyRouteComponent(() => import("./people/invitations-page.tsx"), "InvitationsPage"),
});

const peopleProviders = createRoute({
  getParentRoute: () => people,
  path: "/providers",
  component: lazyRouteComponent(() => import("./people/providers-page.tsx"), "ProvidersPage"),
});

const peopleTokens = createRoute({
  getParentRoute: () => people,
  path: "/tokens",
  component: lazyRouteComponent(() => import("./people/tokens-page.tsx"), "TokensPage"),
});

const newView = createRoute({
  getParentRoute: () => structure,
  path: "/$schema/new/view",
  component: lazyRouteComponent(() => import("./structure/view/new-view-page.tsx"), "NewViewPage"),
});

const view = createRoute({
  getParentRoute: () => structure,
  path: "/$schema/view/$name",
  component: lazyRouteComponent(() => import("./structure/view/view-page.tsx"), "ViewPage"),
});

const home = createRoute({
  getParentRoute: () => workspace,
  path: "/",
  component: lazyRouteComponent(() => import("./workspace/home-page.tsx"), "HomePage"),
});

const data = createRoute({
  getParentRoute: () => workspace,
  path: "/data/$schema/$kind/$name",
  validateSearch: readRowsSearch,
  component: lazyRouteComponent(() => import("./data/page/data-page.tsx"), "DataPage"),
});

const dashboard = createRoute({
  getParentRoute: () => workspace,
  path: "/dashboards/$id",
  validateSearch: readDashboardSearch,
  component: lazyRouteComponent(
    () => import("./dashboards/page/dashboard-page.tsx"),
    "DashboardPage",
  ),
});

const dashboardRows = createRoute({
  getParentRoute: () => workspace,
  path: "/dashboards/$id/panels/$panel/rows",
  validateSearch: readPanelRowsSearch,
  component: lazyRouteComponent(
    () => import("./dashboards/page/panel-rows-page.tsx"),
    "PanelRowsPage",
  ),
});

const dataView = createRoute({
  getParentRoute: () => workspace,
  path: "/data-views/$id",
  validateSearch: readViewState,
  component: lazyRouteComponent(
    () => import("./data-views/page/data-view-page.tsx"),
    "DataViewPage",
  ),
});

const record = createRoute({
  getParentRoute: () => workspace,
  path: "/records/$schema/$kind/$name/$key",
  component: lazyRouteComponent(() => import("./data/record/record-page.tsx"), "RecordPage"),
});

const files = createRoute({
  getParentRoute: () => workspace,
  path: "/files",
  validateSearch: readFilesSearch,
  // Nothing of the page loads for a person who may read no files.
  beforeLoad: async () => {
    const { mayReadFiles } = await import("./shell/may-read-files.ts");
    if (!(await mayReadFiles())) throw notFound();
  },
  component: lazyRouteComponent(() => import("./files/files-page.tsx"), "FilesPage"),
});

const account = createRoute({
  getParentRoute: () => workspace,
  path: "/account",
  component: lazyRouteComponent(() => import("./account/account-frame.tsx"), "AccountFrame"),
});

const accountStart = createRoute({
  getParentRoute: () => account,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/app/account/profile", replace: true });
  },
});

const profile = createRoute({
  getParentRoute: () => account,
  path: "/profile",
  component: lazyRouteComponent(() => import("./account/profile-page.tsx"), "ProfilePage"),
});

const security = createRoute({
  getParentRoute: () => account,
  path: "/security",
  component: lazyRouteComponent(() => import("./account/security-page.tsx"), "SecurityPage"),
});

const sessions = createRoute({
  getParentRoute: () => account,
  path: "/sessions",
  component: lazyRouteComponent(() => import("./account/sessions-page.tsx"), "SessionsPage"),
});

const tokens = createRoute({
  getParentRoute: () => account,
  path: "/tokens",
  component: lazyRouteComponent(() => import("./account/tokens-page.tsx"), "TokensPage"),
});

/** Every address of the pages. The root has these children once this module is loaded. */
export const routeTree = root.addChildren([
  ...openRoutes,
  frame.addChildren([
    workspace.addChildren([
      home,
      data,
      dashboard,
      dashboardRows,
      dataView,
      record,
      files,
      managedPeople.addChildren([managedUsers, managedUser]),
      account.addChildren([accountStart, profile, security, sessions, tokens]),
    ]),
    administration.addChildren([
      overview,
      people.addChildren([
        peopleStart,
        users,
        user,
        roles,
        role,
        peopleInvitations,
        peopleProviders,
        peopleTokens,
      ]),
      access,
      grant,
      sql,
      explain,
      viewAs,
      audit,
      settings.addChildren([allSettings, templates, sealedValues]),
      template,
      reference,
      structure.addChildren([schemas, schemaMap, newTable, table, newView, view]),
      ...mcpRoutes,
      ...readingRoutes,
      ...workflowRoutes,
    ]),
  ]),
]);
