import { createError } from "@rowhouse/errors";
import type { DataRequest } from "./request.ts";

const timeZones: ReadonlySet<string> = new Set(["UTC", ...Intl.supportedValuesOf("timeZone")]);

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
  // Only a name that Postgres knows as well: an offset or an abbreviation would mean something else there.
  if (!timeZones.has(timeZone)) {
    throw createError("QUERY_INVALID", {
      path: "X-Service-Timezone",
      message: "This is not an IANA time zone name",
    });
  }
  return { ...request, timeZone };
}
