import { readJson } from "@rowhouse/client";
import { expect, it } from "vitest";
import { diffJson } from "../../src/workflows/run-tree/json-diff.ts";

it("differences of two values are named by their path, digits included", () => {
  const before = readJson('{"a":{"b":9007199254740993},"list":[1,2],"gone":null}');
  const after = readJson('{"a":{"b":9007199254740992},"list":[1],"new":{"x":1}}');
  expect(diffJson(before, after).map(({ path }) => path)).toEqual(["a.b", "list.1", "new", "gone"]);
  expect(diffJson(before, before)).toEqual([]);
  expect(diffJson([1], { 0: 1 })).toEqual([{ path: "", before: [1], after: { 0: 1 } }]);
});
