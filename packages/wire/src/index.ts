export {
  type BooleanFormat,
  booleanFormats,
  parseBooleanFormat,
  readBoolean,
} from "./boolean-format.ts";
export {
  documentPathOf,
  encodeName,
  filePathsOf,
  foldPath,
  isConfigurationPath,
  isPortablePath,
  type PartName,
  partNames,
  partOfPath,
  pathStem,
} from "./configuration-path.ts";
export { meantConsents } from "./consents.ts";
export { csvCell, textOfCell } from "./csv/csv-cell.ts";
export { CsvReader, type CsvRecord, countLineBreaks, csvDelimiters } from "./csv/csv-reader.ts";
export { type DateFormat, parseDateFormat, readDate } from "./date-format.ts";
export {
  type ExactNumber,
  exactNumberText,
  isExactNumber,
  isObject,
  keepDigits,
  parseExactJson,
  roundNumbers,
  writeExactJson,
} from "./exact-json.ts";
export { type Excess, findExcess, type SchemaLike } from "./find-excess.ts";
export { jsonHint, plusHint, valueHint } from "./hints.ts";
export { illegibleName, isLegibleName } from "./legible.ts";
export {
  type DiffHunk,
  type DiffLine,
  type LineDiff,
  readUnifiedDiff,
  unifiedDiff,
} from "./line-diff.ts";
export {
  decodeParameter,
  malformedEncoding,
  type QueryParameter,
  readQueryText,
  writeRowId,
} from "./query-text.ts";
export { type JsonScan, scanJson } from "./scan-json.ts";
export {
  idempotencyKeyForm,
  impossibleName,
  isPossibleName,
  isStorableText,
  malformedIdempotencyKey,
  prototypeKeys,
  toStorableText,
} from "./storable.ts";
