import { LimitedMemory } from "./limited-memory.ts";
import type { RequestLimits } from "./parse-parts.ts";
import type { ReadRequest, Target } from "./request.ts";

/** What a query of one row asks for, whichever row it is. */
export type ReadQuery = Omit<ReadRequest, "target" | "id" | "origin">;

/** Longer queries are parsed each time, in characters. */
const queryLengthMax = 500;

const queries = new LimitedMemory<ReadQuery>();

/**
 * Returns the parsed query of an earlier request for a row of the same relation by as many key values; parses one that is
 * new. A fault is not remembered.
 *
 * @throws whatever `parse` throws
 */
export function recallRead(
  { schema, name }: Target,
  keyLength: number,
  rawQuery: string,
  limits: RequestLimits,
  parse: () => ReadQuery,
): ReadQuery {
  if (rawQuery.length > queryLengthMax) return parse();
  // A name of a schema or a table contains no NUL.
  const key = `${schema}\0${name}\0${keyLength}\0${rawQuery}`;
  const known = queries.get(limits, key);
  if (known !== undefined) return known;
  const query = parse();
  queries.set(limits, key, query);
  return query;
}
