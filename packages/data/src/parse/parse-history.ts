import { throwFaults } from "@rowhouse/errors";
import { parseId, parseWhole, type RequestLimits, requireKnown, shapeOf } from "./parse-parts.ts";
import { parseQuery } from "./parse-query.ts";
import type { HistoryRequest, Target } from "./request.ts";

/**
 * Parses `GET …/{id}/history`.
 *
 * @throws AppError QUERY_INVALID
 */
export function parseHistoryRequest(
  target: Target,
  rawId: string,
  rawQuery: string,
  { limitDefault, limitMax }: RequestLimits,
): HistoryRequest {
  const query = parseQuery(rawQuery);
  const faults = requireKnown(query, ["limit", "cursor"], []);
  const limit = parseWhole(query.single.get("limit"), "limit", limitDefault, limitMax, faults);
  throwFaults(faults);
  const id = parseId(rawId);
  const cursor = query.single.get("cursor") ?? null;
  const shape = shapeOf("HISTORY", target, id.length, limit, cursor !== null);
  return { kind: "HISTORY", target, id, limit, cursor, after: null, shape };
}
