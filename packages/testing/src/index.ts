export { moveClock, stopClock } from "./clock.ts";
export { hostileUnits, openStepCounter, type StepCounter } from "./count-steps.ts";
export { chinookTables, loadChinook } from "./data/chinook.ts";
export { clinicTables, loadClinic } from "./data/clinic.ts";
export { addCrowd, type CrowdSize, erpSize } from "./data/crowd.ts";
export { loadFixture } from "./data/load-fixture.ts";
export {
  createRole,
  createSession,
  createToken,
  createUser,
  expose,
  runAs,
  type TestToken,
  type TestUser,
} from "./data/records.ts";
export { smallPng } from "./data/small-png.ts";
export { liveBytes } from "./live-memory.ts";
export {
  type AnswerCheck,
  type CheckedAnswer,
  createAnswerCheck,
} from "./openapi/answer-check.ts";
export { createCheckedFetch, type Place } from "./openapi/checked-fetch.ts";
export { createDocumentCheck } from "./openapi/document-check.ts";
export { documentFaults } from "./openapi/document-faults.ts";
export { createSchemaCheck, type SchemaCheck } from "./openapi/schema-check.ts";
export {
  type AppName,
  type AppProcess,
  launchApp,
  runApp,
  startApp,
} from "./servers/app-process.ts";
export { type Balancer, startBalancer } from "./servers/balancer.ts";
export { type Clamd, clamdStreamBytesMax, eicar, hasClamd, startClamd } from "./servers/clamd.ts";
export { findFreePort } from "./servers/free-port.ts";
export { hasNginx, type NginxServer, startNginx } from "./servers/nginx-server.ts";
export { hasPgBouncer, type PgBouncerServer, startPgBouncer } from "./servers/pgbouncer-server.ts";
export { startPostgresServer } from "./servers/postgres-server.ts";
export { hasRedis, type RedisServer, startRedis } from "./servers/redis-server.ts";
export { type S3Server, startS3Server } from "./servers/s3-server.ts";
export {
  hasStockPostgres,
  type StockPostgres,
  type StockPostgresOptions,
  startStockPostgres,
} from "./servers/stock-postgres.ts";
export {
  createTestDatabase,
  serviceLogin,
  systemLogin,
  type TestDatabase,
  type TestLogin,
} from "./servers/test-database.ts";
export {
  type Edge,
  fetchThrough,
  installationSecret,
  ownHeaders,
  signIn,
  startTestEnvironment,
  type TestEnvironment,
  type TestEnvironmentOptions,
  topologyLogin,
} from "./test-environment.ts";
export { chosenTier, generatedRuns, isLongRun } from "./tier.ts";
export {
  chosenTopology,
  isDistributed,
  isInProcess,
  type TopologyName,
  topologyNames,
} from "./topologies.ts";
export {
  addRun,
  addSteps,
  endRun,
  endStep,
  type ReceivedEvent,
  type Watched,
  watchEvents,
} from "./watched-run.ts";
