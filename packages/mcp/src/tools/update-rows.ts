import { z } from "zod";
import { changeRows } from "../backend/row-writes.ts";
import { defineTool, resultSchema } from "../calls/define-tool.ts";
import { qualifiedNameOf } from "./terms.ts";
import {
  mayWrite,
  renderWritten,
  selection,
  selectionOf,
  values,
  writeHints,
  writtenMembers,
} from "./write-terms.ts";

const input = z.strictObject({ ...selection, values: values.describe("New values by field") });

type Input = z.output<typeof input>;

/** `update_rows`: the row with a key, or the rows that match a filter. */
export const updateRowsTool = defineTool<Input>({
  name: "update_rows",
  title: "Update rows",
  description:
    "Update the row with key, or the rows that match where: at most maxAffected, otherwise none. Try dryRun first.",
  input,
  output: resultSchema({ type: "array", items: { type: "object" } }, writtenMembers),
  hints: writeHints,
  provesItself: false,
  isOffered: mayWrite,
  subjectOf: qualifiedNameOf,
  call: async (sent, { access, backend, call }) => {
    const { schema, name, dryRun = false } = sent;
    const rows = selectionOf(sent);
    const written = await changeRows(backend, { schema, name }, rows, sent.values, dryRun, call);
    return renderWritten(written, dryRun, access.settings["mcp.max_result_bytes"]);
  },
});
