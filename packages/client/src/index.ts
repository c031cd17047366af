export type { AdminOperations } from "./api/admin-operations.generated.ts";
export type { ApiOperations, RunOutcome, SignedIn } from "./api/api-operations.generated.ts";
export type {
  AppOperations,
  OpenDashboard,
  OpenDataView,
  OpenPanel,
} from "./api/app-operations.generated.ts";
export type { Area } from "./areas/area.ts";
export type { Auth, ExchangeOptions, ProviderSignIn, ReturnOptions } from "./areas/auth.ts";
export type {
  OperationAnswer,
  OperationArgument,
  OperationEvent,
  OperationOf,
  PathsOf,
} from "./areas/operations.ts";
export type { CalledRun, WorkflowCallOptions, Workflows } from "./areas/workflows.ts";
export {
  type BasicRows,
  type Client,
  type ClientPart,
  type ClientRows,
  type ComposedClient,
  composeClient,
  createClient,
  withAdmin,
  withApi,
  withApp,
  withAuth,
  withBasicRows,
  withFiles,
  withRows,
  withSignIn,
  withWorkflows,
} from "./create-client.ts";
export { type ErrorCode, errorCodes } from "./errors/error-codes.generated.ts";
export {
  type AnyErrorCode,
  type ClientErrorCode,
  type Fault,
  isErrorCode,
  RowhouseError,
} from "./errors/rowhouse-error.ts";
export type { FileUpload, UploadedFile, UploadOptions } from "./files/file-upload.ts";
export type {
  DownloadOptions,
  FileLink,
  FileLinkResult,
  Files,
  LinkOptions,
  NewFileOptions,
  ReplaceOptions,
} from "./files/files.ts";
export type { FileValues } from "./files/metadata.ts";
export { ExactNumber } from "./json/exact-number.ts";
export { readJson } from "./json/read-json.ts";
export { writeJson } from "./json/write-json.ts";
export type { CallOptions, ClientOptions, Fetch } from "./request/client-options.ts";
export type { Address } from "./rows/address.ts";
export type { AggregateOptions, BasicRowClient } from "./rows/basic-row-client.ts";
export type { BatchOptions, BatchResults, BatchWrite } from "./rows/batch.ts";
export type { RowExport } from "./rows/export.ts";
export type { HistoryChange, HistoryEntry, HistoryOptions, HistoryPage } from "./rows/history.ts";
export type { Imported, ImportOptions, ImportSource } from "./rows/import.ts";
export type { Page, PageMeta } from "./rows/page.ts";
export type {
  CsvForms,
  ExportOptions,
  GetOptions,
  ListOptions,
  Order,
} from "./rows/read-options.ts";
export {
  type KeyWithReferences,
  type Reference,
  ref,
  type WithReferences,
} from "./rows/reference.ts";
export type { RowClient } from "./rows/row-client.ts";
export type { RowWrites } from "./rows/row-writes.ts";
export type {
  Affected,
  ConflictOptions,
  CreateOptions,
  Removed,
  RemoveOptions,
  RemoveRowOptions,
  Returned,
  RowOptions,
  RowOrNotModified,
  RowResult,
  UpsertOptions,
  WriteOptions,
  Written,
  WrittenRows,
} from "./rows/write-options.ts";
export type { AggregateRow, AggregateTerm, GroupTerm } from "./types/aggregate.ts";
export type { Deep, DeepOptions } from "./types/deep.ts";
export type { FieldPath, Selected } from "./types/fields.ts";
export type { Condition, Filter } from "./types/filter.ts";
export type { AnyResource, AnyResources, KeyValue, Resource } from "./types/resource.ts";
