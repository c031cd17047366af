import type { AccountMails } from "@rowhouse/accounts";
import type { DataPlane } from "@rowhouse/data";
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
import { createPreviewEngines } from "@rowhouse/readings";
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
import { mountMeRoute } from "./routes/app/me.ts";
import { mountNavigationRoute } from "./routes/app/navigation.ts";
import { mountAppOpenApiRoute } from "./routes/app/openapi.ts";
import { mountPreferenceRoutes } from "./routes/app/preferences.ts";
import { mountSavedViewRoutes } from "./routes/app/saved-views.ts";
import { mountAuditLogRoutes } from "./routes/audit-log.ts";
import { mountAuthProviderRoutes } from "./routes/auth-providers.ts";
import { mountDashboardRoutes } from "./routes/dashboards.ts";
import { mountDataViewRoutes } from "./routes/data-views.ts";
import { mountDocsRoutes } from "./routes/docs.ts";
import { mountExplainPermissionsRoute } from "./routes/explain-permissions.ts";
import { mountForeignKeysRoutes } from "./routes/foreign-keys.ts";
import { mountGrantRoutes } from "./routes/grants.ts";
import { mountInvitationRoutes } from "./routes/invitations.ts";
import { mountMcpCallRoutes } from "./routes/mcp-calls.ts";
import { mountOpenApiRoutes } from "./routes/openapi.ts";
import { mountPreviewDashboardRoute } from "./routes/preview-dashboard.ts";
import { mountPreviewDataViewRoute } from "./routes/preview-data-view.ts";
import { mountPreviewPermissionsRoute } from "./routes/preview-permissions.ts";
import { mountResourceColumnRoutes } from "./routes/resource-columns.ts";
import { mountResourceRoutes } from "./routes/resources.ts";
import { mountRoleMemberRoutes } from "./routes/role-members.ts";
import { mountRoleRoutes } from "./routes/roles.ts";
import { mountSchemaRoutes } from "./routes/schemas.ts";
import { mountSealedValueRoutes } from "./routes/sealed-values.ts";
import { mountSettingRoutes } from "./routes/settings.ts";
import { mountSqlRoutes } from "./routes/sql.ts";
import { mountTableRoutes } from "./routes/table.ts";
import { mountTablesRoutes } from "./routes/tables.ts";
import { mountTemplateFrameRoute } from "./routes/template-frames.ts";
import { mountTemplateRoutes } from "./routes/templates.ts";
import { mountTokenRoutes } from "./routes/tokens.ts";
import { mountUserPermissionRoutes } from "./routes/user-permissions.ts";
import { mountUserSessionRoutes } from "./routes/user-sessions.ts";
import { mountUserRoutes } from "./routes/users.ts";
import { mountViewRoutes } from "./routes/views.ts";
import { mountWorkflowAccessRoutes } from "./routes/workflow-access.ts";
import { mountWorkflowCompletionRoute } from "./routes/workflow-completions.ts";
import { mountWorkflowDefinitionRoutes } from "./routes/workflow-definitions.ts";
import { mountWorkflowExampleRoutes } from "./routes/workflow-examples.ts";
import { mountWorkflowOverviewRoute } from "./routes/workflow-overview.ts";
import { mountWorkflowRunRoutes } from "./routes/workflow-runs.ts";
import { mountWorkflowSampleRoutes } from "./routes/workflow-samples.ts";
import { mountWorkflowScheduleRoute } from "./routes/workflow-schedules.ts";
import { mountWorkflowSecretRoutes } from "./routes/workflow-secrets.ts";
import { mountWorkflowStartRoutes } from "./routes/workflow-starts.ts";
import { mountWorkflowStepKindRoute } from "./routes/workflow-step-kinds.ts";
import { mountWorkflowVersionRoutes } from "./routes/workflow-versions.ts";
import { mountWorkflowWatcherRoutes } from "./routes/workflow-watchers.ts";
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
  // GET /docs, which redirects to the page of the reference
  const open = createApiRouter({ bodyBytesMax: () => 0 });
  mountDocsRoutes(open);
  // GET /template-frames/{ticket}
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

