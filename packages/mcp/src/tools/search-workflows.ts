import { createError } from "@rowhouse/errors";
import { isStorableText, writeExactJson } from "@rowhouse/wire";
import { listCallableWorkflows, type WorkflowDescription } from "../backend/workflow-runs.ts";
import { countFitting } from "../calls/bound-rows.ts";
import type { ToolContext, ToolResult } from "../calls/tool.ts";
import type { ResourceDetail } from "./describe-resource.ts";
import { renderFound } from "./render-found.ts";
import { runWorkflowTool } from "./run-workflow.ts";

/** Arguments of a search for workflows; `name` is the slug. */
interface WorkflowSearch {
  readonly query?: string | undefined;
  readonly schema?: string | undefined;
  readonly name?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

const limitMax = 200;

/** Lists the workflows that the caller may run. There are none while it may not run any. */
export async function searchWorkflows(
  { query, schema, name, limit = 50, cursor }: WorkflowSearch,
  detail: ResourceDetail,
  { access, backend }: ToolContext,
): Promise<ToolResult> {
  const { identity, settings } = access;
  if (schema !== undefined || !runWorkflowTool.isOffered(settings, identity)) return render([]);
  const rowsMax = Math.min(limit, limitMax);
  const after = cursor === undefined ? undefined : readPlace(cursor);
  const found = await listCallableWorkflows(backend, identity, {
    ...{ query, slug: name, after },
    limit: rowsMax + 1,
  });
  const bytesMax = settings["mcp.max_result_bytes"];
  const described = found
    .slice(0, rowsMax)
    .map((workflow) => writeExactJson(describe(workflow, detail)));
  const items = described.slice(0, countFitting(described, bytesMax));
  if (items.length === 0 && found.length > 0) {
    throw createError("QUERY_INVALID", {
      path: "/detail",
      message: `One workflow exceeds mcp.max_result_bytes (${bytesMax}): ask for less detail`,
    });
  }
  const last = items.length < found.length ? found[items.length - 1] : undefined;
  return render(items, last?.slug);
}

/** @throws AppError QUERY_INVALID */
function readPlace(cursor: string): string {
  const slug = Buffer.from(cursor, "base64url").toString();
  if (isStorableText(slug) && slug !== "") return slug;
  throw createError("QUERY_INVALID", { path: "/cursor", message: "Invalid cursor" });
}

function describe(workflow: WorkflowDescription, detail: ResourceDetail): object {
  const { slug, name, description, input, isSynchronous } = workflow;
  if (detail === "names") return { slug, description };
  if (detail === "summary") return { slug, name, description };
  return { slug, name, description, ...(input === null ? {} : { input }), isSynchronous };
}

function render(items: readonly string[], after?: string): ToolResult {
  const cursor = after === undefined ? undefined : Buffer.from(after).toString("base64url");
  return renderFound(items, cursor);
}
