import { z } from "@hono/zod-openapi";
import {
  iconSchema,
  moreSchema,
  readFieldSchema,
  resourceRefSchema,
  visiblePresentationSchema,
} from "@rowhouse/readings";

const json = z.unknown().openapi({ description: "A value of the column, as in a row" });

const groupSchema = z
  .object({
    value: json,
    label: z
      .string()
      .nullable()
      .openapi({ description: "The text of the related row, if the reader may see it" }),
    count: z.int(),
    closed: z.boolean().openapi({
      description: "Whether this reader surely cannot move a row into this group",
    }),
  })
  .openapi("ViewGroup");

/** The content of an open DataView, and of the rows behind a mark of a chart. */
const openViewSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    icon: iconSchema,
    resource: resourceRefSchema,
    orderBy: z.array(z.string()),
    presentation: visiblePresentationSchema,
    fields: z.array(readFieldSchema).openapi({
      description:
        "The shown fields: those of the DataView and of its presentation. A row also has the columns of its key, as far as the reader may see them",
    }),
    rows: z.array(z.record(z.string(), z.unknown())),
    groups: z
      .array(groupSchema)
      .optional()
      .openapi({ description: "Of a kanban, unless `group` selects one" }),
    summaries: z
      .record(z.string(), json)
      .optional()
      .openapi({ description: "Of a table, by field, with `summaries`" }),
    presets: z
      .object({ create: z.array(z.string()), update: z.array(z.string()) })
      .optional()
      .openapi({ description: "Of a form: readable columns that the system sets" }),
  })
  .openapi("OpenDataView");

/** The body of the response. */
export const openViewEnvelope = z.object({
  data: openViewSchema,
  meta: z.object({
    nextCursor: z.string().nullable().optional(),
    count: z.number().optional(),
    more: moreSchema.optional(),
    etags: z
      .array(z.string())
      .optional()
      .openapi({ description: "Entity tags of the rows, with `Prefer: etags`" }),
    asOf: z.string().openapi({ format: "date-time", description: "When the rows were read" }),
  }),
});

/** The response of a route that answers an open DataView or its rows as a file. */
export const openViewAnswer = {
  description: "The DataView; with `Accept: text/csv` its rows as a file",
  content: {
    "application/json": { schema: openViewEnvelope },
    "text/csv": { schema: z.string() },
  },
};
