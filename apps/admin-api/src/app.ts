import type { AccountMails } from "@rowhouse/accounts";
import { type DataPlane, openDataPlane } from "@rowhouse/data";
import { type Database, type SnapshotStore, toAppError } from "@rowhouse/db";
import { createViewRefresher } from "@rowhouse/ddl";
import {
  type ApiRouter,
  type AssertionVerifier,
  createApiRouter,
  createService,
  readinessOf,
  type Service,
} from "@rowhouse/http";
import type { RateLimits } from "@rowhouse/limits";
import { titleFor } from "@rowhouse/permissions";
import type { Logger, Metrics, Tracing } from "@rowhouse/service";
import { settingsOf } from "@rowhouse/settings";
import type { SqlConsole } from "@rowhouse/sql-console";
import type { Vault } from "@rowhouse/vault";
import type { RunStarter } from "@rowhouse/workflows";
import { requireAdministrator } from "./administrator.ts";
import { requireAppPrincipal } from "./app-principal.ts";
import { createEventStreams, type EventStreams } from "./event-streams.ts";
import { createLocate } from "./locate.ts";
import { createPageAnswer } from "./pages/answer-pages.ts";
import { readPages } from "./pages/read-pages.ts";
import { createPreviewApp } from "./preview/preview-app.ts";
import { createRefusedAccessRecorder } from "./refused-access.ts";
import { mountOpenDashboardRoutes } from "./routes/app/dashboards.ts";
import { mountOpenDataViewRoute, type ReadingRoutesDependencies } from "./routes/app/data-views.ts";
import { mountMeRoute, mountPreferenceRoutes } from "./routes/app/me.ts";
import { mountNavigationRoute } from "./routes/app/navigation.ts";
import { mountAppOpenApiRoute } from "./routes/app/openapi.ts";
import { mountSavedViewRoutes } from "./routes/app/saved-views.ts";
import { mountSearchRoute } from "./routes/app/search.ts";
import { mountAuditLogRoutes } from "./routes/audit-log.ts";
import { mountConfigurationRoutes } from "./routes/configuration.ts";
import { mountExplainPermissionsRoute } from "./routes/explain-permissions.ts";
import { mountGrantRoutes } from "./routes/grants.ts";
import { mountInvitationRoutes } from "./routes/invitations.ts";
import { mountSimpleKinds } from "./routes/kind-routes.ts";
import { mountMcpCallRoutes } from "./routes/mcp-calls.ts";
import { mountDocsRoutes, mountOpenApiRoutes } from "./routes/openapi.ts";
import { mountAuthProviderRoutes, mountRoleRoutes, mountUserRoutes } from "./routes/people.ts";
import { mountPreviewPermissionsRoute } from "./routes/preview-permissions.ts";
import { mountPreviewReadingRoutes } from "./routes/preview-readings.ts";
import { mountDashboardRoutes, mountDataViewRoutes } from "./routes/readings.ts";
import { mountResourceColumnRoutes } from "./routes/resource-columns.ts";
import { mountResourceRoutes } from "./routes/resources.ts";
import { mountRoleMemberRoutes } from "./routes/role-members.ts";
import { mountSampleRoutes } from "./routes/sample.ts";
import { mountSchemaRoutes } from "./routes/schemas.ts";
import { mountSealedValueRoutes } from "./routes/sealed-values.ts";
import { mountSecretRoutes } from "./routes/secrets.ts";
import { mountSettingRoutes } from "./routes/settings.ts";
import { mountSqlRoutes } from "./routes/sql.ts";
import { mountTableRoutes } from "./routes/table.ts";
import { mountForeignKeysRoutes, mountTablesRoutes } from "./routes/tables.ts";
import { mountTemplateFrameRoute } from "./routes/template-frames.ts";
import { mountTemplateRoutes } from "./routes/templates.ts";
import { mountTokenRoutes } from "./routes/tokens.ts";
import { mountUserPermissionRoutes } from "./routes/user-permissions.ts";
import { mountUserSessionRoutes } from "./routes/user-sessions.ts";
import { mountViewRoutes } from "./routes/views.ts";
import { mountWorkflowAuthoringRoutes } from "./routes/workflow-authoring.ts";
import { mountWorkflowExampleRoutes } from "./routes/workflow-examples.ts";
import { mountWorkflowOverviewRoute } from "./routes/workflow-overview.ts";
import { mountWorkflowPeopleRoutes } from "./routes/workflow-people.ts";
import { mountWorkflowRunRoutes } from "./routes/workflow-runs.ts";
import { mountWorkflowSampleRoutes } from "./routes/workflow-samples.ts";
import { mountWorkflowStartRoutes } from "./routes/workflow-starts.ts";
import { mountWorkflowVersionRoutes } from "./routes/workflow-versions.ts";
import { mountWorkflowRoutes } from "./routes/workflows.ts";

