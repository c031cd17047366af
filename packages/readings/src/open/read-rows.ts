import { inTimeZone, type ReadingPage, requestLimitsOf, requestOfReading } from "@rowhouse/data";
import type { Column, Queryable, Relation } from "@rowhouse/db";
import { settingsOf } from "@rowhouse/settings";
import { exactNumberText, parseExactJson } from "@rowhouse/wire";
import type { Reader } from "./reader.ts";
import { readingError } from "./reader-errors.ts";

type Row = Readonly<Record<string, unknown>>;

/** Reads rows or groups of rows with every digit of their numbers. @param on a transaction, by default a connection of the pool */
export async function readRows(
  relation: Relation,
  reading: Parameters<typeof requestOfReading>[1],
  page: ReadingPage,
  {
    engine,
    snapshot,
    caller,
    timeZone,
  }: Pick<Reader, "engine" | "snapshot" | "caller" | "timeZone">,
  on?: Queryable,
): Promise<readonly Row[]> {
  const limits = requestLimitsOf(settingsOf(snapshot));
  try {
    const request = requestOfReading(relation, reading, limits, page);
    const { data } = await engine.answer(inTimeZone(request, timeZone), caller, on);
    return parseExactJson(data ?? "[]") as readonly Row[];
  } catch (error) {
    throw readingError(error);
  }
}

/** Whether the JSON of a value of a column is its text, so that a filter can select the rows of one value. */
export function isMarkable({ type }: Pick<Column, "type">): boolean {
  return !type.array && type.kind !== "COMPOSITE" && type.base !== "jsonb" && type.base !== "json";
}

/** The text of a value in a comparison; null for null. */
export function textOfValue(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return exactNumberText(value) ?? String(value);
}
