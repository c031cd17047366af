import { parseExactJson, writeExactJson } from "@rowhouse/wire";
import { z } from "zod";
import { callWorkflow, type WorkflowAnswer } from "../backend/workflow-runs.ts";
import { defineTool, notice, resultSchema } from "../calls/define-tool.ts";
import type { ToolResult } from "../calls/tool.ts";
import { idempotencyKey, values, writeHints } from "./write-terms.ts";

const input = z.strictObject({
  slug: z.string().min(1).max(200),
  input: values.optional().describe("By the schema that search_resources returns"),
  idempotencyKey,
});

type Input = z.output<typeof input>;

/** `run_workflow`: a published workflow that is marked as a tool, under the invoke grants of the caller. */
export const runWorkflowTool = defineTool<Input>({
  name: "run_workflow",
  title: "Run workflow",
  description:
    "Run a workflow that search_resources lists with kind workflows. The same idempotencyKey returns the same run.",
  input,
  output: resultSchema({ type: "object" }, { replayed: { type: "boolean" } }),
  hints: { ...writeHints, openWorldHint: true },
  provesItself: false,
  isOffered: (settings, { scopes }) =>
    settings["mcp.allow_workflows"] && (scopes === null || scopes.includes("workflows")),
  subjectOf: ({ slug }) => slug,
  call: async (sent, { access, backend, call }) => {
    const answer = await callWorkflow(
      backend,
      access.identity,
      { ...sent, input: sent.input },
      call,
    );
    return render(answer, access.settings["mcp.max_result_bytes"]);
  },
});

function render({ data, isReplayed }: WorkflowAnswer, bytesMax: number): ToolResult {
  const isTruncated = Buffer.byteLength(data) > bytesMax;
  const rest = JSON.stringify({
    ...(isReplayed ? { replayed: true } : {}),
    ...(isTruncated ? { truncated: true, hint: "The result exceeds mcp.max_result_bytes" } : {}),
    notice,
  });
  const shown = isTruncated ? withoutResult(data) : data;
  return { json: `{"data":${shown},${rest.slice(1)}`, rows: 1 };
}

function withoutResult(data: string): string {
  const { id, status } = parseExactJson(data) as { readonly id: unknown; readonly status: unknown };
  return writeExactJson({ id, status });
}
