import { createError } from "@rowhouse/errors";
import { z } from "zod";
import { knownResources, type ResourceDescription } from "../backend/describe-resources.ts";
import { countFitting } from "../calls/bound-rows.ts";
import { defineTool, readHints, resultSchema } from "../calls/define-tool.ts";
import { isAfter, type ResourcePlace, readPlace, writePlace } from "../calls/resource-place.ts";
import type { ToolResult } from "../calls/tool.ts";
import { describeResource, type ResourceDetail } from "./describe-resource.ts";
import { renderFound } from "./render-found.ts";
import { searchWorkflows } from "./search-workflows.ts";
import { cursor, limit, resourceNameInput, schemaName, search } from "./terms.ts";

const input = z.strictObject({
  query: search.optional().describe("Part of a name, label, description or field"),
  schema: schemaName.optional(),
  name: resourceNameInput.optional(),
  kind: z.enum(["rows", "workflows"]).optional().describe("Default rows"),
  detail: z
    .enum(["names", "summary", "full"])
    .optional()
    .describe("Default names, or full with name"),
  limit: limit.optional(),
  cursor: cursor.optional(),
});

type Input = z.output<typeof input>;

/** Resources of a page without `limit`, by detail. */
const limitDefaults: Readonly<Record<ResourceDetail, number>> = {
  names: 500,
  summary: 50,
  full: 10,
};

/** `search_resources`: the tables and views that the caller may know, in as much detail as asked for. */
export const searchResources = defineTool<Input>({
  name: "search_resources",
  title: "Search resources",
  description:
    "List the tables and views you may use, or the workflows you may run. Start with names, then full for the few you need: fields, types, key, relations, your actions.",
  input,
  output: resultSchema(
    { type: "array", items: { type: "object" } },
    { nextCursor: { type: "string" } },
  ),
  hints: readHints,
  provesItself: false,
  isOffered: () => true,
  subjectOf: ({ schema, name }) =>
    name === undefined ? null : schema === undefined ? name : `${schema}.${name}`,
  call: async (sent, context) => {
    const { access, backend, bytesMax } = context;
    const detail = sent.detail ?? (sent.name === undefined ? "names" : "full");
    if (sent.kind === "workflows") return searchWorkflows(sent, detail, context);
    const after = sent.cursor === undefined ? null : requirePlace(sent.cursor);
    const matching = (await knownResources(backend.snapshots, access.identity)).filter(
      (resource) => matches(resource, sent) && (after === null || isAfter(resource, after)),
    );
    const rowsMax = sent.limit ?? limitDefaults[detail];
    return page(matching, detail, rowsMax, await bytesMax());
  },
});

function matches(resource: ResourceDescription, { schema, name, query }: Input): boolean {
  if (schema !== undefined && resource.schema !== schema) return false;
  if (name !== undefined && resource.name !== name) return false;
  if (query === undefined) return true;
  const { label, description, fields } = resource;
  const texts = [`${resource.schema}.${resource.name}`, label, description];
  const part = query.toLowerCase();
  return [...texts, ...fields.map((field) => field.name)].some(
    (text) => text?.toLowerCase().includes(part) === true,
  );
}

/** Returns as many resources as fit, and the place of the last one if more follow. */
function page(
  matching: readonly ResourceDescription[],
  detail: ResourceDetail,
  rowsMax: number,
  bytesMax: number,
): ToolResult {
  const described = matching
    .slice(0, rowsMax)
    .map((resource) => JSON.stringify(describeResource(resource, detail)));
  const items = described.slice(0, countFitting(described, bytesMax));
  if (items.length === 0 && matching.length > 0) {
    throw createError("QUERY_INVALID", {
      path: "/detail",
      message: `One resource exceeds mcp.max_result_bytes (${bytesMax}): ask for less detail`,
    });
  }
  const last = items.length < matching.length ? matching[items.length - 1] : undefined;
  return renderFound(items, last === undefined ? undefined : writePlace(last));
}

/** @throws AppError QUERY_INVALID */
function requirePlace(cursor: string): ResourcePlace {
  const place = readPlace(cursor);
  if (place !== undefined) return place;
  throw createError("QUERY_INVALID", { path: "/cursor", message: "Invalid cursor" });
}
