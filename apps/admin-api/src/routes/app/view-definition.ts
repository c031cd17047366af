import { z } from "@hono/zod-openapi";
import { exactObject } from "@rowhouse/db";
import {
  aggregateTerms,
  fieldNames,
  groupTerms,
  orderTerms,
  storableText,
} from "@rowhouse/readings";
import { isTimeZone } from "@rowhouse/settings";
import { roundNumbers } from "@rowhouse/wire";

const bytesMax = 16_384;

/** Name of a column or a path, as typed. */
export const columnName = storableText(1, 300);

/** Width of a column in pixels. */
export const width = z
  .preprocess(roundNumbers, z.int().min(20).max(2000))
  .openapi({ type: "integer", minimum: 20, maximum: 2000, description: "Pixels" });

/** The columns that one setting may name. */
export const columnsMax = 400;

const names = z.array(columnName).max(columnsMax);

/** Filter, order and columns of a saved view. Their names are stored as typed; the Data API judges them. */
export const viewDefinition = z
  .strictObject({
    version: z.preprocess(roundNumbers, z.literal(1)).openapi({ type: "integer", enum: [1] }),
    where: exactObject.nullable().optional(),
    search: storableText(0, 1000).optional(),
    orderBy: orderTerms.optional(),
    fields: fieldNames.optional(),
    widths: z
      .record(columnName, width)
      .refine((value) => Object.keys(value).length <= columnsMax, `At most ${columnsMax} columns`)
      .optional(),
    pinned: names.optional(),
    groupBy: groupTerms.optional(),
    aggregate: aggregateTerms.optional(),
    timeZone: z.string().max(100).refine(isTimeZone, "Must be an IANA time zone name").optional(),
  })
  .refine(
    (value) => Buffer.byteLength(JSON.stringify(value)) <= bytesMax,
    `At most ${bytesMax} bytes`,
  );
