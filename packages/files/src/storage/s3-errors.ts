import { S3ServiceException } from "@aws-sdk/client-s3";
import { storageAway, storageFull } from "./storage-errors.ts";

/** Errors of a connection that could not be opened or was lost. */
const lostConnection =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ERR_STREAM_PREMATURE_CLOSE)$/;
/** Codes of servers whose disks or quotas are full; Amazon's have no end. */
const fullCodes = new Set(["XMinioStorageFull", "QuotaExceeded", "EntityStorageFull"]);

/** Returns whether the error means that an object does not exist. */
export function isMissing(error: unknown): boolean {
  return (
    error instanceof S3ServiceException && (error.name === "NoSuchKey" || error.name === "NotFound")
  );
}

/** Returns the error for the caller: SERVICE_UNAVAILABLE if a later attempt may succeed, otherwise the error itself. */
export function translated(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (fullCodes.has(error.name)) return storageFull(error);
  return isTemporary(error) ? storageAway(error) : error;
}

function isTemporary(error: Error): boolean {
  if (error instanceof S3ServiceException) {
    const status = error.$metadata.httpStatusCode ?? 0;
    return status >= 500 || status === 429 || error.name === "RequestTimeout";
  }
  const { code } = error as NodeJS.ErrnoException;
  return error.name === "TimeoutError" || lostConnection.test(code ?? "");
}
