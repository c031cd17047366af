import { openAccountMails } from "@rowhouse/accounts";
import { createSnapshotStore, startDatabase } from "@rowhouse/db";
import {
  createLogger,
  databasePlace,
  installationSecrets,
  openTelemetry,
  runProcess,
  serve,
  tellConnections,
} from "@rowhouse/http";
import { watchPools } from "@rowhouse/telemetry";
import { createVault } from "@rowhouse/vault";
import { openWorkerConnections, queueConnections } from "@rowhouse/workflows";
import { connectionsFor, createWorker } from "./app.ts";
import { readConfig } from "./config.ts";

await runProcess(async (signal) => {
  const config = readConfig();
  const logger = createLogger("workflow-worker", config.LOG_LEVEL);
  const telemetry = await openTelemetry(config);
  const { metrics, tracing } = telemetry;
  const place = databasePlace(config);
  const database = await startDatabase(
    {
      ...place,
      applicationName: "workflow-worker",
      connectionsMax: connectionsFor(config.WORKER_CONCURRENCY),
      uses: {
        ...(config.REDIS_URL === undefined
          ? { queue: queueConnections.adding + queueConnections.taking }
          : {}),
      },
      onConnections: tellConnections(logger, config),
    },
    { waitMs: config.DATABASE_WAIT_MS, onWait: (sentence) => logger.warn(sentence), signal },
  );
  if (metrics !== undefined) watchPools(metrics, { "workflow-worker": database });
  const secrets = installationSecrets(config);
  const vault = createVault(() => secrets);
  const connections = await openWorkerConnections({
    database,
    databaseUrl: place.directUrl ?? place.url,
    redisUrl: config.REDIS_URL,
    vault,
    report: (error) => logger.error({ err: error }, "The queue met a failure"),
  });
  const snapshots = createSnapshotStore(database, metrics?.snapshotLoaded);
  const mails = openAccountMails({ database, snapshots, vault }, config, logger);
  const worker = createWorker({
    logger,
    metrics,
    tracing,
    database,
    snapshots,
    connections,
    mails,
    concurrency: config.WORKER_CONCURRENCY,
  });
  const server = await serve(worker.service.fetch, { port: config.PORT, hostname: config.HOST });
  logger.info({ url: server.url }, "The worker is ready");
  return {
    stop: async () => {
      await worker.close();
      await mails.close();
      await server.stop();
      await connections.close();
      await database.close();
      await telemetry.stop();
    },
  };
});
