// Tier: long. Starts a browser; one table has three million rows.
import { describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { prepareDepotJourney } from "./depot-journey.ts";
import { testEditors } from "./editors.ts";
import { testLargeTable } from "./large-table.ts";

describe.runIf(hasChromium())("the grid", () => {
  const { journey, open } = prepareDepotJourney();

  testLargeTable(journey);
  testEditors(journey, open);

  it.each([
    ["no_key", "table", "250"],
    ["pairs", "table", "3"],
    ["wide", "table", "60"],
    ["every_type", "table", "2"],
    ["hostile", "table", "4"],
    ['جدول, with "quotes" and.dots', "table", "1"],
    ["makes", "view", "6"],
    ["late_vehicles", "view", ""],
  ] as const)("shows every row of %s, a %s", async (name, kind, count) => {
    const page = await open(name, "", kind);
    await page.getByText(new RegExp(`of ${count}\\d* rows`)).waitFor();
    expect(await page.locator('[role="row"][data-row="0"]').count()).toBe(1);
    expect(await page.evaluate(() => "hacked" in globalThis)).toBe(false);
  });
});
