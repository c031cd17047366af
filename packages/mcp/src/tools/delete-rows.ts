import { z } from "zod";
import { removeRows } from "../backend/row-writes.ts";
import { defineTool } from "../calls/define-tool.ts";
import { qualifiedNameOf } from "./terms.ts";
import { mayWrite, selection, selectionOf, writeHints, writtenMembers } from "./write-terms.ts";

const input = z.strictObject(selection);

type Input = z.output<typeof input>;

/** `delete_rows`: the row with a key, or the rows that match a filter. */
export const deleteRowsTool = defineTool<Input>({
  name: "delete_rows",
  title: "Delete rows",
  description:
    "Delete the row with key, or the rows that match where: at most maxAffected, otherwise none. Try dryRun first.",
  input,
  output: {
    type: "object",
    properties: writtenMembers,
    required: ["count"],
    additionalProperties: false,
  },
  hints: writeHints,
  provesItself: false,
  isOffered: (settings, identity) => settings["mcp.allow_deletes"] && mayWrite(settings, identity),
  subjectOf: qualifiedNameOf,
  call: async (sent, { backend, call }) => {
    const { schema, name, dryRun = false } = sent;
    const count = await removeRows(backend, { schema, name }, selectionOf(sent), dryRun, call);
    return { json: JSON.stringify({ count, ...(dryRun ? { dryRun } : {}) }), rows: count };
  },
});
