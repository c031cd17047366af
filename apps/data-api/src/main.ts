import { openAccountMails } from "@rowhouse/accounts";
import { createSnapshotStore, startDatabase } from "@rowhouse/db";
import {
  createAssertionVerifier,
  createLogger,
  databasePlace,
  installationSecrets,
  keptConnectionsGraceMs,
  openTelemetry,
  runProcess,
  serve,
  tellConnections,
} from "@rowhouse/http";
import { openRateLimits } from "@rowhouse/rate-limit";
import { settingDefinitions } from "@rowhouse/settings";
import { watchPools } from "@rowhouse/telemetry";
import { createVault } from "@rowhouse/vault";
import { openWorkflowConnections, queueConnections } from "@rowhouse/workflows";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";

await runProcess(async (signal) => {
  const config = readConfig();
  const logger = createLogger("data-api", config.LOG_LEVEL);
  const telemetry = await openTelemetry(config);
  const { metrics, tracing } = telemetry;
  const place = databasePlace(config);
  const database = await startDatabase(
    {
      ...place,
      applicationName: "data-api",
      connectionsMax: config.DATABASE_CONNECTIONS,
      uses: {
        exports: settingDefinitions["data.max_exports"].default,
        ...(config.REDIS_URL === undefined ? { queue: queueConnections.adding } : {}),
      },
      onConnections: tellConnections(logger, config),
    },
    { waitMs: config.DATABASE_WAIT_MS, onWait: (sentence) => logger.warn(sentence), signal },
  );
  if (metrics !== undefined) watchPools(metrics, { "data-api": database });
  const secrets = installationSecrets(config);
  const vault = createVault(() => secrets);
  const workflows = await openWorkflowConnections({
    database,
    databaseUrl: place.directUrl ?? place.url,
    redisUrl: config.REDIS_URL,
    vault,
    report: (error) => logger.error({ err: error }, "The queue met a failure"),
  });
  const rateLimits = openRateLimits({
    database,
    redisUrl: config.REDIS_URL,
    report: (error) => logger.error({ err: error }, "The counters of calls are out of reach"),
  });
  const snapshots = createSnapshotStore(database, metrics?.snapshotLoaded);
  const mails = openAccountMails({ database, snapshots, vault }, config, logger);
  const service = createApp({
    logger,
    metrics,
    tracing,
    database,
    snapshots,
    mails,
    rateLimits,
    vault,
    workflows,
    verifyAssertion: createAssertionVerifier({
      secrets: config.ROWHOUSE_EDGE_SECRETS ?? secrets,
      audience: "data-api",
    }),
  });
  const server = await serve(service.fetch, {
    port: config.PORT,
    hostname: config.HOST,
    idleGraceMs: keptConnectionsGraceMs,
  });
  logger.info({ url: server.url }, "The Data API is listening");
  return {
    drain: () => server.drain(config.DRAIN_MS),
    stop: async () => {
      await server.stop();
      await mails.close();
      await rateLimits.close();
      await workflows.close();
      await database.close();
      await telemetry.stop();
    },
  };
});
