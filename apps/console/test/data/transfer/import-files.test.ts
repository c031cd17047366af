import { CsvReader } from "@rowhouse/wire";
import { expect, it } from "vitest";
import { proposeForms, readCell } from "../../../src/records/files/cell-forms.ts";
import { guessMapping, missingColumns } from "../../../src/records/files/column-mapping.ts";
import { separatorOf } from "../../../src/records/files/csv-text.ts";
import { faultyCsv, placeFaults } from "../../../src/records/files/import-faults.ts";
import { readSource } from "../../../src/records/files/read-source.ts";
import { rewriteFile } from "../../../src/records/files/rewrite-file.ts";

const { signal } = new AbortController();
const fileOf = (text: string, name = "rows.csv") => new File([text], name);

it("the separator is the most frequent sign of the header outside of quotes", () => {
  expect([
    separatorOf("a,b\n"),
    separatorOf('"a,b,c";d;e'),
    separatorOf("a\tb"),
    separatorOf("a"),
  ]).toEqual([",", ";", "\t", ","]);
});

it("names map to columns by name, then by label without regard to case and signs, each once", () => {
  const columns = [
    { name: "odometer_km", label: "Odometer", required: false },
    { name: "plate", label: null, required: true },
    { name: "Plate", label: null, required: false },
  ];
  expect(guessMapping(["Odometer", "odometer km", "PLATE", "Plate", "x"], columns)).toEqual([
    "odometer_km",
    null,
    "plate",
    "Plate",
    null,
  ]);
  expect(missingColumns(["Plate", null], columns).map(({ name }) => name)).toEqual(["plate"]);
});

it("a file whose names are those of the columns is sent as it is", async () => {
  const source = await readSource(fileOf("a,b\n1,2\n"));
  expect(await rewriteFile(source, ["a", "b"], signal)).toBe(source.file);
});

it("a rewritten file keeps quotes, nulls and faulty rows, and has no column that is left out", async () => {
  const source = await readSource(fileOf('\ufeff"A\nx";b;c\n"";1,5;z\n;2;z\n1;2\n'));
  expect(source.names).toEqual(["A\nx", "b", "c"]);
  expect(source.rows[0]).toEqual(["", "1,5", "z"]);
  const written = await rewriteFile(source, ["a", "b,", null], signal);
  expect(await written.text()).toBe('a,"b,"\r\n"","1,5"\r\n,2\r\n1,2,\r\n');
  // The header of two lines, and the row with too few cells.
  const fault = { code: "BODY_INVALID", message: "x", path: "/2", details: { line: 4 } } as const;
  expect(await placeFaults(source, [fault])).toMatchObject([
    { place: { row: 2, line: 5, text: "1;2" } },
  ]);
});

it("a malformed row is refused in the rewritten file too, and the rows after it keep their numbers", async () => {
  const source = await readSource(fileOf('A;b\n1;x"y\n"2"z;y\n3;"w;\n4;v\n'));
  const written = await (await rewriteFile(source, ["a", "b"], signal)).text();
  const { length } = written;
  for (const parts of [1, 2, length]) {
    const reader = new CsvReader(null);
    const records = [];
    for (let at = 0; at < length; at += parts) {
      records.push(...reader.push(written.slice(at, at + parts), false));
    }
    records.push(...reader.push("", true));
    expect(records.slice(1).map(({ cells }) => cells)).toEqual([null, null, null, ["4", "v"]]);
  }
  const fault = { code: "BODY_INVALID", message: "x", path: "/2", details: { line: 4 } } as const;
  expect(await placeFaults(source, [fault])).toMatchObject([{ place: { line: 4, text: '3;"w;' } }]);
});

it("a file of Excel names its separator, which is then the only one, and ends its lines with CR or CRLF", async () => {
  for (const end of ["\r", "\r\n", "\n"]) {
    const source = await readSource(
      fileOf(["\ufeffsep=;", "a;b,c", '1;"x\ry"', "2;", ""].join(end)),
    );
    expect(source).toMatchObject({
      ...{ separator: ";", separators: [";"], names: ["a", "b,c"] },
      rows: [
        ["1", "x\ry"],
        ["2", ""],
      ],
    });
    const written = await rewriteFile(source, ["a", "b"], signal);
    expect(await written.text()).toBe('a,b\r\n1,"x\ry"\r\n2,\r\n');
    const fault = { code: "BODY_INVALID", message: "x", path: "/1", details: { line: 3 } } as const;
    expect(await placeFaults(source, [fault])).toMatchObject([{ place: { line: 5, text: "2;" } }]);
  }
  const unknown = await readSource(fileOf("sep=:\na,b\n1,2\n"));
  expect(unknown).toMatchObject({ separator: ",", names: ["a", "b"] });
  expect(unknown.separators).toHaveLength(4);
});

it("rows that are skipped are not sent, and faults of the others have their own row", async () => {
  const source = await readSource(fileOf("a,b\n1,x\n2,y\n3,z\n4,=w\n"));
  const rest = { ...source, skipped: new Set([0, 2]) };
  const written = await rewriteFile(rest, ["a", "b"], signal);
  expect(await written.text()).toBe("a,b\r\n2,y\r\n4,=w\r\n");
  const fault = { code: "BODY_INVALID", message: "x", path: "/1/b", details: { line: 3 } } as const;
  expect(await placeFaults(rest, [fault])).toMatchObject([{ place: { row: 3, line: 5 } }]);
});

