import type { Snapshot } from "@rowhouse/db";
import { type Settings, settingsOf } from "@rowhouse/settings";
import type { RequestLimits } from "./parse-parts.ts";
import type { DataRequest } from "./request.ts";

const limitsOf = new WeakMap<Settings, RequestLimits>();

/** The limits of a request, out of the settings. */
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
 * A request as the limits of a snapshot allow it: read anew where it was read under other settings.
 *
 * @throws AppError of the contract
 */
export function underLimitsOf<Request extends DataRequest>(
  request: Request,
  snapshot: Snapshot,
): Request {
  const settings = settingsOf(snapshot);
  const { readUnder } = request;
  if (readUnder === undefined || readUnder.settings === settings) return request;
  // What was read again is of the same kind: its reader is the one that the request came from.
  return readUnder.again(settings) as Request;
}
