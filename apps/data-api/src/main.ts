import { templateCheck } from "@rowhouse/accounts";
import { openDataPlane } from "@rowhouse/data";
import { openStorage, storagePlace } from "@rowhouse/files";
import { createAssertionVerifier } from "@rowhouse/http";
import { openRateLimits } from "@rowhouse/limits";
import { createMcpCallJournal } from "@rowhouse/mcp";
import { titleFor } from "@rowhouse/permissions";
import { runProcess, systemPlaceOf, watchRedis } from "@rowhouse/service";
import { openServiceProcess } from "@rowhouse/service/open";
import { settingDefinitions } from "@rowhouse/settings";
import { consoleConnections, openSqlConsole } from "@rowhouse/sql-console";
import { openWorkflowConnections, queueConnections, reportFailures } from "@rowhouse/workflows";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";

await runProcess(async (signal) => {
  const config = readConfig();
  const { REDIS_URL: redisUrl } = config;
  const service = await openServiceProcess({
    name: "data-api",
    config,
    connectionsMax: config.DATABASE_CONNECTIONS,
    uses: {
      exports: settingDefinitions["data.max_exports"].default,
      imports: settingDefinitions["limits.imports_at_once"].default,
      console: consoleConnections,
      ...(redisUrl === undefined ? { queue: queueConnections.adding } : {}),
    },
    signal,
  });
  const { database, vault, logger } = service;
  const workflows = await openWorkflowConnections({
    database,
    databaseUrl: service.sessionUrl,
    redisUrl,
    vault,
    report: reportFailures(logger, "A queue operation failed"),
  });
  const rateLimits = openRateLimits({
    database,
    redisUrl,
    report: (error) => logger.error({ err: error }, "The rate limit counters are unavailable"),
  });
  if (service.metrics !== undefined) {
    const { isConnected } = workflows.queue;
    watchRedis(service.metrics, { limits: rateLimits.isConnected, queue: isConnected });
  }
  const { sqlConsole, close: closeConsole } = openSqlConsole(
    { ...systemPlaceOf(service.place), searchPath: database.searchPath },
    {
      databaseUrl: service.sessionUrl,
      consoleUrl: config.SQL_CONSOLE_URL,
      secret: () => config.ROWHOUSE_SECRET,
    },
  );
  const mcpCalls = createMcpCallJournal({
    database,
    report: (error, lost) =>
      logger.error({ err: error, lost }, "Calls of agents were not recorded"),
  });
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
    workflows,
    storage: openStorage(storagePlace(config), logger),
    sqlConsole,
    mcpCalls,
    verifyAssertion: createAssertionVerifier({
      secrets: config.ROWHOUSE_EDGE_SECRETS ?? service.secrets,
      audience: "data-api",
    }),
  });
  return service.listen(app, {
    name: "Data API",
    afterStop: async () => {
      await mcpCalls.close();
      await rateLimits.close();
      await workflows.close();
      await closeConsole();
    },
  });
});
