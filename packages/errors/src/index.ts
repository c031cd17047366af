export {
  AppError,
  type AppErrorOptions,
  createError,
  createFault,
  type Fault,
  type FaultOptions,
  faultsMax,
  throwFaults,
} from "./app-error.ts";
export { type ErrorCode, errorCodes, statusOf } from "./code.ts";
export {
  codesByStatus,
  describeCodes,
  errorSchemas,
  headerComponents,
  referToError,
  requestIdHeader,
} from "./error-document.ts";
export { isDiskFull } from "./is-disk-full.ts";
export { escapePointer, unescapePointer } from "./json-pointer.ts";
export { type ErrorBody, type RenderedError, renderError } from "./render-error.ts";
export { StartError } from "./start-error.ts";
