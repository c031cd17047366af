import { createFault, throwFaults } from "@rowhouse/errors";
import { z } from "zod";
import { fetchRow, fetchRows } from "../backend/row-reads.ts";
import { type BoundedRows, boundRows } from "../calls/bound-rows.ts";
import { defineTool, readHints, renderRows, resultSchema } from "../calls/define-tool.ts";
import type { ToolContext, ToolResult } from "../calls/tool.ts";
import {
  cursor,
  dataObject,
  key,
  limit,
  qualifiedNameOf,
  resourceNameInput,
  schemaName,
  search,
  terms,
} from "./terms.ts";

const input = z.strictObject({
  schema: schemaName,
  name: resourceNameInput,
  key: key.optional().describe("Primary key values, for one row"),
  fields: terms
    .optional()
    .describe('Default all; "*", "title", to-one "artist.name", to-many "tracks.name"'),
  where: dataObject
    .optional()
    .describe(
      '{"price":{"_gte":5},"artist.name":{"_icontains":"x"},"_or":[…]}. Also _eq _neq _lt _lte _gt _in _nin _null _between _starts_with; to-many {"tracks":{"_some":{…}}}',
    ),
  search: search.optional().describe("Text in any text field"),
  orderBy: terms.optional().describe('["-price","title"]'),
  limit: limit.optional(),
  cursor: cursor.optional().describe("nextCursor of the previous page, same arguments"),
  count: z.boolean().optional().describe("Count all matching rows"),
});

type Input = z.output<typeof input>;

/** `read_rows`: one row by its key, or a page of rows. */
export const readRowsTool = defineTool<Input>({
  name: "read_rows",
  title: "Read rows",
  description:
    "Read rows of a table or view. Big integers and decimals are strings. If truncated, continue with nextCursor or fewer fields.",
  input,
  output: resultSchema(
    { type: "array", items: { type: "object" } },
    {
      nextCursor: { type: "string" },
      count: { type: "integer" },
      more: { type: "array", items: { type: "string" } },
    },
  ),
  hints: readHints,
  provesItself: true,
  isOffered: () => true,
  subjectOf: qualifiedNameOf,
  call: async (sent, context) => {
    const { schema, name, key: id, ...list } = sent;
    if (id === undefined) return readList({ schema, name }, list, context);
    throwFaults(
      Object.keys(list)
        .filter((argument) => argument !== "fields")
        .map((argument) =>
          createFault("BODY_INVALID", {
            path: `/${argument}`,
            message: `${argument} does not apply to a row by its key`,
          }),
        ),
    );
    const read = () => fetchRow(context.backend, { schema, name }, id, list.fields, context.call);
    return render(await boundRows(read, () => context.bytesMax()));
  },
});

async function readList(
  resource: Pick<Input, "schema" | "name">,
  list: Omit<Input, "schema" | "name" | "key">,
  context: ToolContext,
): Promise<ToolResult> {
  const read = (fitting: number | undefined) =>
    fetchRows(
      context.backend,
      resource,
      fitting === undefined ? list : { ...list, limit: fitting },
      context.call,
    );
  return render(await boundRows(read, () => context.bytesMax()));
}

function render(bounded: BoundedRows): ToolResult {
  return renderRows(bounded, { hint: hintOf(bounded.answer) });
}

function hintOf({ nextCursor }: Pick<BoundedRows["answer"], "nextCursor">): string {
  return nextCursor === undefined
    ? "Rows were left out: narrow where, or name fewer fields"
    : "Rows were left out: continue with cursor = nextCursor, or name fewer fields";
}
