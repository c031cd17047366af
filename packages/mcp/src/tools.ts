import type { McpAccess } from "./access.ts";
import type { AnyTool, ToolName } from "./tool.ts";
import { aggregateRows } from "./tools/aggregate-rows.ts";
import { createRows } from "./tools/create-rows.ts";
import { deleteRows } from "./tools/delete-rows.ts";
import { createExplainAccess } from "./tools/explain-access.ts";
import { readRows } from "./tools/read-rows.ts";
import { runSql } from "./tools/run-sql.ts";
import { runWorkflow } from "./tools/run-workflow.ts";
import { searchResources } from "./tools/search-resources.ts";
import { updateRows } from "./tools/update-rows.ts";

/** Every tool, in the order of `tools/list`. */
const tools: readonly AnyTool[] = [
  searchResources,
  readRows,
  aggregateRows,
  createExplainAccess(isToolOffered),
  createRows,
  updateRows,
  deleteRows,
  runWorkflow,
  runSql,
];

const byName: ReadonlyMap<string, AnyTool> = new Map(tools.map((tool) => [tool.name, tool]));

/** The tools that exist for a caller. They depend on settings, kind of credential and scopes alone. */
export function offeredTools({ settings, identity }: McpAccess): readonly AnyTool[] {
  return tools.filter((tool) => tool.isOffered(settings, identity));
}

/** Returns a tool by its name, offered or not. */
export function toolByName(name: unknown): AnyTool | undefined {
  return typeof name === "string" ? byName.get(name) : undefined;
}

function isToolOffered(name: ToolName, { settings, identity }: McpAccess): boolean {
  return byName.get(name)?.isOffered(settings, identity) === true;
}
