import {
  createAssertionSigner,
  createLogger,
  openTelemetry,
  runProcess,
  serve,
} from "@rowhouse/http";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { openEdgeSettings } from "./edge-settings.ts";
import { forwardTo } from "./forward/forward-to.ts";
import { askReadiness } from "./upstream-readiness.ts";

await runProcess(async () => {
  const config = readConfig();
  const logger = createLogger("gateway", config.LOG_LEVEL);
  const telemetry = await openTelemetry(config);
  const { metrics, tracing } = telemetry;
  const signAssertion = createAssertionSigner(config.ROWHOUSE_SECRET);
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
  });
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
    readiness: askReadiness({ dataApi: config.DATA_API_URL, adminApi: config.ADMIN_API_URL }),
  });
  const server = await serve(gateway.fetch, { port: config.PORT, hostname: config.HOST });
  logger.info({ url: server.url }, "The gateway is listening");
  return {
    drain: () => server.drain(config.DRAIN_MS),
    stop: async () => {
      settings.stop();
      await server.stop();
      await Promise.all([dataApi.close(), adminApi.close()]);
      await telemetry.stop();
    },
  };
});
