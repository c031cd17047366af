import { RowhouseError } from "@rowhouse/client";

/** Whether the service has no such record. */
export function isMissing(error: unknown): boolean {
  return error instanceof RowhouseError && error.status === 404;
}
