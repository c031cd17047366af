const gatewayAlone =
  "the gateway only, in front of services that only report the requests that reached them";

/** Test files of the apps that `pnpm test:topologies` leaves out, each with its reason. */
export const leftOut: Readonly<Record<string, string>> = {
  "apps/admin-api/test/load-order.test.ts": "starts no service; generates a document",
  "apps/admin-api/test/pages.test.ts": "starts no service; serves pages of the test's own",
  "apps/admin-api/test/process.test.ts": "starts its own Admin API, and calls it without a gateway",
  "apps/cli/test/files-command.test.ts": "starts no service; moves objects between storages",
  "apps/cli/test/many-tables.test.ts": "starts no service; compiles a program",
  "apps/console/test/admin-routes.test.ts": "starts no service; reads sources",
  "apps/console/test/files/folder-tree.test.ts": "starts no service; sorts folders",
  "apps/console/test/settings/setting-draft.test.ts": "starts no service; converts texts",
  "apps/console/test/sql/export-result.test.ts": "starts no service; writes files",
  "apps/console/test/sql/run-request.test.ts": "starts no service; reads statements",
  "apps/console/test/records/filter-tree.test.ts": "starts no service; converts filters",
  "apps/console/test/records/read-text.test.ts": "starts no service; reads texts",
  "apps/console/test/records/show-value.test.ts": "starts no service; formats values",
  "apps/console/test/data/transfer/export-files.test.ts": "starts no service; names files",
  "apps/console/test/data/transfer/import-files.test.ts": "starts no service; rewrites files",
  "apps/console/test/data/views/view-definition.test.ts": "starts no service; converts views",
  "apps/console/test/structure/from-file.test.ts": "starts no service; reads files",
  "apps/console/test/structure/layout-map.test.ts": "starts no service; lays out a drawing",
  "apps/console/test/device-name.test.ts": "starts no service; reads a header",
  "apps/console/test/password-hint.test.ts": "starts no service; compares two functions",
  "apps/console/test/rank-commands.test.ts": "starts no service; sorts a list",
  "apps/console/test/tone-contrast.test.ts": "starts no service; computes contrasts",
  "apps/console/test/weight.test.ts": "starts no service; reads the build",
  "apps/console/test/words.test.ts": "starts no service; compares texts",
  "apps/data-api/test/held-body.test.ts": "no request; tests the stream alone",
  "apps/data-api/test/next-request.test.ts":
    "starts two Data APIs, and calls each of them directly",
  "apps/gateway/test/access-log.test.ts": gatewayAlone,
  "apps/gateway/test/config.test.ts": "no request",
  "apps/gateway/test/forward.test.ts": gatewayAlone,
  "apps/gateway/test/gateway.test.ts": gatewayAlone,
  "apps/gateway/test/refused-gateway.test.ts": "starts processes with different secrets and clocks",
  "apps/gateway/test/rotation.test.ts": gatewayAlone,
  "apps/gateway/test/several-processes.test.ts": gatewayAlone,
  "apps/gateway/test/streaming.test.ts": gatewayAlone,
  "apps/gateway/test/throttle.test.ts": gatewayAlone,
  "apps/standalone/test/killed-uploads.test.ts": "starts and kills its own processes",
  "apps/standalone/test/killed-file-step.test.ts": "starts and kills its own processes",
  "apps/standalone/test/abandoned-requests.test.ts":
    "runs on one and on four processes by itself; behind a pooler no statement is canceled",
  "apps/standalone/test/artefacts.test.ts": "starts every app that `pnpm artefacts` has built",
  "apps/standalone/test/back-up.test.ts": "copies the data directory of the single process",
  "apps/standalone/test/bad-bodies.test.ts":
    "tests the services' routes; a gateway rejects some of these requests before them",
  "apps/standalone/test/connections.test.ts": "counts the connections of one process",
  "apps/standalone/test/documents.test.ts":
    "runs the commands of the documents on the service that `npm start` starts",
  "apps/standalone/test/dump-and-restore.test.ts":
    "has its own PostgreSQL, with the programs that dump",
  "apps/standalone/test/mail.test.ts": "reads the log of one process, and wakes its outbox",
  "apps/standalone/test/npm-start.test.ts": "tests how npm starts the single process",
  "apps/standalone/test/refresh.test.ts": "kills the only process that refreshes",
  "apps/standalone/test/reset-admin.test.ts": "runs the programs that reset, beside one process",
  "apps/standalone/test/rolling-restart.test.ts": "starts and stops its own processes",
  "apps/standalone/test/secret-exchange.test.ts":
    "starts and stops processes, each with its own secrets",
  "apps/standalone/test/separate-logins.test.ts": "starts a process with each set of logins",
  "apps/standalone/test/sql-console-locks.test.ts":
    "has its own PostgreSQL, whose lock table it fills",
  "apps/standalone/test/start-failures.test.ts": "tests starts that fail",
  "apps/standalone/test/start-of-processes.test.ts": "tests how single processes start",
  "apps/standalone/test/start.test.ts": "tests how the single process starts",
  "apps/standalone/test/stock-server.test.ts": "uses a PostgreSQL of the distribution",
  "apps/standalone/test/stop-without-redis.test.ts": "stops its own processes",
  "apps/standalone/test/storage-faults.test.ts":
    "fills the disk of one process, and takes its bucket away",
  "apps/standalone/test/unknown-addresses.test.ts":
    "tests the services' routes; a gateway rejects some of these requests before them",
  "apps/standalone/test/webhook-limit.test.ts": "starts its own two gateways and two Data APIs",
  "apps/workflow-worker/test/retention.test.ts": "inspects a worker in its own process",
  "apps/workflow-worker/test/worker.test.ts": "inspects a worker in its own process",
};
