import { createError } from "@rowhouse/errors";
import { isStorableText } from "@rowhouse/wire";
import { z } from "zod";
import type { McpAccess } from "../access.ts";
import { boundResults } from "../bound-results.ts";
import { defineTool, notice, resultSchema } from "../define-tool.ts";
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
  call: async ({ sql, parameters, rowsMax, readOnly = true }, { access, ports, call }) => {
    if (!readOnly) requireWrites(access);
    const bytesMax = access.settings["mcp.max_result_bytes"];
    const texts = parameters?.map((value) => (value === null ? null : String(value)));
    const request = { sql, parameters: texts, rowsMax, readOnly, bytesMax };
    const answer = boundResults(await ports.sql.run(access.identity, request, call), bytesMax);
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
