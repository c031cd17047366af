import { isStorableText } from "@rowhouse/json";
import { z } from "zod";

/** What Postgres keeps of a name; a longer one would be cut off silently. */
const nameBytesMax = 63;
const indexesMax = 20;
/** Postgres' own limit. */
const indexColumnsMax = 32;

const text = z.string().refine(isStorableText, {
  error: "Text holds neither NUL nor a lone surrogate",
});

const identifier = text.refine(
  (name) => name.length > 0 && Buffer.byteLength(name) <= nameBytesMax,
  { error: `A name has 1 to ${nameBytesMax} bytes` },
);

const index = z.strictObject({
  columns: z.array(identifier).min(1).max(indexColumnsMax),
  unique: z.boolean().optional(),
});

const parts = {
  definition: text,
  comment: text.max(5000).nullable().optional(),
  indexes: z.array(index).max(indexesMax).optional(),
};

/** The body of `POST /admin/api/schema/{schema}/views`. */
export const viewDefinitionSchema = z.strictObject({
  name: identifier,
  materialized: z.boolean().optional(),
  ...parts,
});

/** The body of `PUT …/views/{view}`: name and kind stay. What is not given of comment and indexes stays too. */
export const viewReplacementSchema = z.strictObject(parts);

export type ViewDefinition = z.output<typeof viewDefinitionSchema>;
export type ViewReplacement = z.output<typeof viewReplacementSchema>;
export type ViewIndex = z.output<typeof index>;
