export type { DataEngineDependencies, DataObserver } from "./answer/engine-dependencies.ts";
export type { HeldAnswer } from "./answer/hold-answer.ts";
export { purgeRowHistory } from "./answer/retention.ts";
export { requireExposed } from "./authorize/authorize-plan.ts";
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
export { headForms, type ReaderForms, referenceForms } from "./cells/heads.ts";
export type { TitleFinder } from "./cells/title-sql.ts";
export {
  type DataDescription,
  type DescribeOptions,
  describeData,
} from "./document/describe-data.ts";
export {
  isVisibleResource,
  type VisibleColumn,
  type VisibleRelation,
  type VisibleResource,
  visibleResource,
  visibleResources,
} from "./document/visible-resources.ts";
export type { DataEngine } from "./engine/data-engine.ts";
export { type DataPlane, type DataPlaneOptions, openDataPlane } from "./engine/data-plane.ts";
export { createRowEngine } from "./engine/row-engine.ts";
export { answerOnce, rehearseWrite } from "./engine/write-in-transaction.ts";
export type { WrittenCheck } from "./execute/check-written.ts";
export type { Lease } from "./execute/process-bounds.ts";
export { limitStatements } from "./execute/run-statement.ts";
export type { ExplainedFault } from "./explain/explain-refusal.ts";
export {
  type ExplainInput,
  explainRequest,
  type RequestExplanation,
} from "./explain/explain-request.ts";
export { type RowReport, refusalOfRow, reportRow } from "./explain/explain-row.ts";
export type {
  ExportEngine,
  OpenExportOptions,
} from "./export/export-engine.ts";
export {
  csvFormsOf,
  type ExportRequest,
  exportHeadersOf,
  parseExportRequest,
} from "./export/export-request.ts";
export type { ImportEngine } from "./import/import-engine.ts";
export {
  type ImportFormat,
  type ImportRequest,
  parseImportRequest,
} from "./import/import-request.ts";
export {
  type ExportFormat,
  entityTagsOf,
  exportFormatOf,
  inTimeZone,
  isKnownVersion,
  type RowRequestKind,
  requestOptionsOf,
  requestOriginOf,
  requireHonored,
  wantsTag,
} from "./parse/headers.ts";
export { batchMax } from "./parse/parse-batch.ts";
export { inBody } from "./parse/parse-read.ts";
export {
  addressOfMatch,
  findRowRoute,
  parseAddress,
  parseRequest,
  type RequestParser,
  receiveRequest,
  requestLimitsOf,
  rowPath,
  rowRoutes,
  tablePath,
  tablePathPattern,
} from "./parse/parse-request.ts";
export { parseJsonParameter, type RequestLimits } from "./parse/query-parameters.ts";
export type {
  AggregateRequest,
  CreateRequest,
  DataRequest,
  DeleteRequest,
  RequestOptions,
  RequestOrigin,
  RequestParts,
  RowAddress,
  Target,
  UpdateRequest,
} from "./parse/request.ts";
export {
  type AggregateTerm,
  aggregateFunctions,
  type GroupTerm,
  type TimeUnit,
  timeUnits,
} from "./parse/terms.ts";
export {
  type ListInput,
  listRequestOf,
  type NarrowingFilter,
  readRequestOf,
} from "./parse/typed-read.ts";
export { faultsOfReading } from "./reading/faults-of-reading.ts";
export {
  type BucketPeriod,
  type BucketRange,
  bucketsMax,
  type DatedPeriod,
  type DayPeriod,
  type DayStart,
  isPlainBucket,
  isSmallRange,
  type RelativePeriod,
  readBucketBounds,
  readBuckets,
  readPeriods,
  readZone,
  type TemporalBase,
} from "./reading/periods.ts";
export {
  type AggregateReading,
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
} from "./reading/reading.ts";
export { type NamedParts, namesOfParts, renameParts } from "./reading/reading-names.ts";
export type { DataAnswer } from "./render/render-response.ts";
