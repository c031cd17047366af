export { answerOnce } from "./answer-once.ts";
export type { HeldAnswer } from "./answer-request.ts";
export { refusesValue } from "./authorize/refuses-value.ts";
export { type ActionReport, type FieldReport, reportAccess } from "./authorize/report-access.ts";
export { unknownField } from "./authorize/resolve-path.ts";
export {
  presetFields,
  type WritableFields,
  type WriteGrants,
  writableFields,
  writeGrantsOf,
} from "./authorize/write-grants.ts";
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
export { type ExportFormat, exportFormatOf } from "./parse/accepted-format.ts";
export { entityTagsOf } from "./parse/entity-tags.ts";
export type { AggregateTerm, GroupTerm, TimeUnit } from "./parse/parse-aggregate.ts";
export { batchMax } from "./parse/parse-batch.ts";
export type { RequestLimits } from "./parse/parse-parts.ts";
export { parseJsonParameter } from "./parse/parse-query.ts";
export { inBody } from "./parse/parse-query-body.ts";
export { parseAddress, parseRequest } from "./parse/parse-request.ts";
export { type RequestParser, receiveRequest } from "./parse/receive-request.ts";
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
export { requestLimitsOf } from "./parse/request-limits.ts";
export { requestOriginOf } from "./parse/request-origin.ts";
export {
  idempotencyKeyOf,
  isKnownVersion,
  type RowRequestKind,
  requestOptionsOf,
  requireHonored,
} from "./parse/row-headers.ts";
export { inTimeZone } from "./parse/time-zone.ts";
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
