import { describe, expect, it } from "vitest";
import { type CheckedAnswer, createAnswerCheck } from "../src/index.ts";
import { createSchemaValidators } from "../src/openapi/answer-check.ts";

const json = (schema: object) => ({
  description: "x",
  content: { "application/json": { schema } },
});
const document = {
  openapi: "3.1.0",
  paths: {
    "/things": {
      get: {
        responses: {
          200: json({
            type: "object",
            required: ["data"],
            properties: {
              data: { type: "array", items: { $ref: "#/components/schemas/Thing" } },
              named: { $ref: "#/components/schemas/Named" },
            },
          }),
          409: { $ref: "#/components/responses/CONFLICT" },
        },
      },
    },
    "/things/{id}": { delete: { responses: { 204: { description: "gone" } } } },
  },
  components: {
    responses: {
      CONFLICT: json({
        allOf: [
          { $ref: "#/components/schemas/Fault" },
          { type: "object", properties: { code: { enum: ["CONFLICT"] } } },
        ],
      }),
    },
    schemas: {
      Thing: {
        type: "object",
        required: ["id"],
        properties: { id: { type: "integer" }, at: { type: "string", format: "date-time" } },
      },
      Named: {
        allOf: [{ $ref: "#/components/schemas/Thing" }],
        propertyNames: { pattern: "^[a-z]+$" },
      },
      Fault: { type: "object", properties: { code: { type: "string" } } },
    },
  },
};
const { check } = createAnswerCheck(document, { formats: true });
const answer = (given: Partial<CheckedAnswer>) => () =>
  check({
    method: "GET",
    path: "/things?limit=1",
    status: 200,
    contentType: "application/json",
    text: "{}",
    ...given,
  });
const data = (...rows: object[]) => JSON.stringify({ data: rows });

describe("a check of responses against a document", () => {
  it("accepts a documented response", () => {
    answer({ text: data({ id: 1, at: "2026-01-31T09:00:00+00:00" }, { id: 2 }) })();
    answer({ status: 409, text: '{"code":"CONFLICT"}' })();
    answer({ method: "DELETE", path: "/things/7", status: 204, contentType: null, text: "" })();
    answer({ method: "PUT", path: "/nothing", status: 404 })();
    const text = '{"data":[],"named":{"id":1,"own":2}}';
    answer({ path: "/things?fields=own:id", text })();
    answer({ path: "/things?fields=own%3Aid", text })();
  });

  it.each([
    ["an undocumented field", { text: data({ id: 1, secret: 1 }) }, /unevaluated/],
    ["an undocumented field beside the data", { text: '{"data":[],"more":1}' }, /unevaluated/],
    [
      "a name that the request did not choose",
      { text: '{"data":[],"named":{"id":1,"own":2}}' },
      /unevaluated/,
    ],
    [
      "a name of another form",
      { path: "/things?fields=OWN:id", text: '{"data":[],"named":{"id":1,"OWN":2}}' },
      /property name/,
    ],
    ["a missing field", { text: data({}) }, /required property 'id'/],
    ["another type", { text: data({ id: "1" }) }, /must be integer/],
    ["another format", { text: data({ id: 1, at: "today" }) }, /format/],
    ["another status", { status: 201 }, /a status that the operation does not have/],
    ["another code", { status: 409, text: '{"code":"NOT_FOUND"}' }, /allowed values/],
    ["more than a code", { status: 409, text: '{"code":"CONFLICT","sql":""}' }, /unevaluated/],
    ["another media type", { contentType: "text/html" }, /has the type text\/html/],
    ["an unknown path", { path: "/nothing" }, /not an operation of the document/],
    ["an unknown method", { method: "POST" }, /not an operation of the document/],
    ["a body of 204", { method: "DELETE", path: "/things/7", status: 204 }, /should have none/],
  ] as const)("refuses %s", (_what, given, message) => {
    expect(answer(given)).toThrow(message);
  });
});

describe("the validators of several documents", () => {
  const things = (validators: ReturnType<typeof createSchemaValidators>, schemas: object = {}) =>
    createAnswerCheck(
      {
        ...document,
        info: { title: JSON.stringify(schemas) },
        components: {
          ...document.components,
          schemas: { ...document.components.schemas, ...schemas },
        },
      },
      { formats: true, validators },
    ).check({
      method: "GET",
      path: "/things",
      status: 200,
      contentType: "application/json",
      text: data({ id: 1 }),
    });

  it("are compiled once for the same schema of an operation with the same components", () => {
    const validators = createSchemaValidators();
    things(validators);
    things(validators, { Fault: { type: "string" }, Other: { type: "object" } });
    expect(validators.compiled).toBe(1);
  });

  it("are compiled again for a component that differs and that a component of the operation reaches", () => {
    const validators = createSchemaValidators();
    things(validators);
    const Thing = { allOf: [{ $ref: "#/components/schemas/Base" }] };
    const integers = { type: "object", properties: { id: { type: "integer" } } };
    things(validators, { Thing, Base: integers });
    const texts = { type: "object", properties: { id: { type: "string" } } };
    expect(() => things(validators, { Thing, Base: texts })).toThrow(/must be string/);
    expect(validators.compiled).toBe(3);
  });

  it("contain no component that the response does not reach", () => {
    const validators = createSchemaValidators();
    things(validators, { Unreached: { type: "no type", $ref: "#/components/schemas/Missing" } });
    expect(() => things(validators, { Thing: { $ref: "#/components/schemas/Missing" } })).toThrow(
      "The document has no component #/components/schemas/Missing",
    );
  });
});
