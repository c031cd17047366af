import { createFault, type Fault } from "@rowhouse/errors";
import { impossibleName, isPossibleName } from "@rowhouse/json";

/** Maximum number of characters of a term: of an expression over several paths. */
const termLengthMax = 10_000;

/** Returns whether all terms can contain names; otherwise adds a fault. */
export function requirePossible(terms: readonly string[], path: string, faults: Fault[]): boolean {
  const isShort = terms.every(({ length }) => length <= termLengthMax);
  if (isShort && terms.every(isPossibleName)) return true;
  const message = isShort ? impossibleName : `A term has at most ${termLengthMax} characters`;
  faults.push(createFault("QUERY_INVALID", { path, message }));
  return false;
}