export interface AdminApiDependencies {
  readonly logger: Logger;
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  /** Reads rows for the app API. */
  readonly plane: DataPlane;
  readonly mails: AccountMails;
  /** Counts the test mails. */
  readonly rateLimits: RateLimits;
  /** Seals the secrets of providers and of workflows. */
  readonly vault: Vault;
  /** The clock of this process, in milliseconds; Postgres has its own. */
  readonly now?: () => number;
  readonly sqlConsole: SqlConsole;
  readonly metrics?: Metrics | undefined;
  readonly tracing?: Tracing | undefined;
  /** Wakes a worker for an accepted run. */
  readonly wakeRun?: RunStarter["wakeRun"];
  /** Aborts when the process is about to stop, so that it need not wait for its streams. */
  readonly stopping?: AbortSignal | undefined;
  /** Folder of the built pages; by default the build of `apps/console`. */
  readonly pagesFolder?: string;
  /** Set in a deployment with several processes. */
  readonly verifyAssertion?: AssertionVerifier;
}

/**
 * Creates `/admin/api/*` and `/app/api/*`: the whole route table, in the order in which a request passes it. What no
 * route takes may be a page.
 */
export function createApp(dependencies: AdminApiDependencies): Service {
  const { logger, database, snapshots, metrics, tracing, verifyAssertion } = dependencies;
  const service = createService({
    translate: toAppError,
    logger,
    readiness: readinessOf(database),
    onAnswered: metrics?.answersOf("admin-api"),
    tracing,
    locate: createLocate({ database, snapshots }),
    answerPage: createPageAnswer(readPages(dependencies.pagesFolder, logger)),
    ...(verifyAssertion === undefined ? {} : { verifyAssertion }),
  });
  const { authenticator } = dependencies.plane;

  // Routes without a credential.
  const open = createApiRouter({ bodyBytesMax: () => 0 });
  mountDocsRoutes(open);
  mountTemplateFrameRoute(open, { database });
  service.route("/", open);

  // A caller who is not an administrator gets the same refusal for every path, known or unknown.
  service.use(
    "/admin/api/*",
    requireAdministrator(authenticator, createRefusedAccessRecorder(database)),
  );
  const admin = createProtectedRouter(snapshots);
  const { stopping } = dependencies;
  const streams = createEventStreams({ authenticator, logger, stopping });
  mountAdminRoutes(admin, { service, streams }, dependencies);
  service.route("/", admin);

  service.use("/app/api/*", requireAppPrincipal(authenticator));
  const app = createProtectedRouter(snapshots);
  mountAppRoutes(app, dependencies);
  service.route("/", app);
  return service;
}

/** Creates a router whose routes are behind a credential check. */
function createProtectedRouter(snapshots: SnapshotStore): ApiRouter {
  return createApiRouter({
    // Before each route with a body, the credential check has proven that the snapshot is current.
    bodyBytesMax: async () => settingsOf(await snapshots.current())["limits.body_bytes"],
    refusals: ["AUTHENTICATION_REQUIRED", "ACTION_DENIED"],
  });
}

