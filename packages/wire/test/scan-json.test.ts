import { expect, test } from "vitest";
import { scanJson } from "../src/index.ts";

test("depth and members are counted outside of strings", () => {
  expect(scanJson('{"a":[{"b:{[":1}],"c\\"}":2}')).toEqual({
    depth: 3,
    members: 3,
    unicodeEscapes: false,
  });
});

test("a million brackets are counted without a stack overflow", () => {
  expect(scanJson("[".repeat(1_000_000)).depth).toBe(1_000_000);
});

test("a text that is not JSON has a result too", () => {
  expect(scanJson('{"a').depth).toBe(1);
  expect(scanJson("").depth).toBe(0);
  expect(scanJson('"\\u0000"').unicodeEscapes).toBe(true);
});
