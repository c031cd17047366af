import { describe, expect, it } from "vitest";
import { fillTitle } from "../src/filter/language/record-title.ts";

const title = [
  { field: "last", before: "", after: "" },
  { field: "first", before: ", ", after: "" },
  { field: "city", before: " (", after: ")" },
];
const fill = (values: Readonly<Record<string, string | null>>, parts = title) =>
  fillTitle(parts, ({ field }) => values[field] ?? null);

describe("fillTitle", () => {
  it.each([
    [{ last: "Kern", first: "Anna", city: "Berlin" }, "Kern, Anna (Berlin)"],
    [{ last: "Kern", first: "Anna" }, "Kern, Anna"],
    [{ last: "Kern", first: "", city: "Berlin" }, "Kern (Berlin)"],
    [{ first: "Anna", city: "Berlin" }, "Anna (Berlin)"],
    [{ city: "Berlin" }, "Berlin"],
    [{}, null],
  ])("fills %j", (values, text) => {
    expect(fill(values)).toBe(text);
  });

  it("keeps the text before the first field and after the last", () => {
    const parts = [{ field: "id", before: "Order #", after: " !" }];
    expect(fill({ id: "7" }, parts)).toBe("Order #7 !");
    expect(fill({}, parts)).toBe(null);
  });
});
