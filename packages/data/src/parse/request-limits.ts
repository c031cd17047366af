import type { Snapshot } from "@rowhouse/db";
import { type Settings, settingsOf } from "@rowhouse/settings";
import type { RequestLimits } from "./parse-parts.ts";
import type { DataRequest } from "./request.ts";

const limitsOf = new WeakMap<Settings, RequestLimits>();

/** Returns the limits of a request from the settings. */
export function requestLimitsOf(settings: Settings): RequestLimits {
  let limits = limitsOf.get(settings);
  if (limits === undefined) {
    limits = readLimits(settings);
    limitsOf.set(settings, limits);
  }
  return limits;
}

function readLimits(settings: Settings): RequestLimits {
  return {
    limitDefault: settings["data.default_limit"],
    limitMax: settings["data.max_limit"],
    filterNodesMax: settings["data.max_filter_nodes"],
    filterDepthMax: settings["data.max_filter_depth"],
    listMax: settings["data.max_in_values"],
    rowsMax: settings["data.max_array_rows"],
    affectedMax: settings["data.max_affected"],
  };
}

/**
 * Returns a request under the limits of a snapshot; parses it again if it was parsed under other settings.
 *
 * @throws AppError if the new limits reject the request
 */
export function underLimitsOf<Request extends DataRequest>(
  request: Request,
  snapshot: Snapshot,
): Request {
  const settings = settingsOf(snapshot);
  const { readUnder } = request;
  if (readUnder === undefined || readUnder.settings === settings) return request;
  // The same parser runs again, so the result has the same kind.
  return readUnder.again(settings) as Request;
}
