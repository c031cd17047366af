import { openStorage, storagePlace } from "@rowhouse/files";
import { runProcess, watchRedis } from "@rowhouse/service";
import { openServiceProcess } from "@rowhouse/service/open";
import {
  openWorkerConnections,
  queueConnections,
  reportFailures,
  trialsMax,
} from "@rowhouse/workflows";
import { connectionsFor, createWorker } from "./app.ts";
import { readConfig } from "./config.ts";

await runProcess(async (signal) => {
  const config = readConfig();
  const { REDIS_URL: redisUrl } = config;
  const service = await openServiceProcess({
    name: "workflow-worker",
    config,
    connectionsMax: connectionsFor(config.WORKER_CONCURRENCY),
    uses: {
      trials: trialsMax,
      ...(redisUrl === undefined && {
        queue: queueConnections.adding + queueConnections.taking,
      }),
    },
    signal,
  });
  const connections = await openWorkerConnections({
    database: service.database,
    databaseUrl: service.sessionUrl,
    redisUrl,
    vault: service.vault,
    report: reportFailures(service.logger, "A queue operation failed"),
  });
  if (service.metrics !== undefined) {
    watchRedis(service.metrics, { queue: connections.queue.isConnected });
  }
  const worker = createWorker({
    ...service,
    connections,
    storage: openStorage(storagePlace(config), service.logger),
    chromium: config,
    concurrency: config.WORKER_CONCURRENCY,
  });
  return service.listen(worker.service, {
    name: "workflow worker",
    beforeStop: () => worker.close(),
    afterStop: () => connections.close(),
  });
});
