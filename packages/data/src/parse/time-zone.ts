import { createError } from "@rowhouse/errors";
import { isTimeZone } from "@rowhouse/settings";
import type { DataRequest } from "./request.ts";

/** The path in errors about the caller's time zone. */
export const timeZoneHeader = "X-Service-Timezone";

/**
 * Sets the time zone of a request from the header `X-Service-Timezone`; null for none.
 *
 * @throws AppError QUERY_INVALID for anything but an IANA time zone name
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
