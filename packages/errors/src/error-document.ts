import { type ErrorCode, errorCodes, statusOf } from "./code.ts";

/** A JSON Schema, or a part of an OpenAPI document. */
type Json = Readonly<Record<string, unknown>>;

/** The schemas that a document's error responses refer to. */
export const errorSchemas: Readonly<Record<string, Json>> = {
  Fault: {
    type: "object",
    description: "One fault of a request",
    required: ["code", "message"],
    properties: {
      code: { type: "string", description: "Stable", enum: Object.keys(errorCodes) },
      message: { type: "string", description: "A sentence for a person" },
      path: {
        type: "string",
        description: "A JSON pointer into the body (`/data/plate`), or the query parameter as sent",
      },
      details: { type: "object", additionalProperties: true },
    },
  },
  ErrorMeta: {
    type: "object",
    required: ["requestId"],
    properties: {
      requestId: { type: "string", description: "Also in the header `X-Request-Id`" },
      run: { type: "string", description: "The run that continues after `WORKFLOW_SYNC_TIMEOUT`" },
      faults: {
        type: "object",
        description: "The faults of an import, of which `errors` has the first",
        required: ["count", "complete"],
        properties: {
          count: { type: "integer" },
          complete: { type: "boolean", description: "False if there may be further faults" },
        },
      },
    },
  },
};

/** Headers of responses with an error's status, and their descriptions. */
const headersOf: Readonly<Record<number, Json>> = {
  401: { "WWW-Authenticate": { schema: { type: "string" } } },
  405: { Allow: { description: "The methods that the path supports", schema: { type: "string" } } },
  429: { "Retry-After": { description: "Seconds", schema: { type: "string" } } },
  503: { "Retry-After": { description: "Seconds", schema: { type: "string" } } },
};

/** The codes by status, in the table's order. */
export function codesByStatus(codes: Iterable<ErrorCode>): ReadonlyMap<number, ErrorCode[]> {
  const wanted = new Set(codes);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of Object.keys(errorCodes) as ErrorCode[]) {
    if (!wanted.has(code)) continue;
    const status = statusOf(code);
    const known = byStatus.get(status);
    if (known === undefined) byStatus.set(status, [code]);
    else known.push(code);
  }
  return byStatus;
}

/** Returns the description of a response with one of these codes, which share a status. */
export function describeCodes(codes: readonly ErrorCode[]): string {
  return codes.map((code) => `\`${code}\`: ${errorCodes[code].title}`).join("\n\n");
}

const anyFault: Json = { $ref: "#/components/schemas/Fault" };

/** Returns the response object of a document for one of these codes, which share a status. */
function errorResponse(codes: readonly ErrorCode[], isMixed: boolean): Json {
  const [first] = codes;
  const headers = first === undefined ? undefined : headersOf[statusOf(first)];
  return {
    description: describeCodes(codes),
    headers: { ...headers, ...requestIdHeader },
    content: {
      "application/json": {
        schema: {
          type: "object",
          required: ["errors", "meta"],
          properties: {
            errors: {
              type: "array",
              minItems: 1,
              items: isMixed
                ? anyFault
                : {
                    allOf: [
                      anyFault,
                      { type: "object", properties: { code: { type: "string", enum: codes } } },
                    ],
                  },
            },
            meta: { $ref: "#/components/schemas/ErrorMeta" },
          },
        },
      },
    },
  };
}

/** The header of every response; a document has it among its components. */
export const requestIdHeader: Json = {
  "X-Request-Id": { $ref: "#/components/headers/RequestId" },
};

export const headerComponents: Readonly<Record<string, Json>> = {
  RequestId: {
    description:
      "Identifies the request in the service's log; a well-formed id of the caller is kept",
    schema: { type: "string" },
  },
};

/**
 * Returns a reference to the response for these codes, and adds it to the document's responses if it is missing.
 *
 * @param isMixed whether only the first fault has one of the codes, because the request has several parts
 */
export function referToError(
  codes: readonly ErrorCode[],
  responses: Record<string, unknown>,
  isMixed = false,
): { readonly $ref: string } {
  const name = `${codes.join(".")}${isMixed ? ".mixed" : ""}`;
  responses[name] ??= errorResponse(codes, isMixed);
  return { $ref: `#/components/responses/${name}` };
}
