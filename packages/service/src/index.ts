export { createLogger, type Logger } from "./logger.ts";
export {
  type Answered,
  createMetrics,
  type Metrics,
  type Watched,
  watchPools,
  watchRedis,
} from "./metrics.ts";
export {
  openTelemetry,
  type Telemetry,
  type TelemetryConfig,
  telemetryVariables,
} from "./open-telemetry.ts";
export { type ProcessArguments, readArguments } from "./read-arguments.ts";
export {
  type DatabasePlace,
  databasePlace,
  environmentVariables,
  installationSecrets,
  readEnvironment,
  sessionUrlOf,
  systemPlaceOf,
} from "./read-environment.ts";
export { reportNode } from "./report-node.ts";
export { type RunningProcess, runProcess } from "./run-process.ts";
export { startReports } from "./start-reports.ts";
export { openTracing, type Span, type SpanBegin, type SpanEnd, type Tracing } from "./tracing.ts";
