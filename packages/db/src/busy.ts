import { createError } from "@rowhouse/errors";

/** The error of a request that finds no permit of a semaphore, or no connection, in time. */
export function busy(): Error {
  return createError("SERVICE_UNAVAILABLE", { headers: { "Retry-After": "1" } });
}
