import { writeName } from "@rowhouse/access";
import type { NarrowingFilter } from "@rowhouse/data";
import type { Relation } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { VisiblePresentation } from "@rowhouse/saved-views";
import { localDate, localMoment, momentOf } from "./local-moments.ts";
import type { Reader } from "./reader.ts";
import type { ViewQuery } from "./view-query.ts";

/**
 * Returns the filters for a window of time of a calendar, half-open: a row is in it if the time from its start to its end
 * overlaps it. Dates begin and end in the reader's time zone; an end that is a date includes that day.
 *
 * @throws AppError QUERY_INVALID for a window of another layout; VALUE_INVALID for a moment that does not exist
 */
export async function windowOf(
  presentation: VisiblePresentation,
  relation: Relation,
  { from, to }: Pick<ViewQuery, "from" | "to">,
  reader: Reader,
): Promise<NarrowingFilter[]> {
  if (from === undefined && to === undefined) return [];
  if (presentation.layout !== "calendar") {
    const path = from === undefined ? "to" : "from";
    throw createError("QUERY_INVALID", { path, message: "Only a calendar has a window of time" });
  }
  const base = relation.columnByName(presentation.start)?.type.base ?? "";
  const start = writeName(presentation.start);
  const end = presentation.end === undefined ? undefined : writeName(presentation.end);
  const filters: NarrowingFilter[] = [];
  if (from !== undefined) {
    const bound = await boundOf(from, "from", base, reader);
    const starts = { [start]: { _gte: bound } };
    const operator = base === "date" ? "_gte" : "_gt";
    const filter = end === undefined ? starts : { _or: [starts, { [end]: { [operator]: bound } }] };
    filters.push({ filter, path: "from" });
  }
  if (to !== undefined) {
    const bound = await boundOf(to, "to", base, reader);
    filters.push({ filter: { [start]: { _lt: bound } }, path: "to" });
  }
  return filters;
}

/** A moment as a value of the calendar's type. */
async function boundOf(
  text: string,
  path: "from" | "to",
  base: string,
  reader: Reader,
): Promise<string> {
  if (base === "timestamp with time zone") return momentOf(text, path, reader);
  if (base === "timestamp without time zone") return localMoment(text, path, reader);
  return localDate(text, path, reader);
}
