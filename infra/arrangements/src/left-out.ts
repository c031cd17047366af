const gatewayAlone = "the gateway alone, before services that only say what reached them";

/** Test files of the apps that `pnpm test:arrangements` leaves out, each with its reason. */
export const leftOut: Readonly<Record<string, string>> = {
  "apps/admin-api/test/process.test.ts":
    "starts an Admin API of its own, and calls it without a gateway",
  "apps/data-api/test/next-request.test.ts":
    "starts two Data APIs of its own, and calls each by name",
  "apps/gateway/test/access-log.test.ts": gatewayAlone,
  "apps/gateway/test/config.test.ts": "no request",
  "apps/gateway/test/forward.test.ts": gatewayAlone,
  "apps/gateway/test/gateway.test.ts": gatewayAlone,
  "apps/gateway/test/refused-gateway.test.ts":
    "starts processes with secrets and clocks that differ",
  "apps/gateway/test/rotation.test.ts": gatewayAlone,
  "apps/gateway/test/several-processes.test.ts": gatewayAlone,
  "apps/gateway/test/streaming.test.ts": gatewayAlone,
  "apps/gateway/test/throttle.test.ts": gatewayAlone,
  "apps/standalone/test/artefacts.test.ts": "starts what `pnpm artefacts` has made, each app of it",
  "apps/standalone/test/back-up.test.ts": "copies the data directory of the one process",
  "apps/standalone/test/bad-bodies.test.ts":
    "looks at the services' routes; a gateway refuses some of these requests before them",
  "apps/standalone/test/connections.test.ts": "counts the connections of one process",
  "apps/standalone/test/documents.test.ts":
    "runs what the documents show, on the service that `npm start` starts",
  "apps/standalone/test/dump-and-restore.test.ts":
    "has a PostgreSQL of its own, with the programs that dump",
  "apps/standalone/test/mail.test.ts": "hears the log of one process, and wakes its outbox",
  "apps/standalone/test/npm-start.test.ts": "is about how npm starts the one process",
  "apps/standalone/test/refresh.test.ts": "kills the one process that refreshes",
  "apps/standalone/test/reset-admin.test.ts": "runs the programs that reset, beside one process",
  "apps/standalone/test/rolling-restart.test.ts": "starts and stops processes of its own",
  "apps/standalone/test/secret-exchange.test.ts":
    "starts and stops processes, each with secrets of its own",
  "apps/standalone/test/separate-logins.test.ts": "starts a process with each set of logins",
  "apps/standalone/test/sql-console-locks.test.ts":
    "has a PostgreSQL of its own, whose table of locks it fills",
  "apps/standalone/test/start-failures.test.ts": "is about starts that fail",
  "apps/standalone/test/start-of-processes.test.ts": "is about how single processes start",
  "apps/standalone/test/start.test.ts": "is about how the one process starts",
  "apps/standalone/test/stock-server.test.ts": "has a PostgreSQL of the distribution's",
  "apps/standalone/test/stop-without-redis.test.ts": "stops processes of its own",
  "apps/standalone/test/unknown-addresses.test.ts":
    "looks at the services' routes; a gateway refuses some of these requests before them",
  "apps/standalone/test/webhook-limit.test.ts": "starts two gateways and two Data APIs of its own",
  "apps/workflow-worker/test/retention.test.ts": "looks into a worker in its own process",
  "apps/workflow-worker/test/worker.test.ts": "looks into a worker in its own process",
};
