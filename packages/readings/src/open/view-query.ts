import { splitTerms } from "@rowhouse/access";
import { headForms, parseJsonParameter, type ReaderForms, referenceForms } from "@rowhouse/data";
import { exactObject } from "@rowhouse/db";
import { roundNumbers } from "@rowhouse/wire";
import { z } from "zod";

/** The reader's own part of an open DataView; the forms are those of a CSV file. */
export interface ViewQuery
  extends Partial<{ [Form in keyof ReaderForms]: ReaderForms[Form] | undefined }> {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly search?: string | undefined;
  readonly count?: "exact" | "estimated" | undefined;
  /** A filter as JSON. */
  readonly where?: unknown;
  readonly orderBy?: readonly string[] | undefined;
  readonly fields?: readonly string[] | undefined;
  /** A date or a timestamp, of a calendar. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** One value of the group of a kanban; undefined for the rows of all groups. */
  readonly group?: unknown;
  readonly summaries?: boolean | undefined;
}

const limitMax = 100_000;
const textMax = 20_000;

const limit = z
  .string()
  .regex(/^[0-9]{1,6}$/, "Must be a whole number")
  .transform(Number)
  .refine((rows) => rows >= 1 && rows <= limitMax, `Must be from 1 to ${limitMax}`)
  .meta({
    type: "integer",
    minimum: 1,
    maximum: limitMax,
    description: "Maximum number of rows",
  });

const moment = z
  .string()
  .max(40)
  .regex(
    /^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?(?:Z|[+-][0-9]{2}:[0-9]{2})?)?$/,
    "Must be a date or a timestamp: 2026-05-01, 2026-05-01T08:00:00Z",
  );

const count = z.enum(["exact", "estimated"]);
const cursor = z.string().max(10_000);
const search = z.string().max(1000);

/** Parameters of the rows behind a list: the reader's own filter, order and fields. */
export const rowParameters = {
  limit: limit.optional(),
  cursor: cursor.optional(),
  search: search.optional(),
  count: count.optional(),
  where: z
    .string()
    .max(textMax)
    .optional()
    .meta({ description: "A filter as JSON; it narrows the rows further" }),
  order_by: z
    .string()
    .max(textMax)
    .optional()
    .meta({ description: "In place of the stored order: `-created_at,plate`" }),
  fields: z
    .string()
    .max(textMax)
    .optional()
    .meta({ description: "Some of the shown fields: `plate,driver.name`" }),
  references: z.enum(referenceForms).optional().meta({
    description: "Of a CSV file: what stands for rows that a field refers to; `key` by default",
  }),
  heads: z.enum(headForms).optional().meta({
    description: "Of a CSV file: what its first line has; `name` by default",
  }),
};

/** Parameters of an open DataView. */
export const viewParameters = z.strictObject({
  ...rowParameters,
  from: moment.optional().meta({ description: "Of a calendar: rows that end after it" }),
  to: moment.optional().meta({ description: "Of a calendar: rows that start before it" }),
  group: z
    .string()
    .max(textMax)
    .optional()
    .meta({ description: "Of a kanban: one value of its group as JSON, also `null`" }),
  summaries: z.enum(["true", "false"]).optional(),
});

/** The parts of a reader in the parameters of a list. */
export type RowParameters = Pick<z.output<typeof viewParameters>, keyof typeof rowParameters>;

/**
 * Reads the parameters of a list.
 *
 * @throws AppError QUERY_INVALID for a filter that is not JSON
 */
export function rowQueryOf({ where, order_by, fields, ...page }: RowParameters): ViewQuery {
  return {
    ...page,
    ...(where === undefined ? {} : { where: parseJsonParameter("where", where) }),
    ...(order_by === undefined || order_by === "" ? {} : { orderBy: splitTerms(order_by) }),
    ...(fields === undefined || fields === "*" ? {} : { fields: splitTerms(fields) }),
  };
}

/**
 * Reads the parameters of an open DataView.
 *
 * @throws AppError QUERY_INVALID for JSON that is none
 */
export function viewQueryOf({
  from,
  to,
  group,
  summaries,
  ...rows
}: z.output<typeof viewParameters>): ViewQuery {
  return {
    ...rowQueryOf(rows),
    ...{ from, to },
    ...(group === undefined ? {} : { group: parseJsonParameter("group", group) }),
    summaries: summaries === "true",
  };
}

const terms = z.array(z.string().min(1).max(300)).min(1).max(200);

/** The same as the body of a preview. */
export const viewQueryBody = z.strictObject({
  limit: z
    .preprocess(roundNumbers, z.int().min(1).max(limitMax))
    .optional()
    .meta({ type: "integer", minimum: 1, maximum: limitMax }),
  cursor: cursor.optional(),
  search: search.optional(),
  count: count.optional(),
  where: exactObject.optional(),
  orderBy: terms.optional(),
  fields: terms.optional(),
  from: moment.optional(),
  to: moment.optional(),
  group: z.unknown().optional(),
  summaries: z.boolean().optional(),
});
