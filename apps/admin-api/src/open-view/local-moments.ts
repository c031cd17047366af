import { readZone } from "@rowhouse/data";
import { readPostgresFailure } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { postgresTimeZone } from "@rowhouse/settings";
import type { Reader } from "./reader.ts";

type Zoned = Pick<Reader, "database" | "snapshot" | "principal" | "timeZone">;

/** Returns the moment of a date, or of a time without a zone, in the reader's time zone; other texts as they are. */
export async function momentOf(text: string, path: string, reader: Zoned): Promise<string> {
  if (hasZone(text)) return text;
  return convert("($1::text::timestamp at time zone $2::text)::text", text, path, reader);
}

/** Returns the local time of a moment in the reader's time zone; other texts as they are. */
export async function localMoment(text: string, path: string, reader: Zoned): Promise<string> {
  if (!hasZone(text)) return text;
  return convert("($1::text::timestamptz at time zone $2::text)::text", text, path, reader);
}

/** Returns the first day that does not begin before a moment, in the reader's time zone. */
export async function localDate(text: string, path: string, reader: Zoned): Promise<string> {
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