/** Mounts the routes of `/admin/api/*`. */
function mountAdminRoutes(
  router: ApiRouter,
  parts: { readonly service: Service; readonly streams: EventStreams },
  dependencies: AdminApiDependencies,
): void {
  const { logger, database, snapshots, mails, rateLimits, vault, sqlConsole } = dependencies;
  const { bounds } = dependencies.plane;
  const { wakeRun = () => {} } = dependencies;
  // GET /openapi · GET /openapi/data?role=
  mountOpenApiRoutes(router, { snapshots, routes: parts.service });
  // GET POST /schema · DELETE /schema/{schema}
  mountSchemaRoutes(router, { database });
  // GET POST /schema/{schema}/tables · POST …/preview
  mountTablesRoutes(router, { database });
  mountForeignKeysRoutes(router, { database });
  // GET PATCH DELETE /schema/{schema}/tables/{table} · POST …/preview …/drop-preview
  mountTableRoutes(router, { database, snapshots });
  // GET POST /schema/{schema}/views · POST …/preview · GET PUT DELETE …/{view} · POST …/{view}/preview
  // POST …/{view}/refresh
  const refresher = createViewRefresher(database, (error) =>
    logger.error({ err: error }, "A refresh of a view was interrupted"),
  );
  mountViewRoutes(router, { database, snapshots, refresher });
  // GET PATCH /resources · GET PATCH /resources/{id}
  mountResourceRoutes(router, { database, snapshots });
  // GET /resources/{id}/columns · GET PATCH …/{column}
  mountResourceColumnRoutes(router, { database, snapshots });
  // GET POST /roles · GET PATCH DELETE /roles/{id}
  mountRoleRoutes(router, { database });
  // GET POST /roles/{id}/members · DELETE …/{userId}
  mountRoleMemberRoutes(router, { database, mails });
  // GET POST /grants · GET PATCH DELETE /grants/{id}
  mountGrantRoutes(router, { database, snapshots });
  // GET POST /data-views · GET PATCH DELETE /data-views/{id}
  mountDataViewRoutes(router, { database, snapshots });
  // GET POST /dashboards · GET PATCH DELETE /dashboards/{id}
  mountDashboardRoutes(router, { database, snapshots });
  // GET POST /users · GET PATCH /users/{id} · POST …/deactivate …/activate
  mountUserRoutes(router, { database, mails });
  // GET /users/{id}/permissions
  mountUserPermissionRoutes(router, { database, snapshots });
  // POST /permissions/explain
  mountExplainPermissionsRoute(router, { database, snapshots });
  // POST /permissions/preview
  const engines = createPreviewEngines({ database, snapshots, bounds });
  const previewed = createPreviewApp(
    createApiRouter({ bodyBytesMax: () => 0 }),
    logger,
    (readers) => mountAppReaders(readers, { database, snapshots, logger, ...engines }),
    async () => settingsOf(await snapshots.current())["data.max_response_bytes"],
  );
  mountPreviewPermissionsRoute(router, { database, snapshots, engines, previewed });
  // POST /data-views/preview
  mountPreviewDataViewRoute(router, { database, snapshots, engines, logger });
  // POST /dashboards/preview
  mountPreviewDashboardRoute(router, { database, snapshots, engines, logger });
  // GET DELETE /users/{id}/sessions · DELETE …/{sessionId}
  mountUserSessionRoutes(router, { database });
  // GET POST /tokens · GET PATCH /tokens/{id} · POST …/regenerate …/deactivate …/activate …/revoke
  mountTokenRoutes(router, { database, snapshots });
  // GET POST /invitations · GET DELETE /invitations/{id}
  mountInvitationRoutes(router, { database, mails });
  // GET POST /templates · GET PATCH DELETE /templates/{id} · POST …/preview …/test-mail
  mountTemplateRoutes(router, { database, snapshots, mails, rateLimits });
  // GET POST /auth-providers · GET PATCH DELETE /auth-providers/{id}
  mountAuthProviderRoutes(router, { database, vault });
  // GET /mcp/calls, also as a stream of events
  mountMcpCallRoutes(router, { database, streams: parts.streams });
  // GET PATCH /settings
  mountSettingRoutes(router, { database, snapshots });
  // POST /sql · DELETE /sql/{id}
  mountSqlRoutes(router, { sqlConsole, snapshots });
  // GET /sealed-values · POST /sealed-values/reseal
  mountSealedValueRoutes(router, { database, vault, logger });
  // GET /audit-log
  mountAuditLogRoutes(router, { database });
  // GET POST /workflows · GET PATCH DELETE /workflows/{id} · POST …/publish …/enable …/disable
  mountWorkflowRoutes(router, { database });
  // GET /workflow-step-kinds
  mountWorkflowStepKindRoute(router);
  // POST /workflow-definitions/check
  mountWorkflowDefinitionRoutes(router, { database, snapshots });
  // POST /workflows/{id}/completions
  mountWorkflowCompletionRoute(router, { database, snapshots });
  // GET POST /workflows/{id}/samples · GET PATCH DELETE …/{sampleId}
  mountWorkflowSampleRoutes(router, { database });
  // GET /workflows/{id}/examples · GET PUT DELETE …/{stepId}
  mountWorkflowExampleRoutes(router, { database });
  // POST /workflow-schedules/preview
  mountWorkflowScheduleRoute(router);
  // GET POST /workflow-secrets · GET PATCH DELETE /workflow-secrets/{name}
  mountWorkflowSecretRoutes(router, { database, vault });
  // GET POST /workflows/{id}/invoke-grants · DELETE …/{roleId}
  mountWorkflowAccessRoutes(router, { database });
  // GET /workflows/{id}/versions · GET …/{number} · POST …/{number}/publish
  mountWorkflowVersionRoutes(router, { database });
  // POST /workflows/{id}/test · POST …/runs · POST …/runs/{runId}/again If no worker is woken, the reconciler finds the
  // run within seconds.
  mountWorkflowStartRoutes(router, { database, wakeRun: wakeRun });
  // GET /workflows/{id}/watchers · PUT DELETE …/{userId}
  mountWorkflowWatcherRoutes(router, { database });
  // GET /workflow-overview
  mountWorkflowOverviewRoute(router, { database });
  // GET /workflows/{id}/runs · GET …/{runId} · POST …/{runId}/cancel
  mountWorkflowRunRoutes(router, { database, streams: parts.streams });
}

/** Mounts the routes of `/app/api/*`. */
function mountAppRoutes(
  router: ApiRouter,
  { database, snapshots, plane: { engine, exports }, logger }: AdminApiDependencies,
): void {
  mountAppReaders(router, { database, snapshots, engine, exports, logger });
  // GET POST /saved-views · GET PATCH DELETE /saved-views/{id}
  mountSavedViewRoutes(router, { database, snapshots });
  // GET PATCH /preferences
  mountPreferenceRoutes(router, { database });
}

/** Mounts the routes of `/app/api/*` that administrators can preview as somebody else. */
function mountAppReaders(router: ApiRouter, dependencies: ReadingRoutesDependencies): void {
  const { database, snapshots } = dependencies;
  // GET /openapi
  mountAppOpenApiRoute(router);
  // GET /me
  mountMeRoute(router, { database, snapshots });
  // GET /navigation
  mountNavigationRoute(router, { database, snapshots });
  // GET /data-views/{id}
  mountOpenDataViewRoute(router, dependencies);
  // GET /dashboards/{id} · GET …/panels/{panelId} · GET …/panels/{panelId}/rows · GET …/parameters/{name}/values
  mountOpenDashboardRoutes(router, dependencies);
}
