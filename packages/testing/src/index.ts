export { type AppName, type AppProcess, launchApp, runApp, startApp } from "./app-process.ts";
export { type Balancer, startBalancer } from "./balancer.ts";
export { chinookTables, loadChinook } from "./chinook.ts";
export { type Clamd, clamdStreamBytesMax, eicar, hasClamd, startClamd } from "./clamd.ts";
export { moveClock, stopClock } from "./clock.ts";
export { hostileUnits, openStepCounter, type StepCounter } from "./count-steps.ts";
export { addCrowd, type CrowdSize, erpSize } from "./crowd.ts";
export { findFreePort } from "./free-port.ts";
export { liveBytes } from "./live-memory.ts";
export { loadFixture } from "./load-fixture.ts";
export { hasNginx, type NginxServer, startNginx } from "./nginx-server.ts";
export {
  type AnswerCheck,
  type CheckedAnswer,
  createAnswerCheck,
} from "./openapi/answer-check.ts";
export { createCheckedFetch, type Place } from "./openapi/checked-fetch.ts";
export { createDocumentCheck } from "./openapi/document-check.ts";
export { documentFaults } from "./openapi/document-faults.ts";
export { createSchemaCheck, type SchemaCheck } from "./openapi/schema-check.ts";
export { hasPgBouncer, type PgBouncerServer, startPgBouncer } from "./pgbouncer-server.ts";
export { startPostgresServer } from "./postgres-server.ts";
export {
  createRole,
  createSession,
  createToken,
  createUser,
  expose,
  runAs,
  type TestToken,
  type TestUser,
} from "./records.ts";
export { hasRedis, type RedisServer, startRedis } from "./redis-server.ts";
export { type S3Server, startS3Server } from "./s3-server.ts";
export { smallPng } from "./small-png.ts";
export {
  hasStockPostgres,
  type StockPostgres,
  type StockPostgresOptions,
  startStockPostgres,
} from "./stock-postgres.ts";
export {
  createTestDatabase,
  serviceLogin,
  type TestDatabase,
  type TestLogin,
} from "./test-database.ts";
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
