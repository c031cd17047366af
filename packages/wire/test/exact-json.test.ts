import { describe, expect, test } from "vitest";
import {
  exactNumberText,
  isExactNumber,
  isObject,
  keepDigits,
  parseExactJson,
  roundNumbers,
  writeExactJson,
} from "../src/index.ts";

test("a list, null and a number with digits that no double has are no objects", () => {
  const text = '[{}, {"a": 1}, [], null, "", 12345678901234567890, 1.50]';
  const values = parseExactJson(text) as unknown[];
  expect(values.map(isObject)).toEqual([true, true, false, false, false, false, false]);
});

describe("numbers", () => {
  test.each(["0", "-1", "0.1", "-0.5", "999999999999999", "9007199254740992"])(
    "%s becomes a plain number: a double represents it and formats it identically",
    (digits) => {
      expect(parseExactJson(`[${digits},1.50]`)).toEqual([Number(digits), expect.anything()]);
    },
  );
  test.each([
    "9007199254740993",
    "1.50",
    "1e400",
    "1E2",
    "-0",
    "0.1000000000000000055511151231257827",
  ])("%s keeps its digits and does not affect its neighbors", (digits) => {
    const [exact, beside] = parseExactJson(`[${digits},7]`) as [unknown, unknown];
    expect(exactNumberText(exact)).toBe(digits);
    expect(beside).toBe(7);
  });
  test.each([
    '{"a":[1.50,9007199254740993,{"b":-0}],"c":"1e5"}',
    '{"isLosslessNumber":true,"value":"1}"}',
    '[{"isLosslessNumber":true,"value":"42","toJSON":"x"},1.50]',
  ])("%s is formatted as it was read", (text) => {
    expect(writeExactJson(parseExactJson(text))).toBe(text);
  });
  test.each([
    "1.50",
    '{"a":[1e2,9007199254740993,{"b":-0,"c":null}],"d":"1.50"}',
    '[{"isLosslessNumber":true,"value":"42"},1e400,true]',
  ])("%s has the doubles of JSON.parse when rounded", (text) => {
    expect(roundNumbers(parseExactJson(text))).toEqual(JSON.parse(text));
  });
  test("an object that imitates an exact number is a plain object", () => {
    const [forged] = parseExactJson('[{"isLosslessNumber":true,"value":"1 or 1=1"},1.50]') as [
      unknown,
    ];
    expect(isExactNumber(forged)).toBe(false);
    expect(exactNumberText(forged)).toBeUndefined();
  });
});

test("the last value of a repeated key wins, also beside an exact number", () => {
  expect(parseExactJson('{"a":1,"a":2}')).toEqual({ a: 2 });
  expect(parseExactJson('{"a":1,"a":2,"n":0.5}')).toEqual({ a: 2, n: 0.5 });
});

test("a prototype key becomes an own key and changes no prototype", () => {
  for (const number of ["1", "1.50"]) {
    const value = parseExactJson(`{"__proto__":{"admin":true},"n":${number}}`) as object;
    expect(Object.keys(value)).toContain("__proto__");
    expect("admin" in value).toBe(false);
  }
});

test.each(["", "{", "[1.50", "{}{}", "01", "1.50 2", "NaN", "[1.5,]"])("%j is rejected", (text) => {
  expect(() => parseExactJson(text)).toThrow(SyntaxError);
});

describe("keepDigits", () => {
  test("keeps numbers that a double represents exactly and converts the others to text", () => {
    const sent = parseExactJson('[5,{"a":9007199254740993},1.50,"x",null]');
    expect(keepDigits(sent)).toEqual([5, { a: "9007199254740993" }, "1.50", "x", null]);
  });
});
