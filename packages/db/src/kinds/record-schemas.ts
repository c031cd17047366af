import { isStorableText } from "@rowhouse/wire";
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
export function recordSchemasOf<K extends Kind>(kind: K): RecordSchemas<K> {
  const required = Object.entries(kind.fields).flatMap(([name, field]) =>
    field.required === true ? [name] : [],
  );
  const given = shapeOf(kind, isGivenOnce, givenSchema);
  const changed = shapeOf(kind, isChangeable, ({ onChange: description, ...field }) =>
    givenSchema(description === undefined ? field : { ...field, description }),
  );
  return {
    stored: z.object(storedShapeOf(kind)).meta({ id: kind.schema }),
    new: z.strictObject(
      mapValues(given, (schema, name) => (required.includes(name) ? schema : schema.optional())),
    ),
    changes: z.strictObject(changed).partial(),
  } as unknown as RecordSchemas<K>;
}

type Shape<Values> = {
  readonly [Name in keyof Values]-?: z.ZodType<
    Exclude<Values[Name], undefined>,
    Exclude<Values[Name], undefined>
  >;
};

/** The members of a record in a response. */
export function storedShapeOf<K extends Kind>(kind: K): Shape<StoredOf<K>> {
  return shapeOf(kind, ({ secret }) => secret !== true, shownSchema) as Shape<StoredOf<K>>;
}

/** The members that a caller may give for a new record, each with its bounds and none of them optional. */
export function givenShapeOf<K extends Kind>(kind: K): Shape<InputOf<K>> {
  return shapeOf(kind, isGivenOnce, givenSchema) as Shape<InputOf<K>>;
}

function shapeOf(
  { fields }: Pick<Kind, "fields">,
  keep: (field: KindField) => boolean,
  make: (field: KindField) => z.ZodType,
): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => (keep(field) ? [[name, make(field)]] : [])),
  );
}

function mapValues(
  shape: Readonly<Record<string, z.ZodType>>,
  to: (schema: z.ZodType, name: string) => z.ZodType,
): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [name, to(schema, name)]),
  );
}

/** The schema of a field in a configuration document, with its default. */
export function documentSchema(field: KindField): z.ZodType {
  const { document } = field;
  const isText = field.type === "reference" || document?.isUnbounded === true;
  const value = storable(isText ? z.string() : bareSchema(field));
  if (document?.default === undefined) return value;
  return (document.default === null ? value.nullable() : value).default(document.default as never);
}

/** Refuses texts that PostgreSQL cannot store: the bodies of requests cannot have them. */
function storable(schema: z.ZodType): z.ZodType {
  return schema.refine((value) => typeof value !== "string" || isStorableText(value), {
    error: "Text cannot contain NUL or an unpaired surrogate",
  });
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
