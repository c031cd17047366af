import { templateCheck } from "@rowhouse/accounts";
import { configurationConnections } from "@rowhouse/configuration";
import { openDataPlane } from "@rowhouse/data";
import { createAssertionVerifier } from "@rowhouse/http";
import { openRateLimits } from "@rowhouse/limits";
import { titleFor } from "@rowhouse/permissions";
import {
  databasePlace,
  readArguments,
  runProcess,
  systemPlaceOf,
  watchRedis,
} from "@rowhouse/service";
import { openServiceProcess } from "@rowhouse/service/open";
import { consoleConnections, openSqlConsole } from "@rowhouse/sql-console";
import { openRunStarter, queueConnections, reportFailures } from "@rowhouse/workflows";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { ensureAdministrator } from "./first-administrator.ts";
import { reportSealedValues } from "./report-sealed-values.ts";
import { resetAdmin } from "./reset-admin.ts";

await runProcess(async (signal) => {
  const { resetAdmin: address } = readArguments();
  const config = readConfig();
  if (address !== undefined) {
    process.stdout.write(await resetAdmin(databasePlace(config), address));
    return undefined;
  }
  const { REDIS_URL: redisUrl } = config;
  const service = await openServiceProcess({
    name: "admin-api",
    config,
    connectionsMax: config.DATABASE_CONNECTIONS,
    uses: {
      console: consoleConnections,
      configuration: configurationConnections,
      ...(redisUrl === undefined ? { queue: queueConnections.adding } : {}),
    },
    signal,
  });
  const { database, vault, logger, place, sessionUrl } = service;
  await ensureAdministrator(database, config);
  await reportSealedValues({ database, vault }, logger);
  const starter = await openRunStarter({
    databaseUrl: sessionUrl,
    redisUrl,
    report: reportFailures(logger, "The wake-up of a worker failed"),
  });
  const rateLimits = openRateLimits({
    database,
    redisUrl,
    report: (error) => logger.error({ err: error }, "The rate limit counters are unavailable"),
  });
  if (service.metrics !== undefined) {
    const { isConnected } = starter.queue;
    watchRedis(service.metrics, { limits: rateLimits.isConnected, queue: isConnected });
  }
  const { sqlConsole, close: closeConsole } = openSqlConsole(
    { ...systemPlaceOf(place), searchPath: database.searchPath },
    {
      databaseUrl: sessionUrl,
      consoleUrl: config.SQL_CONSOLE_URL,
      secret: () => config.ROWHOUSE_SECRET,
    },
  );
  const app = createApp({
    ...service,
    plane: openDataPlane({
      ...service,
      checks: [templateCheck],
      titleFor,
      onUnrecordedUse: (error) =>
        logger.warn({ err: error }, "The last use of a token was not written"),
    }),
    rateLimits,
    sqlConsole,
    wakeRun: starter.wakeRun,
    stopping: signal,
    verifyAssertion: createAssertionVerifier({
      secrets: config.ROWHOUSE_EDGE_SECRETS ?? service.secrets,
      audience: "admin-api",
    }),
  });
  return service.listen(app, {
    name: "Admin API",
    afterStop: async () => {
      await rateLimits.close();
      await starter.close();
      await closeConsole();
    },
  });
});
