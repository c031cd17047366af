import { isStorableText } from "@rowhouse/wire";
import { z } from "zod";

/** Maximum length of a Postgres identifier in bytes; Postgres truncates a longer name silently. */
const nameBytesMax = 63;
const indexesMax = 20;
/** The maximum of Postgres itself. */
const indexColumnsMax = 32;

const text = z.string().refine(isStorableText, {
  error: "Text cannot contain NUL or an unpaired surrogate",
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

/**
 * The body of `PUT …/views/{view}`. The name and kind cannot change; a comment or indexes that the body omits stay as
 * they are.
 */
export const viewReplacementSchema = z.strictObject(parts);

export type ViewDefinition = z.output<typeof viewDefinitionSchema>;
export type ViewReplacement = z.output<typeof viewReplacementSchema>;
export type ViewIndex = z.output<typeof index>;
