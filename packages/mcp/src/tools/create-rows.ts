import { z } from "zod";
import { insertRows } from "../backend/row-writes.ts";
import { defineTool, resultSchema } from "../calls/define-tool.ts";
import { qualifiedNameOf, resourceNameInput, schemaName } from "./terms.ts";
import {
  idempotencyKey,
  mayWrite,
  renderWritten,
  values,
  writeHints,
  writtenMembers,
} from "./write-terms.ts";

const input = z.strictObject({
  schema: schemaName,
  name: resourceNameInput,
  rows: z.array(values).min(1).max(10_000).describe("Values by field"),
  idempotencyKey,
});

type Input = z.output<typeof input>;

/** `create_rows`: one row or several in one statement, once per key. */
export const createRows = defineTool<Input>({
  name: "create_rows",
  title: "Create rows",
  description: "Create rows of a table, all or none. The same idempotencyKey creates them once.",
  input,
  output: resultSchema(
    { type: "array", items: { type: "object" } },
    { count: writtenMembers.count, replayed: { type: "boolean" } },
  ),
  hints: { ...writeHints, destructiveHint: false },
  provesItself: false,
  isOffered: mayWrite,
  subjectOf: qualifiedNameOf,
  call: async ({ schema, name, rows, idempotencyKey: id }, { access, backend, call }) => {
    const written = await insertRows(backend, { schema, name }, rows, id, call);
    return renderWritten(written, false, access.settings["mcp.max_result_bytes"]);
  },
});
