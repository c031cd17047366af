import { z } from "zod";
import { fetchGroups } from "../backend/row-reads.ts";
import { boundRows } from "../calls/bound-rows.ts";
import { defineTool, readHints, renderRows, resultSchema } from "../calls/define-tool.ts";
import {
  dataObject,
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
  aggregate: terms.min(1).describe('["count","sum(price)"]; also avg, min, max, count_distinct'),
  groupBy: terms
    .optional()
    .describe('["genre.name","date_trunc(month,created_at)"]; also date_part(weekday,created_at)'),
  where: dataObject.optional(),
  search: search.optional(),
  having: dataObject.optional().describe('{"sum_price":{"_gt":10}}'),
  orderBy: terms.optional().describe('["-sum_price"]'),
  limit: limit.optional(),
});

/** `aggregate_rows`: counts, sums and other aggregates, of all rows or by groups. */
export const aggregateRows = defineTool<z.output<typeof input>>({
  name: "aggregate_rows",
  title: "Aggregate rows",
  description:
    "Count, sum or average rows, also by groups: exact over all rows, where reading pages is not. Result fields: count, sum_price, …",
  input,
  output: resultSchema({ type: "array", items: { type: "object" } }),
  hints: readHints,
  provesItself: true,
  isOffered: () => true,
  subjectOf: qualifiedNameOf,
  call: async ({ schema, name, ...request }, { backend, call, bytesMax }) => {
    const read = (fitting: number | undefined) =>
      fetchGroups(
        backend,
        { schema, name },
        fitting === undefined ? request : { ...request, limit: fitting },
        call,
      );
    return renderRows(await boundRows(read, bytesMax), {
      hint: "Groups were left out: narrow where or having",
    });
  },
});
