import { writeJson } from "@rowhouse/client";

/** Whether two values are the same to the service. */
export function isEqual(one: unknown, other: unknown): boolean {
  return writeJson(one) === writeJson(other);
}
