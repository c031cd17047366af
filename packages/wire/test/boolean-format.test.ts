import { expect, it } from "vitest";
import { booleanFormats, parseBooleanFormat, readBoolean } from "../src/index.ts";

it("booleans are true, false, t and f in any case without a format, and nothing else", () => {
  const read = (cells: readonly string[]) => cells.map((cell) => readBoolean(null, cell));
  expect(read(["true", "TRUE", "True", "t", "T"])).toEqual(Array(5).fill("true"));
  expect(read(["false", "FALSE", "fAlse", "f", "F"])).toEqual(Array(5).fill("false"));
  const others = [
    "",
    "1",
    "0",
    "yes",
    "no",
    "tr",
    " true",
    "true ",
    "null",
    "constructor",
    "ＴＲＵＥ",
  ];
  expect(read([...others, "t".repeat(1_000_000)]).every((each) => each === undefined)).toBe(true);
});

it("a format has its two texts in any case, and no others", () => {
  for (const text of [...booleanFormats, "true/false", "x/-", "sí/no", "Aktiv/nicht aktiv"]) {
    const format = parseBooleanFormat(text);
    if (format === undefined) throw new Error(text);
    const [yes = "", no = ""] = text.split("/");
    expect(readBoolean(format, yes.toUpperCase())).toBe("true");
    expect(readBoolean(format, no.toUpperCase())).toBe("false");
    for (const other of ["", `${yes} `, `${no}${no}`, text]) {
      expect(readBoolean(format, other)).toBe(undefined);
    }
  }
  const digits = parseBooleanFormat("1/0");
  if (digits === undefined) throw new Error("1/0");
  for (const cell of ["true", "yes", "2", "01"]) expect(readBoolean(digits, cell)).toBe(undefined);
});

it("a format that would exchange true and false, or has no two texts, is none", () => {
  const none = ["", "/", "1", "1/", "/0", "1/0/2", "a/A", " 1/0", "1/ 0", `a/${"b".repeat(31)}`];
  const exchanged = ["0/1", "no/yes", "N/Y", "false/true", "off/x", "x/on", "falsch/wahr", "f/t"];
  for (const text of [...none, ...exchanged]) {
    expect([text, parseBooleanFormat(text)]).toEqual([text, undefined]);
  }
});
