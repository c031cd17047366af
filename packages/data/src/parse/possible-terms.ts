import { createFault, type Fault } from "@rowhouse/errors";
import { impossibleName, isPossibleName } from "@rowhouse/wire";

/** Maximum number of characters of a term: of an expression over several paths. */
const termLengthMax = 10_000;

/** Returns whether there are at most `max` terms and all can contain names; otherwise adds a fault. Counts first. */
export function requirePossible(
  terms: readonly string[],
  max: number,
  path: string,
  faults: Fault[],
): boolean {
  if (terms.length > max) {
    faults.push(createFault("QUERY_INVALID", { path, message: `This takes at most ${max} terms` }));
    return false;
  }
  const isShort = terms.every(({ length }) => length <= termLengthMax);
  if (isShort && terms.every(isPossibleName)) return true;
  const message = isShort ? impossibleName : `A term has at most ${termLengthMax} characters`;
  faults.push(createFault("QUERY_INVALID", { path, message }));
  return false;
}
