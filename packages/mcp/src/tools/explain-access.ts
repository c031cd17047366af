import { createError } from "@rowhouse/errors";
import { z } from "zod";
import { type ActionAccess, actionsOn } from "../backend/describe-resources.ts";
import type { McpAccess } from "../base/access.ts";
import { defineTool, notice, readHints, resultSchema } from "../calls/define-tool.ts";
import type { ToolName } from "../calls/tool.ts";
import { qualifiedNameOf, resourceNameInput, schemaName } from "./terms.ts";

const input = z.strictObject({
  schema: schemaName,
  name: resourceNameInput,
  action: z.enum(["READ", "CREATE", "UPDATE", "DELETE"]).optional(),
});

const toolOfAction: Readonly<Record<ActionAccess["action"], ToolName>> = {
  READ: "read_rows",
  CREATE: "create_rows",
  UPDATE: "update_rows",
  DELETE: "delete_rows",
};

/**
 * Creates `explain_access`: which actions the caller has on a resource, in which rows and fields, and whether a tool for
 * them exists here. It names no role, no grant and no filter.
 *
 * @param isOffered whether a tool exists for these rights
 */
export function createExplainAccess(isOffered: (name: ToolName, access: McpAccess) => boolean) {
  return defineTool<z.output<typeof input>>({
    name: "explain_access",
    title: "Explain access",
    description: "Say what you may do with a table or view, in which rows and fields, and why not.",
    input,
    output: resultSchema({ type: "array", items: { type: "object" } }),
    hints: readHints,
    provesItself: false,
    isOffered: () => true,
    subjectOf: qualifiedNameOf,
    call: async ({ action, ...resource }, { access, backend }) => {
      const actions = await actionsOn(backend.snapshots, resource, access.identity);
      if (actions === undefined) throw createError("NOT_FOUND");
      const explained = actions
        .filter((each) => action === undefined || each.action === action)
        .map((each) => explain(each, isOffered(toolOfAction[each.action], access)));
      return { json: JSON.stringify({ data: explained, notice }), rows: explained.length };
    },
  });
}

function explain({ action, isAllowed, everyRow, fields }: ActionAccess, hasTool: boolean): object {
  if (!isAllowed) return { action, allowed: false, reason: "No role of the owner permits it" };
  const partly = fields.filter((field) => !field.everyRow).map((field) => field.name);
  return {
    action,
    allowed: hasTool,
    ...(hasTool ? {} : { reason: "The settings of mcp or the scopes of the client forbid it" }),
    rows: everyRow ? "ALL" : "SOME",
    ...(fields.length === 0 ? {} : { fields: fields.map((field) => field.name) }),
    // These are missing in some of the rows.
    ...(everyRow && partly.length > 0 ? { fieldsOfSomeRows: partly } : {}),
  };
}
