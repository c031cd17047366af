export { answerOnce } from "./answer-once.ts";
export type { HeldAnswer } from "./answer-request.ts";
export {
  type ActionReport,
  type FieldReport,
  presetFields,
  refusesValue,
  reportAccess,
  type WritableFields,
  type WriteGrants,
  writableFields,
  writeGrantsOf,
} from "./authorize/report-access.ts";
export { unknownField } from "./authorize/resolve-path.ts";
export type { BatchRequest } from "./batch/prepare-batch.ts";
export { type DataDescription, describeData } from "./document/describe-data.ts";
export type { Lease } from "./execute/answer-budget.ts";
export type { DataEngineDependencies, DataObserver } from "./execute/engine-dependencies.ts";
export type { ExplainedFault } from "./explain/explain-refusal.ts";
export {
  type ExplainInput,
  explainRequest,
  type RequestExplanation,
} from "./explain/explain-request.ts";
export { type RowReport, refusalOfRow, reportRow } from "./explain/explain-row.ts";
export {
  createExportEngine,
  type ExportEngine,
  type ExportOptions,
} from "./export/export-engine.ts";
export { exportHeadersOf } from "./export/export-headers.ts";
export { type ExportRequest, parseExportRequest } from "./export/export-request.ts";
export {
  type ImportFormat,
  type ImportRequest,
  parseImportRequest,
} from "./import/import-request.ts";
export { createImportEngine, type ImportEngine } from "./import-engine.ts";
export {
  type ExportFormat,
  entityTagsOf,
  exportFormatOf,
  idempotencyKeyOf,
  inTimeZone,
  isKnownVersion,
  type RowRequestKind,
  requestOptionsOf,
  requestOriginOf,
  requireHonored,
} from "./parse/headers.ts";
export { batchMax } from "./parse/parse-batch.ts";
export { inBody } from "./parse/parse-query-body.ts";
export {
  parseAddress,
  parseRequest,
  type RequestParser,
  receiveRequest,
  requestLimitsOf,
} from "./parse/parse-request.ts";
export { parseJsonParameter, type RequestLimits } from "./parse/query-parameters.ts";
export type {
  Address,
  AggregateRequest,
  CreateRequest,
  DataRequest,
  DeleteRequest,
  RequestOptions,
  RequestOrigin,
  RequestParts,
  Target,
  UpdateRequest,
} from "./parse/request.ts";
export type { AggregateTerm, GroupTerm, TimeUnit } from "./parse/terms.ts";
export {
  type ListInput,
  listRequestOf,
  type NarrowingFilter,
  readRequestOf,
} from "./parse/typed-read.ts";
export {
  createDataEngine,
  type DataEngine,
} from "./pipeline.ts";
export {
  type AggregateReading,
  faultsOfReading,
  fieldInSight,
  type ListReading,
  mayRead,
  type Reading,
  type ReadingInSight,
  type ReadingPage,
  requestOfReading,
  requireReadable,
  type ShownField,
  type Terms,
  termsInSight,
  withinSight,
} from "./reading.ts";
export { type NamedParts, namesOfParts, renameParts } from "./reading-names.ts";
export { rehearseWrite } from "./rehearse-write.ts";
export type { DataAnswer } from "./render/render-response.ts";
export { createRowEngine, type RowEngine } from "./row-engine.ts";
export { purgeRowHistory } from "./row-history.ts";
export { forgetAnswers } from "./stored-answers.ts";
export {
  type BucketPeriod,
  type BucketRange,
  bucketsMax,
  isPlainBucket,
  isSmallRange,
  readBucketBounds,
  readBuckets,
  type TemporalBase,
} from "./time/buckets.ts";
export {
  type DatedPeriod,
  type DayPeriod,
  type DayStart,
  type RelativePeriod,
  readPeriods,
} from "./time/day-periods.ts";
export { readZone } from "./time/reader-zone.ts";
export {
  isVisibleResource,
  type VisibleColumn,
  type VisibleRelation,
  type VisibleResource,
  visibleResources,
} from "./visible-resources.ts";
