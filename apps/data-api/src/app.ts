import { createAuthenticator, createPrincipalCache } from "@rowhouse/access";
import { createDataEngine } from "@rowhouse/data";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { type AssertionVerifier, createService, type Logger, type Service } from "@rowhouse/http";
import { mountAuthRoutes } from "./routes/auth.ts";
import { mountRowRoutes } from "./routes/rows.ts";

export interface DataApiDependencies {
  readonly logger: Logger;
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  /** Set in a set-up of several processes. */
  readonly verifyAssertion?: AssertionVerifier;
}

/** `/api/*`: the whole route table, in the order in which a request meets it. */
export function createApp(dependencies: DataApiDependencies): Service {
  const { logger, database, snapshots, verifyAssertion } = dependencies;
  const authenticator = createAuthenticator(database, snapshots);
  const engine = createDataEngine({
    database,
    snapshots,
    principals: createPrincipalCache(database),
  });

  const service = createService({
    logger,
    readiness: async () => ({ database: await isReachable(database) }),
    ...(verifyAssertion === undefined ? {} : { verifyAssertion }),
  });
  mountAuthRoutes(service, { database, snapshots, authenticator });
  mountRowRoutes(service, { engine, snapshots, authenticator });
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
