import { splitTerms } from "@rowhouse/access";
import { createFault, type Fault } from "@rowhouse/errors";
import { impossibleName, isPossibleName } from "@rowhouse/json";

/** Splits a list of field names: `fields`, `order_by`, `aggregate`, `group_by`, `on_conflict`. */
export function parseTerms(text: string, path: string, faults: Fault[]): string[] {
  if (isPossibleName(text)) return splitTerms(text);
  faults.push(createFault("QUERY_INVALID", { path, message: impossibleName }));
  return [];
}
