import type { Column } from "@rowhouse/db";
import { requestIdHeader } from "@rowhouse/errors";
import { upsertKeys } from "../authorize/authorize-write.ts";
import { countHeader } from "../render/render-response.ts";
import { type Json, jsonContent, keySchema, objectOf, refTo } from "./column-schema.ts";
import type { ErrorAnswers, Verb } from "./operation-errors.ts";
import { conflictParameter, whereParameter } from "./parameters.ts";
import type { RelationAccess } from "./relation-access.ts";
import { historyEntrySchema, writtenRow } from "./row-schemas.ts";

/**
 * Returns the operations of a relation by path and method.
 *
 * @param exports whether they describe files besides JSON
 */
export function operationsOf(
  access: RelationAccess,
  errors: ErrorAnswers,
  exports: boolean,
): Record<string, Record<string, Json>> {
  const { relation, reads, history, creates, updates, deletes, key } = access;
  const { schema, name, resource } = relation;
  const kind = resource.kind === "VIEW" ? "view" : "table";
  const rows = `/api/${encodeURIComponent(schema)}/${kind}/${encodeURIComponent(name)}`;
  const many: Record<string, Json> = {};
  const one: Record<string, Json> = {};
  const query: Record<string, Json> = {};
  const describe = new OperationWriter(access, errors, exports);
  if (reads) {
    many.get = describe.list();
    query.post = describe.query();
    one.get = describe.read();
  }
  if (creates !== null) many.post = describe.create();
  if (updates !== null) {
    one.patch = describe.update();
    many.patch = describe.updateMany();
  }
  if (deletes) {
    one.delete = describe.remove();
    many.delete = describe.removeMany();
  }
  const isRow = resource.kind === "TABLE" && key.length > 0 && Object.keys(one).length > 0;
  return {
    ...(Object.keys(many).length === 0 ? {} : { [rows]: many }),
    ...(reads ? { [`${rows}/query`]: query } : {}),
    ...(isRow ? { [`${rows}/{id}`]: one } : {}),
    ...(history ? { [`${rows}/{id}/history`]: { get: describe.history() } } : {}),
  };
}

/** The paths of the to-many relations that have more rows than the response includes. */
const moreSchema: Json = { type: "array", items: { type: "string" } };

/** A file of an import or an export. */
const fileContent: Json = {
  "text/csv": { schema: { type: "string" } },
  "application/x-ndjson": { schema: { type: "string" } },
};

const countHeaders = (description: string): Record<string, Json> => ({
  [countHeader]: { description, schema: { type: "integer" } },
});

const tagHeader = (description: string): Record<string, Json> => ({
  ETag: { description, schema: { type: "string" } },
});

const shared = (...names: string[]): Json[] => names.map((name) => refTo("parameters", name));

const importParameters = [
  "DryRun",
  "DateFormat",
  "BooleanFormat",
  "Decimal",
  "Delimiter",
  "Encoding",
  "References",
  "Heads",
];

/**
 * Returns one schema for the values of a composite key. Validators and generators of OpenAPI reject or misread
 * `prefixItems` without `items` and with it, so an extension has the schema of each value.
 */
function keyItems(key: readonly Column[]): Json {
  const schemas = key.map(keySchema);
  const [first = {}] = schemas;
  if (new Set(schemas.map((schema) => JSON.stringify(schema))).size === 1) return first;
  const types = [...new Set(schemas.map(({ type }) => type))];
  return { type: types.length === 1 ? types[0] : types };
}

/** Describes the operations of one relation. */
class OperationWriter {
  readonly #access: RelationAccess;
  readonly #errors: ErrorAnswers;
  readonly #exports: boolean;

  constructor(access: RelationAccess, errors: ErrorAnswers, exports: boolean) {
    this.#access = access;
    this.#errors = errors;
    this.#exports = exports;
  }

