// Tier: long. Counts the steps of hundreds of readings.
import { hostileUnits, openStepCounter } from "@rowhouse/testing";
import { CsvReader } from "@rowhouse/wire";
import { afterAll, describe, expect, it } from "vitest";
import { midpoint } from "../src/data-views/layouts/kanban/card-order.ts";
import { parseRange } from "../src/records/editors/range-text.ts";
import { separatorOf } from "../src/records/files/csv-text.ts";
import { readTable } from "../src/records/grid/spreadsheet-text.ts";
import { namesOfPath } from "../src/records/readings/written-path.ts";
import { breakJson, prettyJson } from "../src/records/values/pretty-json.ts";
import { readText } from "../src/records/values/read-text.ts";
import { plainText, valueText } from "../src/records/values/show-value.ts";
import { sqlName } from "../src/structure/from-file/propose-table.ts";
import { joinLines } from "../src/ui/code-editor.tsx";
import { pathAtEnd } from "../src/workflows/form/shape.ts";
import { renameReferences } from "../src/workflows/model/references.ts";
import { slugOf } from "../src/workflows/overview/first-definition.ts";
import { faultyField } from "../src/workflows/run-tree/step-facts.ts";
import { columnOf, waysOf } from "./records/value-columns.ts";

// What reads a pasted cell, an imported file, a value of the database or a text of an editor.

const counter = await openStepCounter();
afterAll(() => counter.close());

const ways = waysOf("en");
const types = ["text", "integer", "numeric", "boolean", "date", "time without time zone"]
  .concat(["timestamp without time zone", "timestamp with time zone", "uuid", "jsonb", "bytea"])
  .concat(["interval", "int4range"]);
const rename = (text: string) => renameReferences({ text, steps: [] }, "one", "two");
const readInParts = (text: string) => {
  const reader = new CsvReader(null);
  for (let at = 0; at < text.length; at += 100) reader.push(text.slice(at, at + 100), false);
  reader.push("", true);
};
const faultyStep = (message: string) =>
  faultyField({ id: "step", kind: "sendMail" } as never, { code: "X", message });

const readers: readonly [string, (text: string) => unknown][] = [
  ...types.flatMap((type): [string, (text: string) => unknown][] => [
    [`a cell of the type ${type}`, (text) => readText(columnOf(type), text, ways)],
    [`a value of the type ${type}`, (text) => valueText(columnOf(type), text, ways)],
  ]),
  ["a list in a cell", (text) => readText(columnOf("integer", { array: true }), text, ways)],
  ["a value for the clipboard", (text) => plainText(columnOf("text"), text)],
  ["a range", parseRange],
  ["a copied table", readTable],
  ["a file of CSV", (text) => new CsvReader(null).push(text, true)],
  ["a file of CSV in parts", (text) => readInParts(text)],
  ["the header of a file", separatorOf],
  ["a path", namesOfPath],
  ["JSON", prettyJson],
  ["a response", breakJson],
  ["the name of a file", sqlName],
  ["a text for one line", joinLines],
  ["a template before the cursor", (text) => pathAtEnd(text, "TEMPLATE")],
  ["a condition before the cursor", (text) => pathAtEnd(text, "CEL")],
  ["a template with references", rename],
  ["a name of a workflow", slugOf],
  ["an error of a step", faultyStep],
];

describe("twice the text takes at most in proportion more steps", () => {
  it.each(readers)(
    "in %s",
    async (_part, read) => {
      const units = [
        ...hostileUnits,
        '"\t',
        '"\r',
        "\r",
        '""\r\n"',
        '""',
        '"a"b',
        '\\"',
        "1,1.",
        "{{a}",
        "a-",
      ];
      expect(await counter.findExcess(read, units)).toEqual([]);
    },
    120_000,
  );
});

// The counter does not count what a regular expression tries in vain. A reading of these texts takes a moment, or more than a
// minute if its time is quadratic: the limit ends a test that hangs.
describe("a text of 400,000 characters", { timeout: 20_000 }, () => {
  const length = 400_000;
  const long = (unit: string) => unit.repeat(length / unit.length);

  it("of blanks is joined to one line", () => {
    expect(joinLines(`a${long(" ")}b`)).toBe(`a${long(" ")}b`);
    expect(joinLines(`a${long(" \n\t")}b\n c \n`)).toBe("a b c");
    expect(joinLines("\n a")).toBe(" a");
    expect(joinLines("a\n\n")).toBe("a");
  });

  it("of quotes without an end keeps its characters as a response", () => {
    expect(breakJson(`[${long('\\"')}`)).toBe(`[\n  ${long('\\"')}`);
    expect(breakJson('{"a\\"":[1,{}]}')).toBe('{\n  "a\\"": [\n    1,\n    {}\n  ]\n}');
    expect(breakJson("]}")).toBe("\n]\n}");
  });

  it("of brackets gets lines whose indent has a maximum", () => {
    expect(breakJson(long("[")).length).toBeLessThan(length * 110);
  });

  it("of zeros is a number between two others", () => {
    expect(midpoint(`0.1${long("0")}1`, `0.1${long("0")}3`)).toBe(`0.1${long("0")}2`);
    expect([midpoint("1", "3"), midpoint("1", "2"), midpoint("0", "20")]).toEqual([
      ...["2", "1.5", "10"],
    ]);
  });

  it("of letters becomes a name of 63 bytes", () => {
    // Letter by letter, all of it would take hours.
    expect(sqlName(long("a").slice(0, length / 4))).toBe("a".repeat(63));
    expect(sqlName(long("語").slice(0, length / 4))).toBe("語".repeat(21));
  });

  it("of a path without an end has no completion, and a short path behind it has one", () => {
    expect(pathAtEnd(`${long("a-")}!`, "TEMPLATE")).toEqual({ keys: [], typed: "" });
    expect(pathAtEnd(`${long("a ")}steps.one.`, "CEL")).toEqual({
      keys: ["steps", "one"],
      typed: "",
    });
  });

  it("of templates without an end stays as it is, and complete ones follow a new id", () => {
    const text = long('{{"\\"');
    expect(rename(text)).toEqual({ text, steps: [] });
    expect(rename('{{ steps.one.a } {{{ steps.one ?? {"a": "}}"} }} {{steps.one}}')).toEqual({
      text: '{{ steps.one.a } {{{ steps.one ?? {"a": "}}"} }} {{steps.two}}',
      steps: [],
    });
    expect(faultyStep(long("{{"))).toBe("");
  });
});
