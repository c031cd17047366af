import type { Principal } from "@rowhouse/access";
import type { Snapshot } from "@rowhouse/db";
import { errorSchemas, requestIdHeader } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import { Visibility } from "../authorize/visible.ts";
import { batchMax } from "../parse/parse-batch.ts";
import { requestLimitsOf } from "../parse/parse-request.ts";
import { type Json, jsonContent, objectOf, refTo } from "./column-schema.ts";
import { conditionSchemas } from "./filter-schemas.ts";
import { ErrorAnswers } from "./operation-errors.ts";
import { operationsOf, operationTagOf } from "./operations.ts";
import { querySchema, sharedParameters } from "./parameters.ts";
import { accessOf, ComponentNames } from "./relation-access.ts";
import {
  importedSchema,
  listSchema,
  memberNameSchema,
  numbersSchema,
  rowSchemas,
} from "./row-schemas.ts";

/** The part of an OpenAPI document that describes rows. */
export interface DataDescription {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>;
    readonly parameters: Readonly<Record<string, Json>>;
    readonly responses: Readonly<Record<string, unknown>>;
  };
}

const inheritedNote =
  ". Its rows include those of inheriting tables, which may have the same keys, so no row has an id";

export interface DescribeOptions {
  /** Whether the operations have CSV and NDJSON besides JSON. */
  readonly exports: boolean;
}

/**
 * Describes the Data API for one principal: the exposed resources on which its roles have a grant, with the granted
 * actions and fields. The document names nothing else.
 */
export function describeData(
  snapshot: Snapshot,
  principal: Pick<Principal, "roleIds">,
  { exports }: DescribeOptions,
): DataDescription {
  const visibility = new Visibility(snapshot, principal);
  const limits = requestLimitsOf(settingsOf(snapshot));
  const shared = {
    ...conditionSchemas(),
    MemberName: memberNameSchema,
    Numbers: numbersSchema,
    Query: querySchema(limits),
    Imported: importedSchema,
  };
  const names = new ComponentNames([...Object.keys(shared), ...Object.keys(errorSchemas)]);
  names.nameAll(snapshot, visibility);
  const errors = new ErrorAnswers();
  const tags: { name: string; description: string }[] = [batchTag];
  const paths: Record<string, Record<string, Json>> = { "/api/batch": batchOperation(errors) };
  const schemas: Record<string, Json> = {};
  const lists: Record<string, Json> = {};
  for (const relation of snapshot.catalogue.relations) {
    const access = accessOf(relation, snapshot, visibility, names);
    if (access === undefined) continue;
    const { comment, resource } = relation;
    const kind = resource.kind === "VIEW" ? "A view" : "A table";
    const description = `${comment ?? kind}${relation.isInherited ? inheritedNote : ""}`;
    tags.push({ name: operationTagOf(relation), description });
    Object.assign(paths, operationsOf(access, errors, exports));
    Object.assign(schemas, rowSchemas(access));
    lists[`${access.name}.List`] = listSchema(access.name);
  }
  const text = JSON.stringify([paths, schemas]);
  Object.assign(schemas, usedComponents("schemas", { ...shared, ...lists }, text));
  const parameters = sharedParameters(limits);
  return {
    tags,
    paths,
    components: {
      schemas,
      parameters: usedComponents("parameters", parameters, text),
      responses: errors.responses,
    },
  };
}

const batchTag = { name: "Batch", description: "Several writes in one transaction" };

const path: Json = {
  type: "string",
  description:
    "The path of the write with its query: `/api/fleet/table/trips/5`. `{0.id}` in place of a part of the key is a field of an earlier result",
};

const ifMatch: Json = {
  type: "string",
  description: "As the header `If-Match`: the row must have this entity tag",
};

const row: Json = {
  type: "object",
  additionalProperties: true,
  description: 'The value `{"$ref": "0.id"}` is a field of an earlier result',
};

const write: Json = {
  ...objectOf(
    {
      method: { type: "string", enum: ["POST", "PATCH", "DELETE"] },
      path,
      ifMatch,
      data: { anyOf: [row, { type: "array", items: row }] },
    },
    ["method", "path"],
  ),
  additionalProperties: false,
};

const answeredRow: Json = { type: "object", additionalProperties: true };

const result: Json = objectOf(
  {
    status: { type: "integer", enum: [200, 201, 204] },
    data: { anyOf: [answeredRow, { type: "array", items: answeredRow }] },
    meta: objectOf({ count: { type: "integer" } }),
    etag: { type: "string", description: "Of a written row, for `ifMatch` and `If-Match`" },
  },
  ["status"],
);

/** Returns `POST /api/batch`. Every caller has it; each write requires the rights of its own route. */
function batchOperation(errors: ErrorAnswers): Record<string, Json> {
  const answer = objectOf({ data: { type: "array", items: result } }, ["data"]);
  return {
    post: {
      operationId: "writeBatch",
      summary: "Run several writes in one transaction",
      description:
        "Each write requires and returns what its own route does. The paths of errors begin with the position of the write: `/data/3/data/plate`.",
      tags: [batchTag.name],
      parameters: ["Prefer", "IdempotencyKey", "TimeZone"].map((name) => refTo("parameters", name)),
      requestBody: {
        required: true,
        content: jsonContent({
          ...objectOf({ data: { type: "array", items: write, minItems: 1, maxItems: batchMax } }, [
            "data",
          ]),
          additionalProperties: false,
        }),
      },
      responses: {
        200: {
          description: "The results of the writes in their order",
          headers: requestIdHeader,
          content: jsonContent(answer),
        },
        ...errors.of("batch"),
      },
    },
  };
}

type Named = Readonly<Record<string, Json>>;

/**
 * Returns the shared components that `text` (JSON) or another used component refers to. Searching the text is thirty
 * times as fast as walking the tree, which can have millions of values.
 */
function usedComponents(kind: string, components: Named, text: string): Named {
  const used: Record<string, Json> = {};
  const waiting = referencesIn(kind, text);
  for (const name of waiting) {
    const component = components[name];
    if (component === undefined || name in used) continue;
    used[name] = component;
    for (const inner of referencesIn(kind, JSON.stringify(component))) waiting.add(inner);
  }
  return used;
}

function referencesIn(kind: string, text: string): Set<string> {
  const form = new RegExp(`"\\$ref":"#/components/${kind}/([A-Za-z0-9._-]+)"`, "g");
  return new Set(Array.from(text.matchAll(form), ([, name = ""]) => name));
}
