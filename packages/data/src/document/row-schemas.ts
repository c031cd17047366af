import { isDocument } from "@rowhouse/access";
import type { Column } from "@rowhouse/db";
import { inputSchema, type Json, objectOf, orNull, outputSchema, refTo } from "./column-schema.ts";
import { filterSchema } from "./filter-schemas.ts";
import type { RelationAccess, WritableField } from "./relation-access.ts";

/** The possible names of most fields, of aliases, and of aggregates and groups in a list. */
const memberName =
  "^(?:[^.]{1,63}|(?:count|count_distinct|sum|avg|min|max)_.+|.+_(?:year|quarter|month|week|day|hour|minute)|.+\\..+)$";
const memberForm = new RegExp(memberName, "u");

export const memberNameSchema: Json = { type: "string", pattern: memberName };

/** Numbers of related rows in place of the rows. */
export const numbersSchema: Json = {
  ...objectOf({
    count: { type: "integer" },
    // A page of rows has a list of this name.
    data: { type: ["string", "number", "boolean", "object", "null"] },
  }),
  additionalProperties: {},
  description:
    "Numbers of the related rows by the names of their results, such as `count` and `sum_price`, or by their aliases",
};

const rowNumber: Json = { type: "integer", minimum: 0 };

export const importedSchema: Json = objectOf(
  {
    data: objectOf({ inserted: rowNumber, updated: rowNumber, skipped: rowNumber }, [
      ...["inserted", "updated", "skipped"],
    ]),
    meta: objectOf({ dryRun: { type: "boolean" } }, ["dryRun"]),
  },
  ["data", "meta"],
);

/** Returns the schemas of a relation's rows, by component name. */
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
  // A Map, because a column may be named `__proto__`.
  const properties = new Map<string, Json>();
  for (const { column, rows } of visible.fields) {
    const schema = outputSchema(column);
    // A hidden field is absent from a row. As a `group_by` value it is null.
    properties.set(
      column.name,
      rows === null ? schema : { ...orNull(schema), "x-hidden-in-some-rows": true },
    );
  }
  for (const { name: edge, kind, target } of edges) {
    const related =
      kind === "ONE"
        ? orNull(refTo("schemas", `${target}.Result`))
        : refTo("schemas", `${target}.List`);
    const field = properties.get(edge);
    // If `fields` requests the relation, the related row replaces a column of the same name.
    properties.set(edge, field === undefined ? related : { anyOf: [field, related] });
  }
  const names = refTo("schemas", "MemberName");
  const others = [...properties.keys()].filter((each) => !memberForm.test(each));
  return {
    [name]: { ...objectOf(Object.fromEntries(properties)), ...about },
    [`${name}.Result`]: {
      description:
        "A row, in which an alias of `fields` names its member; with `aggregate`, the values of `group_by` and the aggregates",
      allOf: [refTo("schemas", name)],
      propertyNames:
        others.length === 0 ? names : { anyOf: [names, { type: "string", enum: others }] },
    },
    [`${name}.Filter`]: filterSchema(visible, edges, name),
  };
}

/** Describes the rows of a to-many relation, and all that a request can have in their place; `name` is their component. */
export function listSchema(name: string): Json {
  const rows = { type: "array", items: refTo("schemas", `${name}.Result`) };
  const page = objectOf({ data: rows, nextCursor: { type: "string" } }, ["data"]);
  return {
    description:
      "The related rows. With `cursor` in `deep`, a page of them; with numbers in `fields`, such as `trips.count`, an object of these, or with `group_by` in `deep` a list of groups",
    anyOf: [rows, page, refTo("schemas", "Numbers")],
  };
}

/** Describes the whole row that a write returns. A field that is visible in some rows only may be absent. */
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
    description: "The key of a row that the writer may not read",
  };
}

/** A deletion returns rows too, for `Prefer: return=representation`. */
function writes({ creates, updates, deletes }: RelationAccess): boolean {
  return creates !== null || updates !== null || deletes;
}

function answersRows(access: RelationAccess): boolean {
  return writes(access) && access.visible.fields.length > 0;
}

/** A write returns only the key if the caller has no READ grant or if the row filter hides the row. */
function answersKeys(access: RelationAccess): boolean {
  const { fields, rows } = access.visible;
  return writes(access) && (fields.length === 0 || rows !== null);
}

/** Returns the schema of one row in the response of a write. */
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
  const properties = Object.fromEntries(
    fields.map(({ column }) => [column.name, changeInput(column)]),
  );
  return { ...objectOf(properties), additionalProperties: false, minProperties: 1 };
}

function changeInput(column: Column): Json {
  const schema = inputSchema(column);
  if (!isDocument(column.type)) return schema;
  const about =
    'A document, or a change of its parts: `{"$set": {"seats": 5, "engine.kw": 90}, "$unset": ["color"]}`. `{"$value": …}` stores a document of this form';
  const { description } = schema;
  return {
    ...schema,
    description: description === undefined ? about : `${description}\n\n${about}`,
  };
}

function inputs(fields: readonly WritableField[]): Record<string, Json> {
  return Object.fromEntries(fields.map(({ column }) => [column.name, inputSchema(column)]));
}

/** Returns the schema of a change in the history of a row. */
export function historyEntrySchema(fields: readonly string[]): Json {
  const id: Json = { type: "string", format: "uuid" };
  const idOrNull: Json = { type: ["string", "null"], format: "uuid" };
  const by = objectOf({ id, name: { type: ["string", "null"] } }, ["id", "name"]);
  const change = objectOf({ field: { type: "string", enum: fields }, old: {}, new: {} }, [
    ...["field", "old", "new"],
  ]);
  const members: Record<string, Json> = {
    id,
    at: { type: "string", format: "date-time" },
    action: { type: "string", enum: ["CREATE", "UPDATE", "DELETE"] },
    by: {
      description: "The user; the name only if the caller may read it in `system.users`",
      anyOf: [by, { type: "null" }],
    },
    tokenId: idOrNull,
    runId: idOrNull,
    requestId: { type: ["string", "null"] },
    changes: { type: "array", items: change },
  };
  return objectOf(members, Object.keys(members));
}
