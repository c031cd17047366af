import { createFault, type Fault, throwFaults } from "@rowhouse/errors";
import type { Settings } from "@rowhouse/settings";
import { idempotencyKeyForm } from "@rowhouse/wire";
import { z } from "zod";
import type { WriteSelection, WrittenRows } from "../backend/row-writes.ts";
import type { McpIdentity } from "../base/access.ts";
import { countFitting, jsonItems } from "../calls/bound-rows.ts";
import { notice } from "../calls/define-tool.ts";
import type { ToolHints, ToolResult } from "../calls/tool.ts";
import { dataObject, key, resourceNameInput, schemaName } from "./terms.ts";

/** Arguments that several tools that write have. The Data API validates the values themselves. */
export const values = dataObject;
export const idempotencyKey = z
  .string()
  .regex(idempotencyKeyForm, "Must have 1 to 255 printable characters without spaces")
  .describe("Unique per intended change; reuse it to repeat safely");

/** The rows that a tool changes, by key or by filter. */
export const selection = {
  schema: schemaName,
  name: resourceNameInput,
  key: key.optional().describe("Primary key values, for one row"),
  where: dataObject.optional().describe("Filter as in read_rows, for many rows"),
  maxAffected: z.int().min(1).max(1_000_000).optional().describe("Required with where"),
  ifMatch: z.string().max(200).optional().describe("With key: entity tag of the row"),
  dryRun: z.boolean().optional().describe("Roll the change back, and report it"),
};

interface SelectionInput {
  readonly key?: readonly string[] | undefined;
  readonly where?: Readonly<Record<string, unknown>> | undefined;
  readonly maxAffected?: number | undefined;
  readonly ifMatch?: string | undefined;
}

/** Returns the selection of the arguments. @throws AppError BODY_INVALID unless there is exactly one */
export function selectionOf({ key, where, maxAffected, ifMatch }: SelectionInput): WriteSelection {
  const faults: Fault[] = [];
  const refuse = (argument: string, message: string) =>
    faults.push(createFault("BODY_INVALID", { path: `/${argument}`, message }));
  if (key === undefined && where === undefined) refuse("key", "Either key or where is required");
  if (key !== undefined && where !== undefined) refuse("where", "where does not apply with key");
  if (key !== undefined && maxAffected !== undefined) {
    refuse("maxAffected", "maxAffected does not apply with key");
  }
  if (key === undefined && ifMatch !== undefined) refuse("ifMatch", "ifMatch requires key");
  if (key === undefined && where !== undefined && maxAffected === undefined) {
    refuse("maxAffected", "maxAffected is required with where");
  }
  throwFaults(faults);
  return key === undefined
    ? { where: where ?? {}, maxAffected: maxAffected ?? 0 }
    : { key, ifMatch };
}

/** Whether settings and scopes permit changes of rows. */
export function mayWrite(settings: Settings, { scopes }: Pick<McpIdentity, "scopes">): boolean {
  return settings["mcp.access"] === "READ_WRITE" && (scopes === null || scopes.includes("write"));
}

/** The hints of a tool that changes rows. */
export const writeHints: ToolHints = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};

/** The members of a result besides `data`. */
export const writtenMembers = {
  count: { type: "integer" },
  dryRun: { type: "boolean" },
};

/**
 * Renders written rows, as many as fit: the write has happened, whatever its result shows.
 *
 * @param bytesMax limit of the rows
 */
export function renderWritten(
  { data, count, isReplayed }: WrittenRows,
  isDryRun: boolean,
  bytesMax: number,
): ToolResult {
  const items = jsonItems(data);
  const shown = items.slice(0, countFitting(items, bytesMax));
  const isTruncated = shown.length < items.length;
  const rest = JSON.stringify({
    count,
    ...(isDryRun ? { dryRun: true } : {}),
    ...(isReplayed ? { replayed: true } : {}),
    ...(isTruncated ? { truncated: true, hint: "Read the other rows with read_rows" } : {}),
    notice,
  });
  return { json: `{"data":[${shown.join(",")}],${rest.slice(1)}`, rows: count };
}
