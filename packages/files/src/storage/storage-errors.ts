import { type AppError, createError } from "@rowhouse/errors";

/** Returns the error for a storage without space. */
export function storageFull(cause: unknown): AppError {
  return unavailable("The storage of files is full", "60", cause);
}

/** Returns the error for a storage that cannot be reached. */
export function storageAway(cause: unknown): AppError {
  return unavailable("The storage of files is temporarily unavailable", "5", cause);
}

function unavailable(message: string, retryAfter: string, cause: unknown): AppError {
  return createError("SERVICE_UNAVAILABLE", {
    message,
    cause,
    headers: { "Retry-After": retryAfter },
  });
}
