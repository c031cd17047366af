import { AppError, createError, type Fault } from "@rowhouse/errors";

/** Begins the path of a fault in the stored part of a reading, which no response shows. */
export const storedPath = "stored";

/** The errors of a reading whose stored part the reader may not read, regardless of the part that is denied. */
const refusals: ReadonlySet<string> = new Set([
  "ACTION_DENIED",
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "FIELD_UNKNOWN",
]);

/** Returns the error of a stored part as a reader receives it: without a name of that part. */
export function storedError(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  if (refusals.has(error.code)) return createError("ACTION_DENIED", { cause: error });
  if (error.status !== 400) return error;
  return createError(error.code, { message: "A stored part of this is invalid", cause: error });
}

/** @throws AppError if a stored filter names a column that means something else than when it was saved */
export function requireMeaning(lost: readonly unknown[] = []): void {
  if (lost.length === 0) return;
  const message =
    "A stored filter of this was written for another type of a column; it must be checked and saved again";
  throw createError("VALUE_INVALID", { message });
}

const wholeParameters = /^(from|to|group)\[/;

/** Returns an error of reading rows: faults of the reader's parts name their parameter, those of the stored part nothing. */
export function readingError(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  if (refusals.has(error.code)) return createError("ACTION_DENIED", { cause: error });
  if (error.faults.some(({ path }) => isOfStored(path))) return storedError(error);
  return error.mapFaults(ofWholeParameter);
}

/** The filter of a window or of a group is our own: its faults name the parameter alone. */
export function ofWholeParameter(fault: Fault): Fault {
  const [, name] = wholeParameters.exec(fault.path ?? "") ?? [];
  return name === undefined ? fault : { ...fault, path: name };
}

function isOfStored(path: string | undefined): boolean {
  return path === storedPath || path?.startsWith(`${storedPath}[`) === true;
}
