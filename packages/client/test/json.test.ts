import { generatedRuns } from "@rowhouse/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ExactNumber, readJson, writeJson } from "../src/index.ts";

const digits = fc.stringMatching(/^-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?$/);

/** The value of a JSON number as a fraction of integers. */
function fractionOf(text: string): readonly [numerator: bigint, denominator: bigint] {
  const [, sign, whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const scale = Number(exponent) - fraction.length;
  const value = BigInt(whole + fraction) * (sign === "-" ? -1n : 1n);
  return scale < 0 ? [value, 10n ** BigInt(-scale)] : [value * 10n ** BigInt(scale), 1n];
}

function haveEqualValues(a: string, b: string): boolean {
  const [[p, q], [r, s]] = [fractionOf(a), fractionOf(b)];
  return p * s === r * q;
}

describe("JSON", () => {
  it("a number keeps its value through parse and write, and is plain if a double has that value", () => {
    fc.assert(
      fc.property(digits, (text) => {
        const [value] = readJson(`[${text}]`) as [unknown];
        const written = writeJson({ value });
        expect(haveEqualValues(written.slice('{"value":'.length, -1), text)).toBe(true);
        const double = Number(text);
        const isDouble = Number.isFinite(double) && haveEqualValues(String(double), text);
        expect(typeof value).toBe(isDouble ? "number" : "object");
      }),
      { numRuns: generatedRuns(2000) },
    );
  });

  it("everything except numbers is as JSON.parse returns it", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(readJson(`{"exact":12345678901234567890,"rest":${text}}`)).toEqual({
          exact: new ExactNumber("12345678901234567890"),
          rest: JSON.parse(text),
        });
      }),
    );
  });

  it.each([
    String.raw`{"a":"\\","b":[12345678901234567890]}`,
    String.raw`{"a\"b":" : 12345678901234567890","c":{"d":-1e400}}`,
    String.raw`{"a":"\\\"12345678901234567890"}`,
    '{"__proto__":{"n":12345678901234567890},"constructor":1}',
  ])("digits beside and within strings stay apart: %s", (text) => {
    expect(writeJson(readJson(text))).toBe(text);
  });

  it("no text of a row becomes a number", () => {
    const mark = "0".repeat(32);
    const text = `{"a":"${mark}1","n":12345678901234567890}`;
    expect(readJson(text)).toMatchObject({ a: `${mark}1` });
  });

  it.each(["", "{", '{"a":"', "[12345678901234567890", '{"a":12345678901234567890 "b"}'])(
    "%j is a SyntaxError",
    (text) => {
      expect(() => readJson(text)).toThrow(SyntaxError);
    },
  );

  it("a number with many zeros takes linear time", () => {
    const text = `1${"0".repeat(500_000)}1`;
    expect(readJson(`[${text}]`)).toEqual([new ExactNumber(text)]);
  });

  it("an exact number survives writeJson, and JSON.stringify and JSON.parse of another library", () => {
    fc.assert(
      fc.property(digits, (text) => {
        const value = { list: [new ExactNumber(text)], other: "x" };
        const ours = writeJson(value);
        expect(ours).toBe(`{"list":[${text}],"other":"x"}`);
        expect(haveEqualValues(String((readJson(ours) as typeof value).list[0]), text)).toBe(true);
        const theirs = JSON.stringify(value);
        expect(readJson(theirs)).toEqual(value);
        expect(writeJson(JSON.parse(theirs))).toBe(ours);
        expect(writeJson(readJson(theirs))).toBe(ours);
      }),
    );
  });

  it.each([
    { "$rowhouse.exact": "1", other: 1 },
    { "$rowhouse.exact": "one" },
    { "$rowhouse.exact": 1 },
    { "$rowhouse.exact": '1","x":"' },
    { other: { $rowhouse: "1" } },
  ])("an object that only resembles an exact number stays an object: %j", (value) => {
    expect(JSON.parse(writeJson(value))).toEqual(value);
    expect(readJson(JSON.stringify(value))).toEqual(value);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])("%d is rejected and not written as null", (n) => {
    expect(() => writeJson({ data: { price: n } })).toThrow(TypeError);
  });

  it("only a JSON number is an exact number", () => {
    for (const text of ["", "1,2", "NaN", '1","x":"', "01", "+1", "1."]) {
      expect(() => new ExactNumber(text)).toThrow(TypeError);
    }
    expect(Number(new ExactNumber("1e3"))).toBe(1000);
  });
});