  list(): Json {
    const { name, edges } = this.#access;
    return this.#operation("list", this.#listed(), {
      parameters: [
        ...shared("Fields"),
        whereParameter(refTo("schemas", `${name}.Filter`), false),
        ...shared("Search", "OrderBy", "Limit", "Offset", "Cursor", "Count", "Aggregate"),
        ...shared("GroupBy", "Labels", "Having"),
        ...(edges.some(({ kind }) => kind === "MANY") ? shared("Deep") : []),
        ...(this.#exports ? shared("References", "Heads") : []),
        ...this.#listHeaders(),
        ...shared("IfNoneMatch"),
      ],
      success: {
        200: this.#rows(),
        304: this.#nothing("The response has one of the tags of `If-None-Match`"),
      },
    });
  }

  query(): Json {
    const parts = {
      allOf: [
        refTo("schemas", "Query"),
        objectOf({ where: refTo("schemas", `${this.#access.name}.Filter`) }),
      ],
    };
    return this.#operation("query", `${this.#listed()}, with a body`, {
      parameters: this.#listHeaders(),
      body: parts,
      success: { 200: this.#rows() },
    });
  }

  #listed(): string {
    return this.#exports ? "List, count, aggregate or export" : "List, count or aggregate";
  }

  #listHeaders(): Json[] {
    const isTable = this.#access.relation.resource.kind === "TABLE";
    return shared(...(isTable ? ["PreferEtags"] : []), "TimeZone");
  }

  #rows(): Json {
    const answer = objectOf(
      {
        data: { type: "array", items: refTo("schemas", `${this.#access.name}.Result`) },
        meta: objectOf({
          count: { type: "integer" },
          nextCursor: { type: "string" },
          etags: { type: "array", items: { type: "string" } },
          more: moreSchema,
        }),
      },
      ["data"],
    );
    return {
      description: this.#exports
        ? "The rows, or the aggregates of them; as a file if `Accept` asks for one"
        : "The rows, or the aggregates of them",
      headers: { ...countHeaders("The number of matching rows, with `count`"), ...requestIdHeader },
      content: {
        ...jsonContent(answer),
        ...(this.#exports ? fileContent : {}),
      },
    };
  }

  read(): Json {
    const { name, edges } = this.#access;
    const row = refTo("schemas", `${name}.Result`);
    return this.#operation("read", "Read a row", {
      parameters: [
        this.#id(),
        ...shared("Fields"),
        ...(edges.some(({ kind }) => kind === "MANY") ? shared("Deep") : []),
        ...shared("IfNoneMatch", "TimeZone"),
      ],
      success: {
        200: {
          description: "The row",
          headers: {
            ...tagHeader("The tag of the row, for `If-Match`"),
            ...requestIdHeader,
          },
          content: jsonContent(
            objectOf({ data: row, meta: objectOf({ more: moreSchema }) }, ["data"]),
          ),
        },
        304: this.#nothing("The response has one of the tags of `If-None-Match`"),
      },
    });
  }

  history(): Json {
    const fields = this.#access.visible.fields.map(({ column }) => column.name);
    const meta = objectOf({ nextCursor: { type: "string" } });
    return this.#operation("history", "List the changes of a row, newest first", {
      parameters: [this.#id(), ...shared("Limit", "Cursor")],
      success: {
        200: {
          description: "The changes that the caller may see",
          headers: requestIdHeader,
          content: jsonContent(
            objectOf({ data: { type: "array", items: historyEntrySchema(fields) }, meta }, [
              "data",
            ]),
          ),
        },
      },
    });
  }

  create(): Json {
    const { name, relation, creates, updates } = this.#access;
    const row = refTo("schemas", `${name}.New`);
    const writable = new Set(creates?.map(({ column }) => column.name));
    const keys = upsertKeys(relation)
      .map(({ columns }) => columns)
      .filter((columns) => columns.every((column) => writable.has(column)));
    const resolution =
      updates === null
        ? { name: "resolution", in: "query", schema: { type: "string", enum: ["ignore"] } }
        : refTo("parameters", "Resolution");
    const answered = writtenRow(this.#access);
    const imported = refTo("schemas", "Imported");
    const summary = "Create a row or a list of rows";
    return this.#operation(
      "create",
      this.#exports ? `${summary}, or the rows of a file` : summary,
      {
        parameters: [
          ...(keys.length === 0 ? [] : [conflictParameter(keys), resolution]),
          ...(this.#exports ? shared(...importParameters) : []),
          ...shared("Prefer", "IdempotencyKey", "TimeZone"),
        ],
        body: { anyOf: [row, { type: "array", items: row, minItems: 1 }] },
        takesFile: this.#exports,
        success: {
          ...(this.#exports && {
            200: {
              description:
                "A file with `dry_run=true`: the numbers of its rows; nothing was created",
              headers: requestIdHeader,
              content: jsonContent(imported),
            },
          }),
          201: {
            description: this.#exports
              ? "The row, the rows in the order sent, or the numbers of a file's rows"
              : "The row, or the rows in the order sent",
            headers: {
              ...tagHeader("The tag of the one row, for `If-Match`, if the caller may read it"),
              ...requestIdHeader,
            },
            content: jsonContent({
              anyOf: [
                objectOf({ data: answered }, ["data"]),
                objectOf({ data: { type: "array", items: answered } }, ["data"]),
                ...(this.#exports ? [imported] : []),
              ],
            }),
          },
          204: this.#nothing(
            "`Prefer: return=minimal`, or no row was created because its key exists (`resolution=ignore`)",
          ),
        },
      },
    );
  }

  update(): Json {
    return this.#operation("update", "Change a row", {
      parameters: [this.#id(), ...shared("IfMatch", "Prefer", "IdempotencyKey", "TimeZone")],
      body: refTo("schemas", `${this.#access.name}.Change`),
      success: {
        200: this.#answer("The updated row", writtenRow(this.#access), {
          ...tagHeader("The tag of the updated row, for `If-Match`, if the caller may read it"),
        }),
        204: this.#nothing("`Prefer: return=minimal`"),
      },
    });
  }

  updateMany(): Json {
    const { name } = this.#access;
    const rows = { type: "array", items: writtenRow(this.#access) };
    const meta = objectOf({ count: { type: "integer" } }, ["count"]);
    return this.#operation("updateMany", "Change the rows that match a filter", {
      parameters: [this.#where(), ...shared("MaxAffected", "Prefer", "TimeZone")],
      body: refTo("schemas", `${name}.Change`),
      success: {
        200: {
          description: "The updated rows",
          headers: { ...countHeaders("The number of updated rows"), ...requestIdHeader },
          content: jsonContent(objectOf({ data: rows, meta }, ["data", "meta"])),
        },
        204: this.#nothing("`Prefer: return=minimal`", "The number of updated rows"),
      },
    });
  }

  remove(): Json {
    return this.#operation("delete", "Delete a row", {
      parameters: [this.#id(), ...shared("IfMatch", "PreferDeleted", "IdempotencyKey", "TimeZone")],
      success: {
        200: this.#answer(
          "The deleted row, for `Prefer: return=representation`",
          writtenRow(this.#access),
        ),
        204: this.#nothing("The row was deleted"),
      },
    });
  }

  removeMany(): Json {
    const rows = { type: "array", items: writtenRow(this.#access) };
    const meta = objectOf({ count: { type: "integer" } }, ["count"]);
    return this.#operation("deleteMany", "Delete the rows that match a filter", {
      parameters: [this.#where(), ...shared("MaxAffected", "PreferDeleted", "TimeZone")],
      success: {
        200: {
          description: "The deleted rows, for `Prefer: return=representation`",
          headers: { ...countHeaders("The number of deleted rows"), ...requestIdHeader },
          content: jsonContent(objectOf({ data: rows, meta }, ["data", "meta"])),
        },
        204: this.#nothing("The rows were deleted", "The number of deleted rows"),
      },
    });
  }

  /**
   * Describes `where` for writes. A caller without READ cannot filter by any field, but the parameter is still
   * required.
   */
  #where(): Json {
    const { name, visible, reads } = this.#access;
    if (reads) return whereParameter(refTo("schemas", `${name}.Filter`), true);
    const description =
      visible.fields.length === 0
        ? "A filter as JSON; without READ it can name no field"
        : "A filter on readable fields, as JSON";
    return { ...whereParameter({ type: "object", additionalProperties: true }, true), description };
  }

  #id(): Json {
    const { key } = this.#access;
    const [only] = key;
    if (only !== undefined && key.length === 1) {
      return { name: "id", in: "path", required: true, schema: keySchema(only) };
    }
    return {
      name: "id",
      in: "path",
      required: true,
      description:
        "The values of the key in the order of its columns, each percent-encoded, separated by commas",
      style: "simple",
      schema: {
        type: "array",
        items: keyItems(key),
        minItems: key.length,
        maxItems: key.length,
        "x-values": key.map(keySchema),
      },
    };
  }

  #answer(description: string, data: Json, headers: Readonly<Record<string, Json>> = {}): Json {
    const content = jsonContent(objectOf({ data }, ["data"]));
    return { description, headers: { ...headers, ...requestIdHeader }, content };
  }

  #nothing(description: string, count?: string): Json {
    const headers = count === undefined ? {} : countHeaders(count);
    return { description, headers: { ...headers, ...requestIdHeader } };
  }

  #operation(
    verb: Verb,
    summary: string,
    parts: {
      readonly parameters: readonly Json[];
      readonly body?: Json;
      /** Whether the body may also be a CSV or NDJSON file. */
      readonly takesFile?: boolean;
      readonly success: Readonly<Record<number, Json>>;
    },
  ): Json {
    const { name, relation } = this.#access;
    return {
      operationId: `${name}.${verb}`,
      summary,
      tags: [operationTagOf(relation)],
      parameters: parts.parameters,
      ...(parts.body === undefined
        ? {}
        : {
            requestBody: {
              required: true,
              content: {
                ...jsonContent({
                  ...objectOf({ data: parts.body }, ["data"]),
                  additionalProperties: false,
                }),
                ...(parts.takesFile === true ? fileContent : {}),
              },
            },
          }),
      responses: {
        ...parts.success,
        ...this.#errors.of(verb),
      },
    };
  }
}

/** Returns the OpenAPI tag that groups the operations of a relation. */
export function operationTagOf({
  schema,
  name,
}: {
  readonly schema: string;
  readonly name: string;
}): string {
  return `${schema}.${name}`;
}
