import { createError } from "@rowhouse/errors";
import { isStorableText, parseExactJson, writeExactJson } from "@rowhouse/wire";
import { z } from "zod";
import { executeSql } from "../backend/sql-runs.ts";
import type { McpAccess } from "../base/access.ts";
import { defineTool, notice, resultSchema } from "../calls/define-tool.ts";
import { mayWrite, writeHints } from "./write-terms.ts";

const parametersMax = 1000;

const storable = z
  .string()
  .refine(isStorableText, "Text cannot contain NUL or an unpaired surrogate");

const input = z.strictObject({
  sql: storable.min(1).max(1_000_000),
  parameters: z
    .array(z.union([storable, z.number(), z.boolean(), z.null()]))
    .max(parametersMax)
    .optional()
    .describe("Values of $1, $2, …; long numbers as strings"),
  rowsMax: z.int().min(1).max(1_000_000).optional(),
  readOnly: z.boolean().optional().describe("Default true"),
});

type Input = z.output<typeof input>;

/**
 * `run_sql`: statements of an administrator under the login of the SQL console. It exists for personal tokens of the
 * admin plane, and for no OAuth client.
 */
export const runSql = defineTool<Input>({
  name: "run_sql",
  title: "Run SQL",
  description: "Run SQL statements in one transaction, read-only unless readOnly is false.",
  input,
  output: resultSchema({ type: "object" }),
  hints: { ...writeHints, idempotentHint: false },
  provesItself: false,
  isOffered: (settings, { plane, scopes }) =>
    settings["mcp.allow_sql"] &&
    settings["sql_console.allow_api_tokens"] &&
    plane === "admin" &&
    scopes === null,
  subjectOf: () => null,
  call: async ({ sql, parameters, rowsMax, readOnly = true }, { access, backend, call }) => {
    if (!readOnly) requireWrites(access);
    const bytesMax = access.settings["mcp.max_result_bytes"];
    const texts = parameters?.map((value) => (value === null ? null : String(value)));
    const request = { sql, parameters: texts, rowsMax, readOnly, bytesMax };
    const answer = boundResults(
      await executeSql(backend, access.identity, request, call),
      bytesMax,
    );
    const rest = JSON.stringify({
      ...(answer.isTruncated ? { truncated: true, hint: "Use limit, or name fewer columns" } : {}),
      notice,
    });
    return { json: `{"data":${answer.json},${rest.slice(1)}`, rows: answer.rows };
  },
});

/** SQL can delete whatever it can update, so it needs both settings. */
function requireWrites({ settings, identity }: McpAccess): void {
  if (mayWrite(settings, identity) && settings["mcp.allow_deletes"]) return;
  throw createError("ACTION_DENIED", {
    path: "/readOnly",
    message: "SQL that writes requires mcp.access READ_WRITE and mcp.allow_deletes",
  });
}

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
function boundResults(json: string, bytesMax: number): BoundedResults {
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
