import { expect, it } from "vitest";
import { LineCounter } from "../../../src/data/transfer/line-counter.ts";
import { fileName, fileSize } from "../../../src/ui/save-file.ts";

it("rows are counted in parts of any length, without line breaks between quotes", () => {
  const bytes = new TextEncoder().encode('a,b\r\n1,"x\ny"\r\n2,"""\n"""\r\n');
  for (const length of [1, 2, 5, bytes.length]) {
    const counter = new LineCounter("csv");
    for (let at = 0; at < bytes.length; at += length) counter.push(bytes.slice(at, at + length));
    expect(counter.rows).toBe(2);
  }
  const lines = new LineCounter("ndjson");
  lines.push(new TextEncoder().encode('{"a":"\\""}\n{"a":"x"}\n'));
  expect(lines.rows).toBe(2);
});

it("a file's name keeps letters of every script, and no sign that a system refuses", () => {
  expect(fileName('جدول "a/b"\u202e:', "csv")).toBe("جدول _a_b___.csv");
});

it("sizes stand in the unit that people read", () => {
  expect([0, 999, 1500, 2_500_000, 5e12].map((bytes) => fileSize(bytes))).toMatchObject([
    { number: 0, options: { unit: "byte" } },
    { number: 999, options: { unit: "byte" } },
    { number: 1.5, options: { unit: "kilobyte" } },
    { number: 2.5, options: { unit: "megabyte" } },
    { number: 5000, options: { unit: "gigabyte" } },
  ]);
});
