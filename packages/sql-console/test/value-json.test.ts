import { describe, expect, it } from "vitest";
import { type ResultType, valueJson } from "../src/run-statements.ts";

const scalar = (name: string, base: string): ResultType => ({ name, base, element: null });
const types = {
  boolean: scalar("boolean", "16"),
  bytea: scalar("bytea", "17"),
  bigint: scalar("bigint", "20"),
  integer: scalar("integer", "23"),
  text: scalar("text", "25"),
  json: scalar("json", "114"),
  double: scalar("double precision", "701"),
  timestamp: scalar("timestamp without time zone", "1114"),
  timestamptz: scalar("timestamp with time zone", "1184"),
  box: scalar("box", "603"),
} as const;
const listOf = (type: ResultType, delimiter = ","): ResultType => ({
  ...{ name: `${type.name}[]`, base: "0" },
  element: { type, delimiter },
});

describe("valueJson", () => {
  it.each([
    ["null", types.integer, null, "null"],
    ["a boolean", types.boolean, "t", "true"],
    ["a boolean", types.boolean, "f", "false"],
    ["an integer", types.integer, "-7", "-7"],
    ["a bigint as text", types.bigint, "9007199254740993", '"9007199254740993"'],
    ["a double", types.double, "1e+20", "1e+20"],
    ["a double without a JSON form", types.double, "NaN", '"NaN"'],
    ["a document unchanged", types.json, '{"n": 1.50}', '{"n": 1.50}'],
    ["bytes as base64", types.bytea, "\\x00ff10", '"AP8Q"'],
    ["bytes of another output format", types.bytea, "\\000a", '"\\\\000a"'],
    ["a timestamp", types.timestamp, "2024-01-02 03:04:05.6", '"2024-01-02T03:04:05.6"'],
    [
      "a time with zone",
      types.timestamptz,
      "2024-01-02 03:04:05+02",
      '"2024-01-02T03:04:05+02:00"',
    ],
    [
      "a zone of minutes",
      types.timestamptz,
      "2024-01-02 03:04:05-03:30",
      '"2024-01-02T03:04:05-03:30"',
    ],
    ["a time without an ISO form", types.timestamp, "infinity", '"infinity"'],
    ["a text", types.text, 'a"b', '"a\\"b"'],
  ])("returns %s", (_, type, text, json) => {
    expect(valueJson(text, type)).toBe(json);
  });

  it.each([
    ["an empty array", types.integer, "{}", "[]"],
    ["numbers and null", types.integer, "{1,NULL,3}", "[1,null,3]"],
    ["quoted texts", types.text, '{"a,b","NULL","c\\"d\\\\",e}', '["a,b","NULL","c\\"d\\\\","e"]'],
    ["several dimensions", types.integer, "{{1,2},{3,4}}", "[[1,2],[3,4]]"],
    ["other bounds", types.integer, "[0:1]={1,2}", "[1,2]"],
    ["another form as text", types.integer, "1 2", '"1 2"'],
  ])("returns an array of %s", (_, type, text, json) => {
    expect(valueJson(text, listOf(type))).toBe(json);
  });

  it("splits an array at the delimiter of its type", () => {
    expect(valueJson("{(1,1),(0,0);(3,3),(2,2)}", listOf(types.box, ";"))).toBe(
      '["(1,1),(0,0)","(3,3),(2,2)"]',
    );
  });
});
