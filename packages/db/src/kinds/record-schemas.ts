import { z } from "zod";
import { isChangeable, isGivenOnce, type KindField } from "./field.ts";
import type { ChangesOf, InputOf, Kind, StoredOf } from "./kind.ts";

/** The schemas of a kind in the Admin API. */
export interface RecordSchemas<K extends Kind> {
  /** A record in a response. */
  readonly stored: z.ZodType<StoredOf<K>, StoredOf<K>>;
  /** The body of a new record. */
  readonly new: z.ZodType<InputOf<K>>;
  /** The body of a change. */
  readonly changes: z.ZodType<ChangesOf<K>>;
}

/** Returns the schemas of the records of a kind. */
export function recordSchemasOf<K extends Kind>({ fields, schema }: K): RecordSchemas<K> {
  const shape = (keep: (field: KindField) => boolean, make: (field: KindField) => z.ZodType) =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, field]) => (keep(field) ? [[name, make(field)]] : [])),
    );
  const stored = z.object(shape(({ secret }) => secret !== true, shownSchema)).meta({ id: schema });
  const created = z.strictObject(
    shape(isGivenOnce, (field) =>
      field.required === true ? givenSchema(field) : givenSchema(field).optional(),
    ),
  );
  const changed = z.strictObject(
    shape(isChangeable, ({ onChange: description, ...field }) =>
      givenSchema(description === undefined ? field : { ...field, description }).optional(),
    ),
  );
  return { stored, new: created, changes: changed } as unknown as RecordSchemas<K>;
}

/** The schema of a field in a configuration document, with its default. */
export function documentSchema(field: KindField): z.ZodType {
  const { document } = field;
  const isText = field.type === "reference" || document?.isUnbounded === true;
  const value = isText ? z.string() : bareSchema(field);
  if (document?.default === undefined) return value;
  return (document.default === null ? value.nullable() : value).default(document.default as never);
}

/** A value in a response: the service has checked it. */
function shownSchema(field: KindField): z.ZodType {
  return described(nullable(shownBare(field), field), field);
}

function shownBare(field: KindField): z.ZodType {
  switch (field.type) {
    case "id":
    case "text":
    case "email":
    case "url":
    case "reference":
      return z.string();
    case "choice":
      return z.enum(field.choices);
    case "texts":
      return z.array(z.string());
    case "flag":
      return z.boolean();
    case "count":
      return z.int();
    case "moment":
      return z.string().meta({ format: "date-time" });
    case "named":
      return z.array(z.object({ id: z.string(), name: z.string() }));
    case "object":
      return z.record(z.string(), z.unknown());
  }
}

/** A value that a caller gives. */
function givenSchema(field: KindField): z.ZodType {
  return described(nullable(bareSchema(field), field), field);
}

function bareSchema(field: KindField): z.ZodType {
  switch (field.type) {
    case "text":
      return matching(bounded(field.trim === true ? z.string().trim() : z.string(), field), field);
    case "email":
      return bounded(z.email(), field);
    case "url":
      return bounded(z.url(), field);
    case "texts":
      return z.array(matching(z.string(), field)).max(field.max);
    case "reference":
      return z.guid();
    default:
      return shownBare(field);
  }
}

interface Bounded<Schema> {
  min(length: number): Schema;
  max(length: number): Schema;
}

function bounded<Schema extends Bounded<Schema>>(
  schema: Schema,
  { min, max }: { readonly min?: number | undefined; readonly max?: number | undefined },
): Schema {
  const long = min === undefined ? schema : schema.min(min);
  return max === undefined ? long : long.max(max);
}

function matching(
  schema: z.ZodString,
  { pattern }: { readonly pattern?: readonly [source: string, message: string] | undefined },
): z.ZodString {
  return pattern === undefined ? schema : schema.regex(new RegExp(pattern[0]), pattern[1]);
}

function nullable(schema: z.ZodType, field: KindField): z.ZodType {
  return field.nullable === true ? schema.nullable() : schema;
}

function described(schema: z.ZodType, { description }: KindField): z.ZodType {
  return description === undefined ? schema : schema.meta({ description });
}
