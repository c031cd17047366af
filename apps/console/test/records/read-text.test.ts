import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readText } from "../../src/records/values/read-text.ts";
import { plainText } from "../../src/records/values/show-value.ts";
import type { ValueColumn } from "../../src/records/values/value-kind.ts";
import { columnOf, waysOf } from "./value-columns.ts";

const english = waysOf("en");
const german = waysOf("de");

const two = (number: number) => String(number).padStart(2, "0");
const date = fc
  .date({ min: new Date("0001-01-01Z"), max: new Date("9999-12-31Z"), noInvalidDate: true })
  .map((day) => day.toISOString().slice(0, 10));
const fraction = fc.constantFrom("", ".5", ".000001", ".123456");
const clock = fc
  .tuple(fc.nat(23), fc.nat(59), fc.nat(59), fraction)
  .map(([h, m, s, f]) => `${two(h)}:${two(m)}:${two(s)}${f}`);
const offset = fc.constantFrom("+00:00", "+05:30", "-03:00");
const digits = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.bigInt(0n, 10n ** 40n),
    fc.stringMatching(/^(?:|\.[0-9]{1,30})$/),
  )
  .map(([sign, whole, rest]) => `${sign}${whole}${rest}`)
  .filter((text) => !/^-0(?:\.0*)?$/.test(text));
const json = fc
  .jsonValue({ noUnicodeString: false, maxDepth: 3 })
  .filter((value) => value !== null && !JSON.stringify(value).includes("-0"));
const base64 = fc
  .uint8Array({ maxLength: 40 })
  .map((bytes) => Buffer.from(bytes).toString("base64"));

/** Values as the Data API returns them, by type. */
const samples: Readonly<Record<string, readonly [ValueColumn, fc.Arbitrary<unknown>]>> = {
  text: [
    columnOf("text"),
    fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\\N", "\\\\N", "")),
  ],
  citext: [columnOf("extra.citext"), fc.string()],
  uuid: [columnOf("uuid"), fc.uuid()],
  smallint: [columnOf("smallint"), fc.integer({ min: -32_768, max: 32_767 })],
  integer: [columnOf("integer"), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })],
  bigint: [columnOf("bigint"), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map(String)],
  numeric: [columnOf("numeric"), fc.oneof(digits, fc.constantFrom("NaN", "Infinity", "-Infinity"))],
  "double precision": [
    columnOf("double precision"),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
  ],
  money: [columnOf("money"), fc.constantFrom("1234.50", "-0.01", "0.00")],
  boolean: [columnOf("boolean"), fc.boolean()],
  date: [
    columnOf("date"),
    fc.oneof(date, fc.constantFrom("infinity", "-infinity", "0044-03-15 BC")),
  ],
  time: [columnOf("time without time zone"), fc.oneof(clock, fc.constant("24:00:00"))],
  timetz: [
    columnOf("time with time zone"),
    fc.tuple(clock, fc.constantFrom("+02", "-03:30")).map((parts) => parts.join("")),
  ],
  timestamp: [
    columnOf("timestamp without time zone"),
    fc.oneof(
      fc.tuple(date, clock).map((parts) => parts.join("T")),
      fc.constant("infinity"),
    ),
  ],
  timestamptz: [
    columnOf("timestamp with time zone"),
    fc.oneof(
      fc.tuple(date, clock, offset).map(([day, time, zone]) => `${day}T${time}${zone}`),
      fc.constantFrom("-infinity", "0044-03-15T00:00:00+00:00 BC"),
    ),
  ],
  interval: [
    columnOf("interval"),
    fc.constantFrom("1 mon", "-1 days +02:00:00", "00:00:01.000001"),
  ],
  enum: [columnOf("enum", { values: ["A", "a", "On trip"] }), fc.constantFrom("A", "a", "On trip")],
  jsonb: [columnOf("jsonb"), json],
  bytea: [columnOf("bytea"), base64],
  int4range: [columnOf("int4range"), fc.constantFrom("empty", "[1,3)", "(,)")],
  inet: [columnOf("inet"), fc.constantFrom("10.0.0.1/8", "::1")],
  point: [columnOf("point"), fc.constantFrom("(0,0)", "(1.5,-2)")],
  hstore: [
    columnOf("extra.hstore"),
    fc.dictionary(fc.string({ minLength: 1 }), fc.string(), { minKeys: 1, noNullPrototype: true }),
  ],
  composite: [
    columnOf("public.address"),
    fc.record({ street: fc.string(), number: fc.integer() }, { noNullPrototype: true }),
  ],
  "text[]": [columnOf("text", { array: true }), fc.array(fc.option(fc.string()))],
  "bigint[]": [columnOf("bigint", { array: true }), fc.array(fc.bigInt().map(String))],
  "integer[][]": [columnOf("integer", { array: true }), fc.array(fc.array(fc.integer()))],
};

describe("readText reads what plainText wrote, in every language", () => {
  it.each(Object.entries(samples))("%s", (_name, [column, values]) => {
    fc.assert(
      fc.property(fc.option(values), (value) => {
        const text = plainText(column, value);
        expect(readText(column, text, english)).toEqual({ value });
        expect(readText(column, text, german)).toEqual({ value });
      }),
    );
  });
});

const read = (type: string, text: string, ways = english, more: Partial<ValueColumn> = {}) => {
  const reading = readText(columnOf(type, more), text, ways);
  return "value" in reading ? reading.value : reading;
};
const typed = (ways: typeof english) => ({ ...ways, isTyped: true });

