import { describe, expect, it } from "vitest";
import { CsvReader, type CsvRecord, countLineBreaks } from "../src/index.ts";

interface Read {
  readonly named: string | undefined;
  readonly records: readonly CsvRecord[];
}

/** Reads a file in parts of a length. */
function read(text: string, delimiter: string | null, length = text.length): Read {
  const reader = new CsvReader(delimiter);
  const records: CsvRecord[] = [];
  for (let at = 0; at < text.length; at += length) {
    records.push(...reader.push(text.slice(at, at + length), false));
  }
  records.push(...reader.push("", true));
  return { named: reader.namedDelimiter, records };
}

/** Returns what all lengths of the parts have in common, and fails if they differ. */
function readAnyParts(text: string, delimiter: string | null = null): Read {
  const whole = read(text, delimiter);
  for (const length of [1, 2, 3, 7]) expect(read(text, delimiter, length)).toEqual(whole);
  return whole;
}

const cellsOf = ({ records }: Read) => records.map(({ cells }) => cells);
const linesOf = ({ records }: Read) => records.map(({ line }) => line);

describe("a file of CSV, in parts of any length,", () => {
  it("has the records of RFC 4180, with null for an empty cell without quotes", () => {
    const { records } = readAnyParts('a;"b\n;""x"""\r\n\r\n1;2\n"";\n;3', ";");
    expect(records).toEqual([
      { line: 1, cells: ["a", 'b\n;"x"'] },
      { line: 4, cells: ["1", "2"] },
      { line: 5, cells: ["", null] },
      { line: 6, cells: [null, "3"] },
    ]);
  });

  it("ends its lines with CRLF, LF or CR, also in turn, and keeps each within quotes", () => {
    const rows = ["a,b", '1,"x\ry\r\nz\n"', "2,", '"",3'];
    const expected = [
      ["a", "b"],
      ["1", "x\ry\r\nz\n"],
      ["2", null],
      ["", "3"],
    ];
    for (const end of ["\r", "\n", "\r\n"]) {
      for (const last of ["", end]) {
        const file = readAnyParts(rows.join(end) + last);
        expect(cellsOf(file)).toEqual(expected);
        expect(linesOf(file)).toEqual([1, 2, 6, 7]);
      }
    }
    const mixed = readAnyParts("a,b\r\n1,x\r2,y\n\r\n3,z\r\r4,w\r\r\n5,v");
    expect(cellsOf(mixed).map((cells) => cells?.[0])).toEqual(["a", "1", "2", "3", "4", "5"]);
    expect(linesOf(mixed)).toEqual([1, 2, 3, 5, 7, 9]);
  });

  it("has one malformed record for each line with a misplaced quote, and goes on behind it", () => {
    for (const end of ["\r", "\n", "\r\n"]) {
      const rows = ["a,b", '1,x"y,z', '"2"x,"', "3,4", '5,"6'];
      const { records } = readAnyParts(rows.join(end));
      expect(records).toEqual([
        { line: 1, cells: ["a", "b"] },
        { line: 2, cells: null, text: '1,x"y,z' },
        { line: 3, cells: null, text: '"2"x,"' },
        { line: 4, cells: ["3", "4"] },
        { line: 5, cells: null, text: '5,"6' },
      ]);
    }
  });
});

describe("the first line of Excel", () => {
  it("names the delimiter, in any case, with quotes or the tab as two signs", () => {
    const cases: readonly (readonly [string, string])[] = [
      ...[["sep=;", ";"] as const, ["SEP=,", ","] as const, ["sep=\t", "\t"] as const],
      ...[["sep=\\t", "\t"] as const, ['"sep=|"', "|"] as const],
    ];
    for (const [line, sign] of cases) {
      for (const end of ["\r", "\n", "\r\n"]) {
        const file = readAnyParts(`${line}${end}a${sign}b${end}1${sign}2`);
        expect(file.named).toBe(sign);
        expect(cellsOf(file)).toEqual([
          ["a", "b"],
          ["1", "2"],
        ]);
        expect(linesOf(file)).toEqual([2, 3]);
      }
    }
  });

  it("is reported and not used if the delimiter is chosen, or is no possible one", () => {
    const chosen = readAnyParts("sep=;\na,b;c\n", ",");
    expect([chosen.named, cellsOf(chosen)]).toEqual([";", [["a", "b;c"]]]);
    const impossible = readAnyParts("sep=:\na,b:c\n");
    expect([impossible.named, cellsOf(impossible)]).toEqual([":", [["a", "b:c"]]]);
  });

  it("is a header in any other form, and anywhere else", () => {
    for (const line of ["sep=", "sep=;;", "xsep=;", "sep =;", '"sep=;', "separator=;"]) {
      expect([line, readAnyParts(`${line}\na\n`).named]).toEqual([line, undefined]);
    }
    expect(cellsOf(readAnyParts("a\nsep=;\n"))).toEqual([["a"], ["sep=;"]]);
    expect(readAnyParts("\nsep=;\na").named).toBe(undefined);
    expect(readAnyParts("sep=;")).toEqual({ named: ";", records: [] });
    expect(readAnyParts("")).toEqual({ named: undefined, records: [] });
  });
});

it("line ends are counted once if a part ends within a CRLF", () => {
  const text = "a\r\nb\rc\n\r\n\r\r\n";
  expect(countLineBreaks(text)).toBe(6);
  for (let at = 0; at <= text.length; at += 1) {
    const [first, second] = [text.slice(0, at), text.slice(at)];
    expect(countLineBreaks(first) + countLineBreaks(second, first)).toBe(6);
  }
});
