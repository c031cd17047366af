import type { Settings } from "@rowhouse/settings";
import type { RequestLimits } from "./parse-parts.ts";

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