it("digits of a number stay exact, and its marks are those of the person's language", () => {
  expect(read("numeric", "1,234,567.890")).toBe("1234567.890");
  expect(read("numeric", "1.234.567,890", german)).toBe("1234567.890");
  expect(read("numeric", "0,10", german)).toBe("0.10");
  expect(read("bigint", "9.223.372.036.854.775.807", german)).toBe("9223372036854775807");
  expect(read("numeric", "−5")).toBe("-5");
  expect(read("integer", "1.234", german)).toBe(1234);
  expect(read("integer", "2.0")).toBe(2);
  expect(read("numeric", "1,5")).toHaveProperty("fault");
  expect(read("numeric", "1.5.2")).toHaveProperty("fault");
  expect(read("integer", "1.5")).toHaveProperty("fault");
  expect(read("smallint", "32768")).toEqual({ fault: "Enter a number from -32768 to 32767." });
});

it("a typed number that can mean two is a fault that names both", () => {
  expect(read("numeric", "1.234", typed(german))).toEqual({
    fault: "Das kann 1234 oder 1,234 sein. Geben Sie eines davon ein.",
  });
  expect(read("numeric", "1.234", german)).toBe("1.234");
  expect(read("numeric", "1.2345", typed(german))).toBe("1.2345");
});

it("the shown form of a currency and of percent is read back", () => {
  const euro = { format: { type: "currency", currency: "EUR" } } as const;
  expect(read("numeric", "€22,243.99", english, euro)).toBe("22243.99");
  expect(read("numeric", "22.243,99 €", german, euro)).toBe("22243.99");
  expect(read("numeric", "12.5%", english, { format: { type: "percent" } })).toBe("0.125");
  expect(read("numeric", "12.5%", english, { format: { type: "percent", whole: 100 } })).toBe(
    "12.5",
  );
});

it("times without an offset are those of the person's zone", () => {
  expect(read("timestamp with time zone", "2025-07-01 09:14")).toBe("2025-07-01T09:14:00+02:00");
  expect(read("timestamp with time zone", "1.2.2025 9:14", german)).toBe(
    "2025-02-01T09:14:00+01:00",
  );
  expect(read("timestamp with time zone", "Feb 3, 2025, 9:14 PM")).toBe(
    "2025-02-03T21:14:00+01:00",
  );
  expect(read("timestamp with time zone", "2025-07-01T09:14Z")).toBe("2025-07-01T09:14Z");
});

it("a time that clocks skip is a fault, and of a repeated one the first is taken", () => {
  expect(read("timestamp with time zone", "2025-03-30 02:30")).toEqual({
    fault: "Clocks in Europe/Oslo skip this time.",
  });
  expect(read("timestamp with time zone", "2025-10-26 02:30")).toBe("2025-10-26T02:30:00+02:00");
});

it("dates are read in the order of the language, and impossible ones are faults", () => {
  expect(read("date", "3/2/2025")).toBe("2025-02-03");
  expect(read("date", "2/3/2025", waysOf("en", "Europe/Oslo", "US"))).toBe("2025-02-03");
  expect(read("date", "3 Sept 2025")).toBe("2025-09-03");
  expect(read("date", "Sep 3, 2025")).toBe("2025-09-03");
  expect(read("date", "03.02.2025", german)).toBe("2025-02-03");
  expect(read("date", "3. Februar 2025", german)).toBe("2025-02-03");
  expect(read("date", "2025-02-29")).toHaveProperty("fault");
  expect(read("date", "2024-02-29")).toBe("2024-02-29");
  expect(read("time without time zone", "9:05 pm")).toBe("21:05:00");
  expect(read("time without time zone", "25:00")).toHaveProperty("fault");
});

it("null has its own text where the empty text is a value", () => {
  expect(read("text", "")).toBe("");
  expect(read("text", "\\N")).toBe(null);
  expect(read("integer", "")).toBe(null);
  expect(read("integer", "", english, { nullable: false })).toEqual({
    fault: "A value is required.",
  });
});

it("labels, booleans and lists are read as people write them", () => {
  const values = ["AVAILABLE", "ON_TRIP"];
  expect(read("enum", " available ", english, { values })).toBe("AVAILABLE");
  expect(read("enum", "sold", english, { values })).toEqual({
    fault: "Enter one of: AVAILABLE, ON_TRIP.",
  });
  expect(read("boolean", "Ja", german)).toBe(true);
  expect(read("boolean", "off")).toBe(false);
  expect(read("boolean", "maybe")).toHaveProperty("fault");
  expect(read("text", "GPS, Tail lift", english, { array: true })).toEqual(["GPS", "Tail lift"]);
  expect(read("integer", "1; x", english, { array: true })).toEqual({
    fault: "Item 2: Enter a whole number, such as 42.",
  });
  expect(read("bytea", "\\x00ff")).toBe("AP8=");
});

it("a fault of JSON has its line and column", () => {
  expect(read("jsonb", '{\n  "a": 1,\n  "b" 2\n}')).toEqual({
    fault: "This is not JSON: line 3, column 7.",
  });
  expect(read("jsonb", '{"a": "x\ny"}')).toEqual({ fault: "This is not JSON: line 1, column 9." });
  expect(read("jsonb", "")).toBe(null);
});
