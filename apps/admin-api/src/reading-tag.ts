import { entityTagOf, requireEntityTag } from "@rowhouse/db";
import { writeExactJson } from "@rowhouse/wire";

/** Returns the entity tag of a DataView or dashboard with the current names of its columns. */
export function tagOfReading(reading: object): string {
  return entityTagOf(writeExactJson(reading));
}

/**
 * Requires that a DataView or dashboard has one of the tags of `If-Match`.
 *
 * @param ifMatch undefined for a request without this condition
 * @throws AppError PRECONDITION_FAILED
 */
export function requireUnchanged(
  reading: object,
  ifMatch: readonly string[] | undefined,
  noun: string,
): void {
  if (ifMatch === undefined) return;
  const message = `The ${noun} has changed since it was read`;
  requireEntityTag(tagOfReading(reading), ifMatch, message);
}
