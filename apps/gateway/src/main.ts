import { createAssertionSigner, createLogger, runProcess, serve } from "@rowhouse/http";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { forwardTo } from "./forward.ts";
import { askReadiness } from "./upstream-readiness.ts";

await runProcess(async () => {
  const config = readConfig();
  const logger = createLogger("gateway", config.LOG_LEVEL);
  const signAssertion = createAssertionSigner(config.ROWHOUSE_SECRET);
  const gateway = createApp({
    logger,
    dataApi: forwardTo({ url: config.DATA_API_URL, audience: "data-api", signAssertion }),
    adminApi: forwardTo({ url: config.ADMIN_API_URL, audience: "admin-api", signAssertion }),
    corsOrigins: () => config.CORS_ORIGINS,
    refreshSettings: async () => {},
    trustedProxies: () => config.TRUSTED_PROXIES,
    bodyBytesMax: () => config.BODY_BYTES_MAX,
    readiness: askReadiness({ dataApi: config.DATA_API_URL, adminApi: config.ADMIN_API_URL }),
  });
  const server = await serve(gateway.fetch, { port: config.PORT, hostname: config.HOST });
  logger.info({ url: server.url }, "The gateway is listening");
  return { stop: () => server.stop() };
});
