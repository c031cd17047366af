import { z } from "zod";
import { field, stepKind } from "./field-meta.ts";
import { effectFields, namedValues, stepId, tableFields } from "./step-fields.ts";

/** One text with commas, or a list. */
const termsOf = (lengthMax: number) =>
  z.union([z.string().max(lengthMax), z.array(z.string().min(1).max(500)).min(1).max(100)]);

const fields = termsOf(2000)
  .optional()
  .meta(
    field(
      "Fields",
      "Columns and related rows to read, separated by commas or as a list; by default all columns.",
      "fields",
    ),
  );
const values = namedValues.meta(
  field("Values", "The value of each column. A text may contain templates.", "values"),
);
/** The value of a key, or the values of a composite key; templates or literals. */
const keyValue = z.union([
  z.string().min(1).max(2000),
  z.number(),
  z
    .array(z.union([z.string(), z.number()]))
    .min(1)
    .max(32),
]);
const key = keyValue.meta(
  field(
    "Key",
    "The value of the primary key; for a key of several columns, the list of their values.",
    "key",
  ),
);

/** Either `key`, or `where` with a maximum number of rows. */
const selection = {
  key: keyValue
    .optional()
    .meta(field("Key", "The primary key of one row. A step has either a key or a filter.", "key")),
  where: namedValues
    .optional()
    .meta(field("Filter", "The rows to change. A step has either a key or a filter.", "filter")),
  maxAffected: z
    .int()
    .min(1)
    .max(10_000)
    .default(100)
    .meta(
      field(
        "At most",
        "If more rows than this match the filter, the step fails and changes nothing.",
        "number",
      ),
    ),
};

export const createRow = z
  .strictObject({
    id: stepId,
    kind: z.literal("createRow"),
    ...tableFields,
    values,
    ...effectFields,
  })
  .meta(stepKind("rows", "Create a row", "Creates a row. The output is the row."));

export const listRows = z
  .strictObject({
    id: stepId,
    kind: z.literal("listRows"),
    ...tableFields,
    fields,
    where: namedValues
      .optional()
      .meta(field("Filter", "The rows to read; by default all rows.", "filter")),
    orderBy: termsOf(500)
      .optional()
      .meta(
        field(
          "Order",
          "Columns separated by commas or as a list; a minus before a column reverses its order.",
          "orderBy",
        ),
      ),
    limit: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .meta(field("Limit", "The maximum number of rows.", "number")),
    ...effectFields,
  })
  .meta(stepKind("rows", "List rows", "Reads rows. The output is the list of rows."));

export const getRow = z
  .strictObject({
    id: stepId,
    kind: z.literal("getRow"),
    ...tableFields,
    key,
    fields,
    ...effectFields,
  })
  .meta(
    stepKind(
      "rows",
      "Get a row",
      "Reads one row by its primary key. The output is the row; a missing row fails the step.",
    ),
  );

export const updateRows = z
  .strictObject({
    id: stepId,
    kind: z.literal("updateRows"),
    ...tableFields,
    ...selection,
    values,
    ...effectFields,
  })
  .meta(
    stepKind(
      "rows",
      "Update rows",
      "Updates one row by its key, or the rows of a filter. The output is the row, or the list of rows.",
    ),
  );

export const deleteRows = z
  .strictObject({
    id: stepId,
    kind: z.literal("deleteRows"),
    ...tableFields,
    ...selection,
    ...effectFields,
  })
  .meta(
    stepKind(
      "rows",
      "Delete rows",
      "Deletes one row by its key, or the rows of a filter. The output is the number of rows.",
    ),
  );
