import type { Settings } from "@rowhouse/settings";
import type { RequestLimits } from "./parse-parts.ts";

/** The limits of a request, out of the settings. */
export function requestLimitsOf(settings: Settings): RequestLimits {
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