it("the file of faulty rows has their cells, quoted where a spreadsheet would run them, and each reason", () => {
  const source = { format: "csv", names: ["a", "b", "c"] } as const;
  const place = { row: 4, line: 6, text: "", cells: ["-5", "=1+1"] };
  const rows = [{ place, reasons: ["a: too small", "b: no text"] }];
  expect(faultyCsv(source, rows, "reason")).toBe(
    '\ufeffa,b,c,reason\r\n-5,"\'=1+1",,"a: too small; b: no text"\r\n',
  );
});

it("a rewritten NDJSON file has every digit, and lines that are no object as they were", async () => {
  const lines = '{"A":12345678901234567890.12,"b":1}\n\nnonsense\n{"A":"x","other":2}\n';
  const source = await readSource(fileOf(lines, "rows.ndjson"));
  const written = await rewriteFile({ ...source, names: ["A", "b"] }, ["a", null], signal);
  expect(await written.text()).toBe(
    '{"a":12345678901234567890.12}\nnonsense\n{"a":"x","other":2}\n',
  );
});

it("a file shows its encoding and its separator, and is sent as UTF-8 with commas", async () => {
  const text = "name|city\nKöln|x\n";
  const latin = new File([Buffer.from(text, "latin1")], "rows.csv");
  const wide = new File([Buffer.from(`\ufeff${text}`, "utf16le").swap16()], "rows.csv");
  for (const [file, encoding] of [
    [latin, "windows-1252"],
    [wide, "utf-16be"],
  ] as const) {
    const source = await readSource(file);
    expect(source).toMatchObject({ encoding, separator: "|", rows: [["Köln", "x"]] });
    expect(source.encodings).not.toContain("utf-8");
    const written = await rewriteFile(source, ["name", "city"], signal);
    expect(await written.text()).toBe("name,city\r\nKöln,x\r\n");
  }
  const chosen = await readSource(fileOf("a,b;c\n"), { separator: ";" });
  expect(chosen.names).toEqual(["a,b", "c"]);
});

it("dates whose day is above 12 and decimal commas decide the forms of a file; otherwise several remain", () => {
  const columns = [
    { name: "day", baseType: "date", array: false },
    { name: "at", baseType: "timestamp with time zone", array: false },
    { name: "price", baseType: "numeric", array: false },
    { name: "note", baseType: "text", array: false },
  ];
  const formsOf = (...rows: (readonly string[])[]) => {
    const { dateFormats, decimals } = proposeForms(rows, ["day", "at", "price", "note"], columns);
    return [dateFormats, decimals];
  };
  expect(formsOf(["2024-02-01", "2024-02-01T09:30:00Z", "1.5", "01.02.2024"])).toEqual([
    [""],
    ["dot"],
  ]);
  expect(formsOf(["01/02/2024", "", "1,5", ""], ["13/02/2024", "", "", ""])).toEqual([
    ["dd/mm/yyyy"],
    ["comma"],
  ]);
  expect(formsOf(["01/02/2024", "1/13/2024 9:30", "", "1,5"])).toEqual([
    ["mm/dd/yyyy hh:mi"],
    ["dot"],
  ]);
  expect(formsOf(["03/04/2024", "", "1,234", ""])).toEqual([
    ["dd/mm/yyyy", "mm/dd/yyyy"],
    ["dot", "comma"],
  ]);
  expect(formsOf(["1 Feb 2024", "", "", ""])).toEqual([[], ["dot"]]);
  const forms = { dateFormat: "dd.mm.yyyy", booleanFormat: "", decimal: "comma" } as const;
  const [day, , price] = columns;
  expect(day && readCell(day, "1.2.2024", forms)).toBe("2024-02-01");
  expect(day && readCell(day, "30.02.2024", forms)).toBe(undefined);
  expect(price && readCell(price, "12,50", forms)).toBe("12.50");
});

it("the booleans of a file decide their form, in any case; otherwise several remain or none", () => {
  const flag = { name: "flag", baseType: "boolean", array: false };
  const formsOf = (...cells: readonly string[]) => {
    const rows = cells.map((cell) => [cell]);
    const { booleanFormats, booleanExample } = proposeForms(rows, ["flag"], [flag]);
    return [booleanFormats, booleanExample];
  };
  expect(formsOf("TRUE", "f", "", "False")).toEqual([[""], undefined]);
  expect(formsOf()).toEqual([[""], undefined]);
  expect(formsOf("1", "1")).toEqual([["1/0"], "1"]);
  expect(formsOf("Yes", "NO")).toEqual([["yes/no"], "Yes"]);
  expect(formsOf("WAHR", "FALSCH")).toEqual([["wahr/falsch"], "WAHR"]);
  expect(formsOf("N")).toEqual([["y/n", "j/n", "o/n"], "N"]);
  expect(formsOf("true", "0")).toEqual([[], "0"]);
  const forms = { dateFormat: "", booleanFormat: "y/n", decimal: "dot" } as const;
  expect([readCell(flag, "Y", forms), readCell(flag, "true", forms)]).toEqual(["true", undefined]);
});
