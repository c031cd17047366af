import { isStorableText } from "@rowhouse/wire";
import { z } from "zod";

/** Maximum length of a Postgres identifier in bytes; Postgres truncates a longer name silently. */
const nameBytesMax = 63;
/** Postgres allows 1600. A table with more columns than this is more likely a mistake. */
const columnsMax = 500;
const checkMessageLengthMax = 500;

export const text = z.string().refine(isStorableText, {
  error: "Text cannot contain NUL or an unpaired surrogate",
});

export const identifierSchema = text.refine(
  (name) => name.length > 0 && Buffer.byteLength(name) <= nameBytesMax,
  { error: `A name has 1 to ${nameBytesMax} bytes` },
);

/** The message that a caller receives when a check fails. */
export const checkMessage = text.refine(
  (message) => message.trim() !== "" && message.length <= checkMessageLengthMax,
  { error: `A message has 1 to ${checkMessageLengthMax} characters` },
);

/** The action on a row when the row that it references is deleted. */
export const onDeleteActions = [
  "RESTRICT",
  "CASCADE",
  "SET NULL",
  "NO ACTION",
  "SET DEFAULT",
] as const;

const foreignKeySchema = z.strictObject({
  targetSchema: identifierSchema,
  targetTable: identifierSchema,
  targetColumn: identifierSchema,
  onDelete: z.enum(onDeleteActions).optional(),
});

/** The body of `POST /admin/api/schema`. */
export const schemaDefinitionSchema = z.strictObject({ name: identifierSchema });

/** Whether the values of an identity column are always generated, or only where a caller gives none. */
export const identitySchema = z.enum(["ALWAYS", "BY_DEFAULT"]);

export const columnDefinitionSchema = z.strictObject({
  name: identifierSchema,
  dataType: text,
  primaryKey: z.boolean().optional(),
  default: text.optional(),
  identity: identitySchema.optional(),
  /** The expression of a stored generated column. */
  generated: text.optional(),
  nullable: z.boolean().optional(),
  check: text.optional(),
  checkMessage: checkMessage.optional(),
  foreignKey: foreignKeySchema.optional(),
});

/** The body of `POST /admin/api/schema/{schema}/tables`; see docs/admin-api-tables.md. */
export const tableDefinitionSchema = z.strictObject({
  name: identifierSchema,
  columns: z
    .array(columnDefinitionSchema)
    .min(1, { error: "A table must have at least one column" })
    .max(columnsMax, { error: `A table has at most ${columnsMax} columns` }),
});

export type ColumnDefinition = z.output<typeof columnDefinitionSchema>;
export type TableDefinition = z.output<typeof tableDefinitionSchema>;
export type OnDelete = (typeof onDeleteActions)[number];
