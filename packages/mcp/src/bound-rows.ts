import { createError } from "@rowhouse/errors";
import type { RowsAnswer } from "./backend/row-reads.ts";
import { countFitting } from "./count-fitting.ts";
import { countJsonItems, jsonItems } from "./json-items.ts";

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
