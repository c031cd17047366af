import { expect, it } from "vitest";
import { colorOf } from "../../src/records/values/color-of.ts";
import { averageFormat } from "../../src/records/values/show-number.ts";
import { valueText } from "../../src/records/values/show-value.ts";
import type { ValueColumn } from "../../src/records/values/value-kind.ts";
import { columnOf, waysOf } from "./value-columns.ts";

const english = waysOf("en");
const german = waysOf("de");
/** Narrow and fixed blanks become plain ones, since they differ between versions of the browser's data. */
const show = (
  type: string,
  value: unknown,
  format: ValueColumn["format"] = null,
  ways = english,
): string => valueText(columnOf(type, { format }), value, ways).replace(/[\u00a0\u202f]/g, " ");

it("numbers keep every digit, with the marks of the language", () => {
  expect(show("numeric", "12345678901234567890.123456789")).toBe("12345678901234567890.123456789");
  expect(show("numeric", "1.10", null, german)).toBe("1,10");
  expect(show("bigint", "9223372036854775807", { type: "number" })).toBe(
    "9,223,372,036,854,775,807",
  );
  expect(show("integer", 2016)).toBe("2016");
  expect(show("double precision", 1e-7)).toBe("0.0000001");
  expect(show("double precision", "NaN")).toBe("NaN");
  expect(show("numeric", "-Infinity")).toBe("-∞");
  expect(show("money", "1234.50")).toBe("1234.50");
});

it("numbers have the digits of their type, and none that a quotient was filled up with", () => {
  const showScale = (text: string, scale?: number) =>
    valueText(columnOf("numeric", scale === undefined ? {} : { scale }), text, english);
  expect(showScale("2.100", 3)).toBe("2.100");
  expect(showScale("2.1000000000000000")).toBe("2.1");
  expect(showScale("40.0000000000000000")).toBe("40");
  expect(showScale("0.00000000000000000000")).toBe("0");
  expect(showScale("2.3333333333333333")).toBe("2.3333333333333333");
  expect(showScale("1.50")).toBe("1.50");
  expect(showScale("2.10000000000000000000", 20)).toBe("2.10000000000000000000");
  expect(show("double precision", 2.1)).toBe("2.1");
});

it("averages have the digits of their column, two at least and six at most", () => {
  const average = (text: string, format: ValueColumn["format"], scale?: number) => {
    const column = columnOf("numeric", scale === undefined ? {} : { scale });
    return valueText({ ...column, format: averageFormat(format, column) }, text, english);
  };
  expect(average("2.3333333333333333", null, 3)).toBe("2.333");
  expect(average("2.1000000000000000", null)).toBe("2.10");
  expect(average("2.3333333333333333", { type: "currency", currency: "EUR" }, 2)).toBe("€2.33");
  expect(average("4.5000000000000000", { type: "rating" })).toBe("4.50");
});

it("formats of numbers apply to the digits", () => {
  expect(show("numeric", "22243.9", { type: "currency", currency: "EUR" })).toBe("€22,243.90");
  expect(show("numeric", "22243.9951", { type: "currency", currency: "EUR" }, german)).toBe(
    "22.243,9951 €",
  );
  expect(show("numeric", "0.125", { type: "percent" })).toBe("12.5%");
  expect(show("integer", 25, { type: "percent", whole: 100 }, german)).toBe("25 %");
  expect(show("bigint", "1500000", { type: "bytes" })).toBe("1.5 MB");
  expect(show("integer", 999, { type: "bytes" })).toBe("999 byte");
  expect(show("integer", 93784, { type: "duration", unit: "seconds" })).toBe(
    "1 day 2 hrs 3 mins 4 secs",
  );
  expect(show("numeric", "1.5", { type: "duration", unit: "hours" })).toBe("1 hr 30 mins");
  expect(show("integer", 3, { type: "rating", max: 5 })).toBe("★★★☆☆");
});

it("an instant is shown in the person's zone, a time without a zone as it is", () => {
  const instant = "2025-02-03T08:14:00+00:00";
  expect(show("timestamp with time zone", instant, null, german)).toBe("03.02.2025, 09:14");
  expect(show("timestamp with time zone", instant)).toBe("3 Feb 2025, 09:14");
  expect(show("timestamp without time zone", "2025-02-03T08:14:00")).toBe("3 Feb 2025, 08:14");
  expect(show("date", "2025-02-03", { type: "date", style: "long" })).toBe("3 February 2025");
  const american = waysOf("en", "America/New_York", "US");
  expect(show("timestamp with time zone", instant, null, american)).toBe("Feb 3, 2025, 3:14 AM");
  expect(show("date", "0044-03-15 BC")).toBe("0044-03-15 BC");
  expect(show("date", "0099-03-15")).toBe("15 Mar 99");
  expect(show("date", "infinity")).toBe("forever");
  expect(show("time without time zone", "09:14:00", null, german)).toBe("09:14");
  expect(show("interval", "P1Y2M-3DT4H5M6.5S")).toBe("1 yr 2 mths -3 days 4 hrs 5 mins 6.5 secs");
});

it("every value is one line, of bounded length", () => {
  expect(show("text", "a\n\tb")).toBe("a b");
  expect(show("text", "x".repeat(1_000_000)).length).toBeLessThan(600);
  expect(show("jsonb", { a: [1, "<b>"] })).toBe('{"a":[1,"<b>"]}');
  expect(show("boolean", false, null, german)).toBe("Nein");
  expect(show("boolean", true, { type: "boolean", true: "in stock" })).toBe("in stock");
  expect(show("bytea", "AP8=")).toBe("File of 2 byte");
  expect(valueText(columnOf("text", { array: true }), ["a", null], english)).toBe("a, none");
});

it("the first color rule that matches wins, with exact bounds", () => {
  const price = columnOf("numeric", {
    colors: [
      { to: "0.10", color: "red" },
      { from: "0.1", to: 10, color: "amber" },
      { value: 10, color: "green" },
    ],
  });
  expect(colorOf(price, "0.0999999999999999999999")).toBe("red");
  expect(colorOf(price, "0.10")).toBe("amber");
  expect(colorOf(price, "10.00")).toBe("green");
  expect(colorOf(price, "11")).toBe(undefined);
  const status = columnOf("text", { colors: [{ value: null, color: "gray" }] });
  expect(colorOf(status, null)).toBe("gray");
  expect(colorOf(status, "null")).toBe(undefined);
  const due = columnOf("timestamp with time zone", {
    colors: [{ from: "2025-01-01T00:00:00+01:00", color: "violet" }],
  });
  expect(colorOf(due, "2024-12-31T23:00:00+00:00")).toBe("violet");
  expect(colorOf(due, "2024-12-31T22:59:59.999999+00:00")).toBe(undefined);
});
