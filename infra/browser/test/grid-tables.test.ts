// Tier: long. Starts a browser; one table has three million rows.
import { describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { prepareDepotJourney } from "./depot-journey.ts";
import { testEditors } from "./editors.ts";
import { testLargeTable } from "./large-table.ts";

describe.runIf(hasChromium())("the grid", () => {
  const depot = prepareDepotJourney();
  const { journey, open } = depot;

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

  it("shows the text of the row that a column without _id refers to, before and after a change", async () => {
    await depot.addTables(
      `create table depot.shippers (id int primary key, company_name text not null);
       insert into depot.shippers values (1, 'Speedy Express'), (2, 'United Package');
       create table depot.parcels (id int primary key, ship_via int references depot.shippers, note text);
       insert into depot.parcels values (1, 2, 'first'), (2, null, 'second')`,
      "shippers",
      "parcels",
    );
    const page = await open("parcels");
    await page.getByText("2 of 2 rows").waitFor();
    const cell = page.locator('[role="row"][data-row="0"]').getByText("United Package");
    await cell.waitFor();
    await page.locator('[role="row"][data-row="0"]').getByText("first").dblclick();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("changed");
    await page.keyboard.press("Enter");
    await page.locator('[role="row"][data-row="0"]').getByText("changed").waitFor();
    expect(await cell.count()).toBe(1);
    // The page shows a change before it is stored.
    await expect
      .poll(() => depot.query("select note from depot.parcels where id = 1"))
      .toEqual([{ note: "changed" }]);
  });
});
