import { parseExactJson, writeExactJson } from "@rowhouse/wire";

/** The results of SQL within the limit of a tool's result. */
export interface BoundedResults {
  readonly json: string;
  /** The number of rows in all results. */
  readonly rows: number;
  readonly isTruncated: boolean;
}

interface SqlAnswer {
  readonly notices: readonly unknown[];
  readonly results: readonly SqlResult[];
}

interface SqlResult {
  readonly rows: readonly unknown[];
  readonly truncated: boolean;
}

/**
 * Bounds the JSON of an answer of the SQL console, which counts values and neither names nor quotes. Rows are left out
 * from the end; if that is not enough, the columns and notices as well.
 */
export function boundResults(json: string, bytesMax: number): BoundedResults {
  const answer = parseExactJson(json) as SqlAnswer;
  const rows = answer.results.reduce((sum, result) => sum + result.rows.length, 0);
  const isCut = answer.results.some((result) => result.truncated);
  if (Buffer.byteLength(json) <= bytesMax) return { json, rows, isTruncated: isCut };
  const heads = answer.results.map((result) => ({ ...result, rows: [], truncated: true }));
  const head = { ...answer, results: heads };
  let left = bytesMax - Buffer.byteLength(writeExactJson(head));
  if (left < 0) {
    const short = { ...answer, notices: [], results: [] };
    return { json: writeExactJson(short), rows: 0, isTruncated: true };
  }
  let shown = 0;
  const results = answer.results.map((result) => {
    const kept = result.rows.filter((row) => {
      left -= Buffer.byteLength(writeExactJson(row)) + 1;
      return left >= 0;
    });
    shown += kept.length;
    return {
      ...result,
      rows: kept,
      truncated: result.truncated || kept.length < result.rows.length,
    };
  });
  return { json: writeExactJson({ ...answer, results }), rows: shown, isTruncated: true };
}
