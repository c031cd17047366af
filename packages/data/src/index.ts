export type { Lease } from "./answer-budget.ts";
export { answerOnce, forgetAnswers } from "./answer-once.ts";
export { type DataDescription, describeData } from "./document/describe-data.ts";
export type { ExplainedFault } from "./explain-refusal.ts";
export {
  type ExplainInput,
  explainRequest,
  type RequestExplanation,
} from "./explain-request.ts";
export {
  createExportEngine,
  type ExportEngine,
  type ExportOptions,
} from "./export-engine.ts";
export type { ExportFormat } from "./export-format.ts";
export { type ExportRequest, parseExportRequest } from "./export-request.ts";
export type { RequestLimits } from "./parse-parts.ts";
export { type ListInput, listRequestOf } from "./parse-read.ts";
export { parseAddress, parseRequest, type RequestParts } from "./parse-request.ts";
export {
  createDataEngine,
  type DataEngine,
  type DataEngineDependencies,
  type DataObserver,
} from "./pipeline.ts";
export {
  type AggregateReading,
  faultsOfReading,
  type ListReading,
  mayRead,
  type Reading,
  type ReadingInSight,
  type ReadingPage,
  requestOfReading,
  type ShownField,
  withinSight,
} from "./reading.ts";
export type { DataAnswer } from "./render-response.ts";
export { type ActionReport, type FieldReport, reportAccess } from "./report-access.ts";
export type { CreateRequest, DataRequest, Target, WriteOptions } from "./request.ts";
export { requestLimitsOf } from "./request-limits.ts";
export { createRowEngine, type RowEngine } from "./row-engine.ts";
export { inTimeZone } from "./time-zone.ts";
export {
  type VisibleColumn,
  type VisibleRelation,
  type VisibleResource,
  visibleResources,
} from "./visible-resources.ts";
