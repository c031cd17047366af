import { keepDigits, roundNumbers } from "@rowhouse/wire";
import { z } from "zod";
import { storableText } from "./reading-parts.ts";

const summaries = ["count", "countDistinct", "sum", "avg", "min", "max"] as const;
export type Summary = (typeof summaries)[number];

const bytesMax = 65_536;
const columnsMax = 200;

const version = z.preprocess(roundNumbers, z.literal(1)).meta({ type: "integer", enum: [1] });
const field = storableText(1, 300).meta({ description: "Path of a field: `driver.name`" });
const fields = z.array(field).max(columnsMax);
const width = z
  .preprocess(roundNumbers, z.int().min(20).max(2000))
  .meta({ type: "integer", minimum: 20, maximum: 2000, description: "Pixels" });

const tableParts = {
  version,
  layout: z.literal("table"),
  columns: z
    .array(
      z.strictObject({
        field,
        width: width.optional(),
        pinned: z.boolean().optional(),
        summary: z.enum(summaries).optional(),
      }),
    )
    .max(columnsMax)
    .meta({ description: "Empty for the fields of the DataView in their order" }),
};

/** The presentation of a table, also of a list of a dashboard. */
export const tablePresentationSchema = z.strictObject(tableParts).meta({ id: "TablePresentation" });

const visibleTableSchema = z
  .strictObject({
    ...tableParts,
    degraded: z.literal(true).optional().meta({
      description: "The stored layout depends on a field that the reader may not see",
    }),
  })
  .meta({ id: "VisibleTablePresentation" });

const cardsSchema = z
  .strictObject({
    version,
    layout: z.literal("cards"),
    title: field,
    subtitle: field.optional(),
    image: field.optional(),
    badges: fields.max(10).optional(),
  })
  .meta({ id: "CardsPresentation" });

const kanbanSchema = z
  .strictObject({
    version,
    layout: z.literal("kanban"),
    group: field.meta({
      description:
        "An enum, a boolean, or the only column of a foreign key, of the resource itself",
    }),
    title: field,
    fields: fields.max(10).optional(),
    order: field.optional().meta({ description: "Sorts the cards within a column" }),
    color: field.optional(),
  })
  .meta({ id: "KanbanPresentation" });

const calendarSchema = z
  .strictObject({
    version,
    layout: z.literal("calendar"),
    start: field.meta({ description: "A date or timestamp of the resource itself" }),
    end: field.optional().meta({ description: "Of the type of `start`" }),
    title: field,
    color: field.optional(),
  })
  .meta({ id: "CalendarPresentation" });

const help = storableText(1, 1000);

/** A scalar with every digit: a number that a double cannot represent is a text. */
const scalar = z
  .preprocess(keepDigits, z.union([storableText(0, 10_000), z.number(), z.boolean(), z.null()]))
  .meta({ type: ["string", "number", "boolean", "null"] });

const formSchema = z
  .strictObject({
    version,
    layout: z.literal("form"),
    use: z.enum(["CREATE", "EDIT", "BOTH"]),
    sections: z
      .array(
        z.strictObject({
          title: storableText(0, 200),
          help: help.optional(),
          fields: z
            .array(z.strictObject({ field, help: help.optional(), default: scalar.optional() }))
            .min(1)
            .max(columnsMax),
        }),
      )
      .min(1)
      .max(20),
  })
  .meta({ id: "FormPresentation" });

/** How rows are shown. An omitted one is a table of all fields. */
export const presentationSchema = z
  .discriminatedUnion("layout", [
    tablePresentationSchema,
    cardsSchema,
    kanbanSchema,
    calendarSchema,
    formSchema,
  ])
  .refine(
    (value) => Buffer.byteLength(JSON.stringify(value)) <= bytesMax,
    `At most ${bytesMax} bytes`,
  )
  .meta({ id: "Presentation" });

/** A presentation as a reader receives it. */
export const visiblePresentationSchema = z
  .discriminatedUnion("layout", [
    visibleTableSchema,
    cardsSchema,
    kanbanSchema,
    calendarSchema,
    formSchema,
  ])
  .meta({ id: "VisiblePresentation" });

export type TablePresentation = z.output<typeof tablePresentationSchema>;
export type KanbanPresentation = z.output<typeof kanbanSchema>;
type FormPresentation = z.output<typeof formSchema>;
export type FormSection = FormPresentation["sections"][number];
export type FormField = FormSection["fields"][number];

/** How the rows of a DataView are shown. Fields are paths from its resource. */
export type Presentation = z.output<typeof presentationSchema>;
/** A presentation as a reader receives it. */
export type VisiblePresentation = z.output<typeof visiblePresentationSchema>;

/** The presentation of a DataView without one. */
export const plainTable: TablePresentation = { version: 1, layout: "table", columns: [] };

/** Reads a stored presentation; a table of all fields in place of one that this build does not understand. */
export function readPresentation(stored: unknown): Presentation {
  const read = presentationSchema.safeParse(stored);
  return read.success ? read.data : plainTable;
}
