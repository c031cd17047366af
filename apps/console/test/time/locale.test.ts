import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { canonicalRegion } from "@rowhouse/settings";
import { expect, it } from "vitest";
import { firstWeekday, localeOf, regionsIn } from "../../src/shell/time/locale.ts";

it("English without a region is not that of the USA", () => {
  expect([localeOf("en", null), localeOf("en", "US"), localeOf("en", "DE")]).toEqual([
    ...["en-GB", "en-US", "en-DE"],
  ]);
  expect(localeOf("de", null)).toBe("de-DE");
});

it("the week begins as in the region, in Node.js and in the browser", () => {
  expect(["en-GB", "en-US", "de-CH", "ar-EG", "en-AE"].map(firstWeekday)).toEqual([1, 7, 1, 6, 1]);
});

it("the service takes every region that the profile offers", () => {
  for (const language of ["en", "de"] as const) {
    const regions = regionsIn(language);
    expect(regions.length).toBeGreaterThan(240);
    expect(regions.filter(({ value }) => canonicalRegion(value) !== value)).toEqual([]);
  }
});

it("one module of the pages makes formatters of dates", () => {
  const source = fileURLToPath(new URL("../../src/", import.meta.url));
  const makers = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path))
    .filter((path) => {
      const text = readFileSync(join(source, path), "utf8");
      return /Intl\.DateTimeFormat\(|toLocale(?:Date|Time)?String\(/.test(text);
    });
  expect(makers).toEqual([join("shell", "time", "time-text.ts")]);
});