function mountAdminRoutes(
  router: ApiRouter,
  parts: { readonly service: Service; readonly streams: EventStreams },
  dependencies: AdminApiDependencies,
): void {
  const { logger, database, snapshots, mails, rateLimits, vault, sqlConsole } = dependencies;
  const { bounds } = dependencies.plane;
  const { wakeRun = () => {} } = dependencies;
  mountOpenApiRoutes(router, { snapshots, routes: parts.service });
  mountSchemaRoutes(router, { database });
  mountSampleRoutes(router, { database });
  mountTablesRoutes(router, { database });
  mountForeignKeysRoutes(router, { database });
  mountTableRoutes(router, { database, snapshots });
  const refresher = createViewRefresher(database, (error) =>
    logger.error({ err: error }, "A refresh of a view was interrupted"),
  );
  mountViewRoutes(router, { database, snapshots, refresher });
  mountResourceRoutes(router, { database, snapshots });
  mountResourceColumnRoutes(router, { database, snapshots });
  mountRoleRoutes(router, { database });
  mountRoleMemberRoutes(router, { database, mails });
  mountGrantRoutes(router, { database, snapshots });
  mountDataViewRoutes(router, { database, snapshots });
  mountDashboardRoutes(router, { database, snapshots });
  mountUserRoutes(router, { database, mails });
  mountUserPermissionRoutes(router, { database, snapshots });
  mountExplainPermissionsRoute(router, { database, snapshots });
  // Of previews, which record no use of a token.
  const engines = openDataPlane({ database, snapshots, bounds, titleFor });
  const previewed = createPreviewApp(
    createApiRouter({ bodyBytesMax: () => 0 }),
    logger,
    (readers) => mountAppReaders(readers, { database, snapshots, logger, ...engines }),
    async () => settingsOf(await snapshots.current())["data.max_response_bytes"],
  );
  mountPreviewPermissionsRoute(router, { database, snapshots, engines, previewed });
  mountPreviewReadingRoutes(router, { database, snapshots, engines, logger });
  mountUserSessionRoutes(router, { database });
  mountTokenRoutes(router, { database, snapshots });
  mountInvitationRoutes(router, { database, mails });
  mountTemplateRoutes(router, { database, snapshots, mails, rateLimits });
  mountAuthProviderRoutes(router, { database, vault });
  mountSimpleKinds(router, { database });
  mountMcpCallRoutes(router, { database, streams: parts.streams });
  mountSettingRoutes(router, { database, snapshots });
  mountConfigurationRoutes(router, { database, snapshots, vault });
  mountSqlRoutes(router, { sqlConsole, snapshots });
  mountSealedValueRoutes(router, { database, vault, logger });
  mountAuditLogRoutes(router, { database });
  mountWorkflowRoutes(router, { database, vault });
  mountWorkflowAuthoringRoutes(router, { database, snapshots, vault });
  mountWorkflowSampleRoutes(router, { database });
  mountWorkflowExampleRoutes(router, { database });
  mountSecretRoutes(router, { database, vault });
  mountWorkflowPeopleRoutes(router, { database });
  mountWorkflowVersionRoutes(router, { database, vault });
  mountWorkflowStartRoutes(router, { database, vault, wakeRun });
  mountWorkflowOverviewRoute(router, { database });
  mountWorkflowRunRoutes(router, { database, streams: parts.streams });
}

function mountAppRoutes(
  router: ApiRouter,
  { database, snapshots, plane: { engine, exports }, logger }: AdminApiDependencies,
): void {
  mountAppReaders(router, { database, snapshots, engine, exports, logger });
  mountSavedViewRoutes(router, { database, snapshots });
  mountPreferenceRoutes(router, { database });
}

/** Mounts the routes of `/app/api/*` that administrators can preview as somebody else. */
function mountAppReaders(router: ApiRouter, dependencies: ReadingRoutesDependencies): void {
  const { database, snapshots } = dependencies;
  mountAppOpenApiRoute(router);
  mountMeRoute(router, { database, snapshots });
  mountNavigationRoute(router, { database, snapshots });
  mountOpenDataViewRoute(router, dependencies);
  mountSearchRoute(router, dependencies);
  mountOpenDashboardRoutes(router, dependencies);
}
