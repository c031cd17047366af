import { createError } from "@rowhouse/errors";
import type { RowsAnswer } from "../backend/row-reads.ts";

/** Rows within the limit of a result. */
export interface BoundedRows {
  readonly answer: RowsAnswer;
  /** The number of rows. */
  readonly rows: number;
  /** Whether rows were left out because of the limit. */
  readonly isTruncated: boolean;
}

/** Number of times that rows are requested again if they have grown in between. */
const attemptsMax = 3;

/**
 * Reads rows, at most so many that their JSON fits. If it does not fit, the rows are requested again with a lower
 * limit, so that the cursor of the answer belongs to its last row.
 *
 * @param read returns at most this many rows; undefined for the limit of the request
 * @param limit in bytes; called after the first read, which has proven the settings
 * @throws AppError QUERY_INVALID if the first row alone exceeds the limit
 */
export async function boundRows(
  read: (limit: number | undefined) => Promise<RowsAnswer>,
  limit: () => Promise<number>,
): Promise<BoundedRows> {
  let answer = compact(await read(undefined));
  const bytesMax = await limit();
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const isTruncated = attempt > 0;
    if (Buffer.byteLength(answer.data) <= bytesMax) {
      return { answer, rows: answer.rows ?? countJsonItems(answer.data), isTruncated };
    }
    const fitting = countFitting(jsonItems(answer.data), bytesMax);
    if (fitting === 0) throw tooLarge(bytesMax);
    answer = compact(await read(fitting));
  }
  throw tooLarge(bytesMax);
}

/** PostgreSQL separates the rows of a list by a line break, which does not occur in a JSON string. */
function compact(answer: RowsAnswer): RowsAnswer {
  return { ...answer, data: answer.data.replaceAll(", \n ", ",") };
}

function tooLarge(bytesMax: number): Error {
  return createError("QUERY_INVALID", {
    path: "/fields",
    message: `One row exceeds mcp.max_result_bytes (${bytesMax}): name fewer fields`,
  });
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const space = 0x20;

/** Splits the text of a JSON array into the texts of its items, without parsing them. */
export function jsonItems(array: string): string[] {
  const items: string[] = [];
  let start = 1;
  for (const end of itemEnds(array)) {
    items.push(array.slice(start, end).trim());
    start = end + 1;
  }
  return items;
}

function countJsonItems(array: string): number {
  return itemEnds(array).length;
}

/** Returns the index after each item: that of its comma, or of the closing bracket. */
function itemEnds(array: string): number[] {
  const ends: number[] = [];
  const closing = array.lastIndexOf("]");
  let level = 0;
  let isEmpty = true;
  for (let at = 1; at < closing; at += 1) {
    const code = array.charCodeAt(at);
    if (code > space) isEmpty = false;
    if (code === quote) at = endOfString(array, at);
    else if (code === 0x7b || code === 0x5b) level += 1;
    else if (code === 0x7d || code === 0x5d) level -= 1;
    else if (code === comma && level === 0) ends.push(at);
  }
  if (!isEmpty) ends.push(closing);
  return ends;
}

/** Returns the index of the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let at = start;
  for (;;) {
    at = text.indexOf('"', at + 1);
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
}

/**
 * Returns how many texts of JSON fit into a list, from the first one on.
 *
 * @param bytesMax limit of the list with its brackets and commas
 */
export function countFitting(items: Iterable<string>, bytesMax: number): number {
  let bytes = 2;
  let count = 0;
  for (const item of items) {
    bytes += Buffer.byteLength(item) + 1;
    if (bytes > bytesMax) break;
    count += 1;
  }
  return count;
}
