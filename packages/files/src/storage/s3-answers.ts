import { S3ServiceException } from "@aws-sdk/client-s3";
import { AppError } from "@rowhouse/errors";
import type { StoredObject } from "./storage.ts";
import { storageAway, storageFull } from "./storage-errors.ts";

/** The part of a response that names its status. */
interface Answered {
  readonly $metadata: { readonly httpStatusCode?: number | undefined };
}

/**
 * Returns the error for a response that the SDK accepts: it takes every status below 300 as success, also of a proxy or
 * a login page.
 */
export function unexpected(operation: string, { $metadata }: Answered): AppError {
  const status = $metadata.httpStatusCode ?? "unknown";
  return storageAway(
    new Error(
      `The response to ${operation} (status ${status}) is not that of an object store, or not of this object: check S3_ENDPOINT and the proxies before it`,
    ),
  );
}

/** Returns an entity tag without its quotes; undefined for a weak one, which no store sends and web servers do. */
export function strongTag(tag: string | undefined): string | undefined {
  return /^"?([!#-~]+)"?$/.exec(tag ?? "")?.[1];
}

/** Returns whether a response has the size and the time of an object. */
export function isDescribed(
  object: {
    readonly [Field in keyof StoredObject]: StoredObject[Field] | undefined;
  },
): object is StoredObject {
  return object.bytes !== undefined && object.modifiedAt !== undefined;
}

/** Errors by which a store rejects the keys or the rights of the service. Some have the status 400. */
const rejectedCodes = new Set([
  "AccessDenied",
  "ExpiredToken",
  "InvalidAccessKeyId",
  "InvalidToken",
  "RequestTimeTooSkewed",
  "SignatureDoesNotMatch",
]);
/** Codes of servers whose disks or quotas are full; Amazon's have no end. */
const fullCodes = new Set(["XMinioStorageFull", "QuotaExceeded", "EntityStorageFull"]);

/**
 * Returns whether a store says that an object does not exist. A proxy's own 404 is a page.
 *
 * @param name the error that the operation has in this case; the response to a HEAD names none
 */
export function isNoObject(error: unknown, name: "NoSuchKey" | "NotFound"): boolean {
  if (!(error instanceof S3ServiceException) || error.name !== name) return false;
  return !/^text\/html/i.test(error.$response?.headers["content-type"] ?? "");
}

export function rethrow(error: unknown): never {
  throw translated(error);
}

/** Returns the error for the caller, SERVICE_UNAVAILABLE. Its cause tells an operator the reason. */
export function translated(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (!(error instanceof S3ServiceException)) return storageAway(error);
  const { name, message } = error;
  if (fullCodes.has(name)) return storageFull(error);
  const status = error.$metadata.httpStatusCode ?? 0;
  if (status !== 401 && status !== 403 && !rejectedCodes.has(name)) return storageAway(error);
  const sentence = `The object store rejects this service: ${name} (status ${status}): ${message.replace(/\.$/, "")}. Check the keys and the role of S3, the policy of the bucket, and the clock`;
  return storageAway(new Error(sentence, { cause: error }));
}
