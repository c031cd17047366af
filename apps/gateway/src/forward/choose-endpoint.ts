import type { Endpoint } from "./endpoint.ts";

/** Chooses the process for a request; undefined if none is left. */
export type EndpointChooser = (tried: ReadonlySet<Endpoint>) => Endpoint | undefined;

/**
 * Creates a chooser among the processes of a service. It picks the process with the fewest requests in progress, in
 * turn among equals. A doubtful process is used only if there is no other, an unavailable one never.
 */
export function createEndpointChooser(endpoints: readonly Endpoint[]): EndpointChooser {
  let turn = 0;
  return (tried) => {
    turn += 1;
    let chosen: Endpoint | undefined;
    let isGood = false;
    for (let at = 0; at < endpoints.length; at++) {
      const endpoint = endpoints[(turn + at) % endpoints.length];
      if (endpoint === undefined || tried.has(endpoint)) continue;
      const standing = endpoint.standing();
      if (standing === "OUT" || (isGood && standing !== "GOOD")) continue;
      const isBetter = standing === "GOOD" && !isGood;
      if (chosen !== undefined && !isBetter && endpoint.busy >= chosen.busy) continue;
      chosen = endpoint;
      isGood = standing === "GOOD";
    }
    return chosen;
  };
}
