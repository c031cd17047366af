import { LRUCache } from "lru-cache";
import type { RequestLimits } from "./parse-parts.ts";
import type { ReadRequest, Target } from "./request.ts";

/** What a query of one row asks for, whichever row it is. */
export type ReadQuery = Omit<ReadRequest, "target" | "id" | "origin">;

/** Maximum number of remembered queries under the same limits. */
const rememberedMax = 1000;
/** Longer queries are parsed each time, in characters. */
const queryLengthMax = 500;

/** Each version of the settings has limits of its own, so a changed limit applies to every later request. */
const queries = new WeakMap<RequestLimits, LRUCache<string, ReadQuery>>();

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
  let known = queries.get(limits);
  if (known === undefined) {
    known = new LRUCache({ max: rememberedMax });
    queries.set(limits, known);
  }
  // A name of a schema or a table contains no NUL.
  const key = `${schema}\0${name}\0${keyLength}\0${rawQuery}`;
  let query = known.get(key);
  if (query === undefined) {
    query = parse();
    known.set(key, query);
  }
  return query;
}
