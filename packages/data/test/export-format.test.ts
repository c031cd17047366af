import { describe, expect, it } from "vitest";
import { csvWriter, ndjsonWriter } from "../src/export/export-body.ts";
import { readCsv } from "./exporter.ts";

describe("a line", () => {
  const column = (name: string) => ({ head: name, holdsText: true });

  it("a column name is escaped like a value", () => {
    expect(csvWriter([column("=a"), column("b,c")]).head).toBe(`"'=a","b,c"\r\n`);
  });

  it("a row with one null field is still a line", () => {
    const writer = csvWriter([column("a")]);
    expect(writer.write([null])).toBe('""\r\n');
    expect(readCsv(writer.head + writer.write([null]))).toHaveLength(2);
  });

  it("the output parses back to the same cells under RFC 4180", () => {
    const rows = [
      ["a", 'b"c', "d,e\r\nf"],
      [null, "", " "],
      ["x", null, null],
    ];
    const writer = csvWriter([column("p"), column("q"), column("r")]);
    expect(readCsv(rows.map((row) => writer.write(row)).join(""))).toEqual(rows);
  });

  it("a JSON object is one line, whatever white space it contains", () => {
    expect(ndjsonWriter.write(['{"a":{\r\n"b":1}}'])).toBe('{"a":{"b":1}}\n');
  });
});
