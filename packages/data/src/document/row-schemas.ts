import { inputSchema, outputSchema } from "./column-schema.ts";
import { filterSchema } from "./filter-schemas.ts";
import { type Json, objectOf, orNull, refTo } from "./json.ts";
import type { RelationAccess, WritableField } from "./relation-access.ts";

/** The names that a list's aggregates have, beside fields. */
export const aggregateNameSchema: Json = {
  type: "string",
  pattern:
    "^(?:count|(?:count|count_distinct|sum|avg|min|max)_.+|.+_(?:year|quarter|month|week|day|hour|minute)|.+\\..+)$",
};

/** The schemas of a relation's rows, by their names among the components. */
export function rowSchemas(access: RelationAccess): Record<string, Json> {
  const { name, relation, reads, creates, updates } = access;
  const about = relation.comment === null ? {} : { description: relation.comment };
  return {
    ...(reads ? readSchemas(access, about) : {}),
    ...(answersRows(access) ? { [`${name}.Written`]: writtenSchema(access) } : {}),
    ...(answersKeys(access) ? { [`${name}.Key`]: keySchemaOf(access) } : {}),
    ...(creates === null ? {} : { [`${name}.New`]: newSchema(creates) }),
    ...(updates === null ? {} : { [`${name}.Change`]: changeSchema(updates) }),
  };
}

function readSchemas(access: RelationAccess, about: Json): Record<string, Json> {
  const { name, visible, edges } = access;
  const properties: Record<string, Json> = {};
  for (const { column, rows } of visible.fields) {
    const schema = outputSchema(column);
    // Where a field does not show it is absent from a row, and null as what groups are made by.
    properties[column.name] = rows === null ? schema : orNull(schema);
  }
  for (const { name: edge, kind, target } of edges) {
    const row = refTo("schemas", target);
    const related = kind === "ONE" ? orNull(row) : { type: "array", items: row };
    const field = properties[edge];
    // A related row stands in the place of the key that leads to it, where `fields` asks for it.
    properties[edge] = field === undefined ? related : { anyOf: [field, related] };
  }
  return {
    [name]: { ...objectOf(properties), ...about },
    [`${name}.Result`]: {
      description: "A row; with `aggregate`, the values of `group_by` and what was aggregated",
      allOf: [refTo("schemas", name)],
      propertyNames: {
        anyOf: [
          refTo("schemas", "AggregateName"),
          { type: "string", enum: Object.keys(properties) },
        ],
      },
    },
    [`${name}.Filter`]: filterSchema(visible, edges, name),
  };
}

/** A whole row, as a write answers it. A field that shows only in some rows may be absent. */
function writtenSchema({ visible }: RelationAccess): Json {
  return objectOf(
    Object.fromEntries(visible.fields.map(({ column }) => [column.name, outputSchema(column)])),
    visible.fields.filter(({ rows }) => rows === null).map(({ column }) => column.name),
  );
}

function keySchemaOf({ key }: RelationAccess): Json {
  const names = key.map((column) => column.name);
  return {
    ...objectOf(
      Object.fromEntries(key.map((column) => [column.name, outputSchema(column)])),
      names,
    ),
    description: "The key of a row that its writer may not read",
  };
}

function writes({ creates, updates }: RelationAccess): boolean {
  return creates !== null || updates !== null;
}

function answersRows(access: RelationAccess): boolean {
  return writes(access) && access.visible.fields.length > 0;
}

/** A writer without READ, or one whose filter leaves the row out, is told its key. */
function answersKeys(access: RelationAccess): boolean {
  const { fields, rows } = access.visible;
  return writes(access) && (fields.length === 0 || rows !== null);
}

/** What a write answers for one row. */
export function writtenRow(access: RelationAccess): Json {
  const row = refTo("schemas", `${access.name}.Written`);
  const key = refTo("schemas", `${access.name}.Key`);
  if (!answersKeys(access)) return row;
  return answersRows(access) ? { anyOf: [row, key] } : key;
}

function newSchema(fields: readonly WritableField[]): Json {
  return {
    ...objectOf(
      inputs(fields),
      fields.filter(({ required }) => required).map(({ column }) => column.name),
    ),
    additionalProperties: false,
  };
}

function changeSchema(fields: readonly WritableField[]): Json {
  return { ...objectOf(inputs(fields)), additionalProperties: false, minProperties: 1 };
}

function inputs(fields: readonly WritableField[]): Record<string, Json> {
  return Object.fromEntries(fields.map(({ column }) => [column.name, inputSchema(column)]));
}
