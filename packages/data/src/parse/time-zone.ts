import { createError } from "@rowhouse/errors";
import { isTimeZone } from "@rowhouse/settings";
import type { DataRequest } from "./request.ts";

/** Where faults of the caller's time zone point to. */
export const timeZoneHeader = "X-Service-Timezone";

/**
 * A request in the time zone that its caller names (spec §5.12), in the header `X-Service-Timezone`; null for none.
 *
 * @throws AppError QUERY_INVALID
 */
export function inTimeZone<Parsed extends DataRequest>(
  request: Parsed,
  timeZone: string | null,
): Parsed {
  if (timeZone === null) return request;
  if (!isTimeZone(timeZone)) {
    throw createError("QUERY_INVALID", {
      path: timeZoneHeader,
      message: "X-Service-Timezone must be an IANA time zone name, such as Europe/Oslo",
    });
  }
  return { ...request, timeZone };
}
