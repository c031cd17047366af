import { createFault, type Fault } from "@rowhouse/errors";
import { impossibleName, isPossibleName } from "@rowhouse/json";

/** Returns whether all terms can contain names; otherwise adds a fault. */
export function requirePossible(terms: readonly string[], path: string, faults: Fault[]): boolean {
  if (terms.every(isPossibleName)) return true;
  faults.push(createFault("QUERY_INVALID", { path, message: impossibleName }));
  return false;
}
