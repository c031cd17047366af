import { createAssertionSigner, keptConnectionsGraceMs } from "@rowhouse/http";
import { openRateLimits } from "@rowhouse/limits";
import { createLogger, openTelemetry, reportNode, runProcess, watchRedis } from "@rowhouse/service";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { openEdgeSettings } from "./edge-settings.ts";
import { forwardTo } from "./forward/forward-to.ts";
import { createThrottle } from "./request/throttle.ts";
import { serveGateway } from "./serve-gateway.ts";
import { askReadiness } from "./upstream-readiness.ts";

await runProcess(async (stopping) => {
  const config = readConfig();
  const logger = createLogger("gateway", config.LOG_LEVEL);
  reportNode(logger);
  const telemetry = await openTelemetry(config);
  const { metrics, tracing } = telemetry;
  const signAssertion = createAssertionSigner(config.edgeSecret);
  const settings = openEdgeSettings({ urls: config.DATA_API_URL, signAssertion, logger });
  const dataApi = forwardTo({
    urls: config.DATA_API_URL,
    audience: "data-api",
    signAssertion,
    logger,
  });
  const adminApi = forwardTo({
    urls: config.ADMIN_API_URL,
    audience: "admin-api",
    signAssertion,
    logger,
    stopping,
  });
  const rateLimits = openRateLimits({
    database: undefined,
    redisUrl: config.REDIS_URL,
    report: (error) => logger.error({ err: error }, "The request counters are unreachable"),
  });
  if (metrics !== undefined) watchRedis(metrics, { limits: rateLimits.isConnected });
  const gateway = createApp({
    logger,
    onAnswered: metrics?.answersOf("gateway"),
    tracing,
    dataApi: dataApi.upstream,
    adminApi: adminApi.upstream,
    corsOrigins: () => config.CORS_ORIGINS ?? settings.current().corsOrigins,
    refreshSettings: settings.refresh,
    confirmSettings: settings.refresh,
    trustedProxies: () => config.TRUSTED_PROXIES ?? settings.current().trustedProxies,
    bodyBytesMax: () => config.BODY_BYTES_MAX ?? settings.current().bodyBytesMax,
    importBytesMax: () => settings.current().importBytesMax,
    fileBytesMax: () => settings.current().fileBytesMax,
    throttle: createThrottle(rateLimits, () => settings.current().requestsPerMinute),
    readiness: askReadiness(
      {
        dataApi: { urls: config.DATA_API_URL, audience: "data-api" },
        adminApi: { urls: config.ADMIN_API_URL, audience: "admin-api" },
      },
      signAssertion,
    ),
  });
  const server = await serveGateway(gateway, logger, {
    port: config.PORT,
    hostname: config.HOST,
    idleGraceMs: keptConnectionsGraceMs,
  });
  logger.info({ url: server.url }, "The gateway is listening");
  return {
    drain: () => server.drain(config.DRAIN_MS),
    stop: async () => {
      settings.stop();
      await server.stop();
      await Promise.all([dataApi.close(), adminApi.close(), rateLimits.close()]);
      await telemetry.stop();
    },
  };
});
