import type { Endpoint } from "./endpoint.ts";

/** Chooses where a request goes; undefined when there is nowhere left. */
export type EndpointChooser = (tried: ReadonlySet<Endpoint>) => Endpoint | undefined;

/**
 * Chooses among the processes of a service the one with the fewest requests, those in turn that have equally few. One whose
 * last connection failed is chosen only when there is no other, one that does not answer at all not even then.
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
