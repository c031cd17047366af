import fc from "fast-check";
import { expect, it } from "vitest";
import { cardKey } from "../../src/data-views/layouts/kanban/card-keys.ts";
import { midpoint } from "../../src/data-views/layouts/kanban/card-order.ts";
import { compareDecimals } from "../../src/records/values/decimal.ts";

it("a card between two others has a number between theirs, with every digit", () => {
  expect(midpoint("1", "2")).toBe("1.5");
  expect(midpoint("1", "4")).toBe("2.5");
  expect(midpoint("10", "30")).toBe("20");
  expect(midpoint("-1", "0")).toBe("-0.5");
  expect(midpoint("9007199254740993", "9007199254740994")).toBe("9007199254740993.5");
  expect(midpoint(undefined, "3")).toBe("2");
  expect(midpoint("3", undefined)).toBe("4");
  expect(midpoint(undefined, undefined)).toBe("0");
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 30n), 10n ** 30n), fc.bigInt(1n, 10n ** 6n), (low, step) => {
      const [before, after] = [`${low}`, `${low + step}`];
      const between = midpoint(before, after);
      expect(compareDecimals(before, between)).toBe(-1);
      expect(compareDecimals(between, after)).toBe(-1);
    }),
  );
});

it("arrows go to other cards, with Alt they move the card, and other keys do neither", () => {
  const key = (name: string, altKey = false, ctrlKey = false) =>
    cardKey({ key: name, altKey, ctrlKey, metaKey: false });
  expect(key("ArrowLeft")).toEqual({ kind: "FOCUS", columns: -1, cards: 0 });
  expect(key("ArrowDown", true)).toEqual({ kind: "MOVE", columns: 0, cards: 1 });
  expect(key("ArrowDown", false, true)).toBeNull();
  expect(key("constructor")).toBeNull();
});
