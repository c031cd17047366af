import { openAccountMails } from "@rowhouse/accounts";
import { openDataPlane } from "@rowhouse/data";
import { createSnapshotStore } from "@rowhouse/db";
import { openStorage } from "@rowhouse/files";
import { openRateLimits } from "@rowhouse/limits";
import { createLogger } from "@rowhouse/service";
import { createSqlConsole } from "@rowhouse/sql-console";
import { installationSecret, type TestDatabase } from "@rowhouse/testing";
import { createVault } from "@rowhouse/vault";
import { openWorkflowConnections } from "@rowhouse/workflows";
import { createApp } from "../src/index.ts";

export type OpenedApp = Awaited<ReturnType<typeof openApp>>;

/** Opens the Data API in this process, on a database that remains at its end. */
export async function openApp(test: TestDatabase) {
  const { service: database } = test;
  const vault = createVault(() => installationSecret);
  const workflows = await openWorkflowConnections({
    database,
    databaseUrl: test.sessionUrl,
    redisUrl: undefined,
    vault,
    report: () => {},
  });
  const logger = createLogger("data-api", "silent");
  const snapshots = createSnapshotStore(database);
  const mailConfig = { MAIL_FROM: "house@example.com", ROWHOUSE_DATA_DIR: "unused" };
  const mails = openAccountMails({ database, snapshots, vault }, mailConfig, logger);
  const app = createApp({
    logger,
    database,
    snapshots,
    plane: openDataPlane({ database, snapshots, onUnrecordedUse: () => {} }),
    workflows,
    mails,
    rateLimits: openRateLimits({ database, redisUrl: undefined, report: () => {} }),
    vault,
    storage: openStorage({ kind: "DIRECTORY", path: "unused" }),
    sqlConsole: createSqlConsole({
      database,
      databaseUrl: test.sessionUrl,
      consoleUrl: undefined,
      secret: () => installationSecret,
    }),
  });
  return {
    app,
    close: async () => {
      await mails.close();
      await workflows.close();
    },
  };
}
