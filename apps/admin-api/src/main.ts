import { openAccountMails } from "@rowhouse/accounts";
import { createSnapshotStore, openDatabase, spareConnections, startDatabase } from "@rowhouse/db";
import {
  createAssertionVerifier,
  createLogger,
  databasePlace,
  installationSecrets,
  keptConnectionsGraceMs,
  openTelemetry,
  readArguments,
  runProcess,
  serve,
  tellConnections,
} from "@rowhouse/http";
import { settingDefinitions } from "@rowhouse/settings";
import { consolePool, createSqlConsole } from "@rowhouse/sql-console";
import { watchPools } from "@rowhouse/telemetry";
import { createVault } from "@rowhouse/vault";
import { openRunStarter, queueConnections } from "@rowhouse/workflows";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { ensureAdministrator } from "./first-administrator.ts";
import { resetAdmin } from "./reset-admin.ts";
import { tellSealedValues } from "./tell-sealed-values.ts";

await runProcess(async (signal) => {
  const { resetAdmin: address } = readArguments();
  const config = readConfig();
  if (address !== undefined) {
    process.stdout.write(await resetAdmin(databasePlace(config), address));
    return undefined;
  }
  const logger = createLogger("admin-api", config.LOG_LEVEL);
  const telemetry = await openTelemetry(config);
  const { metrics, tracing } = telemetry;
  const place = databasePlace(config);
  const database = await startDatabase(
    {
      ...place,
      applicationName: "admin-api",
      connectionsMax: config.DATABASE_CONNECTIONS,
      uses: {
        console:
          settingDefinitions["sql_console.max_runs"].default +
          1 +
          consolePool.connectionsMax +
          spareConnections,
        ...(config.REDIS_URL === undefined ? { queue: queueConnections.adding } : {}),
      },
      onConnections: tellConnections(logger, config),
    },
    { waitMs: config.DATABASE_WAIT_MS, onWait: (sentence) => logger.warn(sentence), signal },
  );
  if (metrics !== undefined) watchPools(metrics, { "admin-api": database });
  await ensureAdministrator(database, config);
  const snapshots = createSnapshotStore(database, metrics?.snapshotLoaded);
  const secrets = installationSecrets(config);
  const vault = createVault(() => secrets);
  await tellSealedValues({ database, vault }, logger);
  const mails = openAccountMails({ database, snapshots, vault }, config, logger);
  const starter = await openRunStarter({
    databaseUrl: place.directUrl ?? place.url,
    redisUrl: config.REDIS_URL,
    report: (error) => logger.warn({ err: error }, "No worker was woken"),
  });
  const consoleDatabase = openDatabase({ ...place, ...consolePool });
  const service = createApp({
    logger,
    metrics,
    tracing,
    database,
    snapshots,
    mails,
    vault,
    sqlConsole: createSqlConsole({
      database: consoleDatabase,
      databaseUrl: place.directUrl ?? place.url,
      consoleUrl: config.SQL_CONSOLE_URL,
      secret: () => config.ROWHOUSE_SECRET,
    }),
    wakeRun: starter.wakeRun,
    verifyAssertion: createAssertionVerifier({
      secrets: config.ROWHOUSE_EDGE_SECRETS ?? secrets,
      audience: "admin-api",
    }),
  });
  const server = await serve(service.fetch, {
    port: config.PORT,
    hostname: config.HOST,
    idleGraceMs: keptConnectionsGraceMs,
  });
  logger.info({ url: server.url }, "The Admin API is listening");
  return {
    drain: () => server.drain(config.DRAIN_MS),
    stop: async () => {
      await server.stop();
      await mails.close();
      await starter.close();
      await consoleDatabase.close();
      await database.close();
      await telemetry.stop();
    },
  };
});
