import { firstInstantSql, writeName } from "@rowhouse/access";
import { type NarrowingFilter, readZone } from "@rowhouse/data";
import { type Relation, readPostgresFailure } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { postgresTimeZone } from "@rowhouse/settings";
import type { VisiblePresentation } from "../presentation/presentation.ts";
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

type Zoned = Pick<Reader, "database" | "snapshot" | "principal" | "timeZone">;

/** Returns the first moment of a date, or of a time without a zone, in the reader's time zone; other texts as they are. */
async function momentOf(text: string, path: string, reader: Zoned): Promise<string> {
  if (hasZone(text)) return text;
  const sql = `${firstInstantSql("$1::text::timestamp", "$2::text")}::text`;
  return convert(sql, text, path, reader);
}

/** Returns the local time of a moment in the reader's time zone; other texts as they are. */
async function localMoment(text: string, path: string, reader: Zoned): Promise<string> {
  if (!hasZone(text)) return text;
  return convert("($1::text::timestamptz at time zone $2::text)::text", text, path, reader);
}

/** Returns the first day that does not begin before a moment, in the reader's time zone. */
async function localDate(text: string, path: string, reader: Zoned): Promise<string> {
  if (isDate(text)) return text;
  const local = await localMoment(text, path, reader);
  const day = "($1::text::timestamp + interval '1 day' - interval '1 microsecond')::date::text";
  return convert(`${day} || left($2::text, 0)`, local, path, reader);
}

async function convert(sql: string, text: string, path: string, reader: Zoned): Promise<string> {
  const { database, snapshot, principal, timeZone } = reader;
  const zone = postgresTimeZone(await readZone(database, snapshot, principal.userId, timeZone));
  try {
    const [row] = await database.query<{ value: string }>(`select ${sql} as value`, [text, zone]);
    return row?.value ?? text;
  } catch (error) {
    // Class 22: the text is no date or time.
    if (!readPostgresFailure(error)?.code.startsWith("22")) throw error;
    throw createError("VALUE_INVALID", { path, cause: error });
  }
}

function isDate(text: string): boolean {
  return !text.includes("T");
}

function hasZone(text: string): boolean {
  return /(?:Z|[+-][0-9]{2}:[0-9]{2})$/.test(text) && !isDate(text);
}
