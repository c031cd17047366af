import { parseJson } from "@rowhouse/client";
import { expect, it } from "vitest";
import { diffJson } from "../../src/workflows/run-tree/json-diff.ts";
import { prettyJson } from "../../src/workflows/run-tree/pretty-json.ts";

it("differences of two values are named by their path, digits included", () => {
  const before = parseJson('{"a":{"b":9007199254740993},"list":[1,2],"gone":null}');
  const after = parseJson('{"a":{"b":9007199254740992},"list":[1],"new":{"x":1}}');
  expect(diffJson(before, after).map(({ path }) => path)).toEqual(["a.b", "list.1", "new", "gone"]);
  expect(diffJson(before, before)).toEqual([]);
  expect(diffJson([1], { 0: 1 })).toEqual([{ path: "", before: [1], after: { 0: 1 } }]);
});

it("a value is written on lines with every digit", () => {
  const text = '{\n  "a": 9007199254740993.10,\n  "b": [],\n  "c": [\n    {},\n    null\n  ]\n}';
  expect(prettyJson(parseJson(text))).toBe(text);
});
