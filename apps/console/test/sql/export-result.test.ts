import { ExactNumber } from "@rowhouse/client";
import { expect, it } from "vitest";
import { csvOf, ndjsonOf } from "../../src/sql/results/export-result.ts";
import type { SqlResult } from "../../src/sql/run-request.ts";

const result: SqlResult = {
  command: "SELECT",
  columns: ["a", "2", "a"].map((name) => ({ name, type: "text" })),
  rows: [
    ["12345678901234567890.10", null, ""],
    ['say "hi", you', { n: new ExactNumber("1.00000000000000000001") }, "two\nlines"],
  ],
  rowCount: 2,
  truncated: false,
};

it("a CSV file keeps every digit and tells null from an empty text", () => {
  expect(csvOf(result)).toBe(
    'a,2,a\r\n12345678901234567890.10,,""\r\n"say ""hi"", you","{""n"":1.00000000000000000001}","two\nlines"\r\n',
  );
});

it("an NDJSON file keeps the order of columns, and a repeated name gets a number", () => {
  expect(ndjsonOf(result)).toBe(
    '{"a":"12345678901234567890.10","2":null,"a_2":""}\n' +
      '{"a":"say \\"hi\\", you","2":{"n":1.00000000000000000001},"a_2":"two\\nlines"}\n',
  );
});
