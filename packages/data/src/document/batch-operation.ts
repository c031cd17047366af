import { requestIdHeader } from "@rowhouse/errors";
import { batchMax } from "../parse/parse-batch.ts";
import { type Json, jsonContent, objectOf, refTo } from "./json.ts";
import type { ErrorAnswers } from "./operation-errors.ts";

export const batchTag = { name: "Batch", description: "Several writes in one transaction" };

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
export function batchOperation(errors: ErrorAnswers): Record<string, Json> {
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
