import { createAuthenticator } from "@rowhouse/access";
import type { Database, SnapshotStore } from "@rowhouse/db";
import {
  type AssertionVerifier,
  createApiRouter,
  createService,
  type Logger,
  type Service,
} from "@rowhouse/http";
import { settingsOf } from "@rowhouse/settings";
import { requireAdministrator } from "./administrator.ts";
import { mountAuditLogRoutes } from "./routes/audit-log.ts";
import { mountGrantRoutes } from "./routes/grants.ts";
import { mountOpenApiRoute } from "./routes/openapi.ts";
import { mountResourceRoutes } from "./routes/resources.ts";
import { mountRoleMemberRoutes } from "./routes/role-members.ts";
import { mountRoleRoutes } from "./routes/roles.ts";
import { mountTableRoutes } from "./routes/tables.ts";
import { mountUserRoutes } from "./routes/users.ts";

export interface AdminApiDependencies {
  readonly logger: Logger;
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  /** Set in a set-up of several processes. */
  readonly verifyAssertion?: AssertionVerifier;
}

/** `/admin/api/*`: the whole route table, in the order in which a request meets it. */
export function createApp(dependencies: AdminApiDependencies): Service {
  const { logger, database, snapshots, verifyAssertion } = dependencies;
  const service = createService({
    logger,
    readiness: async () => ({ database: await isReachable(database) }),
    ...(verifyAssertion === undefined ? {} : { verifyAssertion }),
  });
  const router = createApiRouter({
    bodyBytesMax: async () => settingsOf(await snapshots.current())["limits.body_bytes"],
  });

  // Whoever is no administrator learns nothing, not even which paths there are.
  service.use("/admin/api/*", requireAdministrator(createAuthenticator(database, snapshots)));
  mountOpenApiRoute(router); //                           GET /openapi
  mountTableRoutes(router, { database }); //             POST /schema/{schema}/tables, …/preview
  mountResourceRoutes(router, { database, snapshots }); // GET /resources, GET PATCH /resources/{id}
  mountRoleRoutes(router, { database }); //               GET POST /roles, GET PATCH DELETE /roles/{id}
  mountRoleMemberRoutes(router, { database }); //         GET POST /roles/{id}/members, DELETE …/{userId}
  mountGrantRoutes(router, { database, snapshots }); //   GET POST /grants, GET PATCH DELETE /grants/{id}
  mountUserRoutes(router, { database }); //               GET POST /users, GET PATCH /users/{id}, POST …/deactivate, …/activate
  mountAuditLogRoutes(router, { database }); //           GET /audit-log
  service.route("/", router);
  return service;
}

async function isReachable(database: Database): Promise<boolean> {
  try {
    await database.query("select 1");
    return true;
  } catch {
    return false;
  }
}
