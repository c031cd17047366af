// Tier: long. Starts a browser; of cells, `all` has the grid.
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { cell, columnOf, prepareDepotJourney, saved, typeInto } from "./depot-journey.ts";
import { tabTo } from "./journey.ts";

describe.runIf(hasChromium())("a cell that could not be saved", () => {
  const { open, query, addTables } = prepareDepotJourney();
  const topOf = async (page: Page) => (await page.getByRole("grid").boundingBox())?.y;
  const makes = () => query("select id, make from depot.vehicles where id in (1, 2) order by id");

  it("keeps its text offline, says why, and is saved by one press once the service responds", async () => {
    const page = await open("vehicles");
    const make = await columnOf(page, "make");
    const before = await makes();
    const top = await topOf(page);
    await page.context().setOffline(true);
    await typeInto(page, cell(page, 0, make), "Offline 1");
    await typeInto(page, cell(page, 1, make), "Offline 2");
    await page.getByText("2 cells not saved").waitFor();
    expect(await cell(page, 0, make).textContent()).toContain("Offline 1");
    expect(await cell(page, 1, make).getAttribute("aria-invalid")).toBe("true");
    expect(await cell(page, 1, make).getAttribute("aria-description")).toContain(
      "The service does not respond",
    );
    expect(await page.getByRole("alert").first().textContent()).toContain(
      "The service does not respond",
    );
    expect(await topOf(page)).toBe(top);
    await page.context().setOffline(false);
    await page.waitForTimeout(500);
    expect(await makes()).toEqual(before);
    await page.getByRole("button", { name: "Retry all" }).click();
    await expect.poll(makes).toEqual([
      { id: 1, make: "Offline 1" },
      { id: 2, make: "Offline 2" },
    ]);
    await page.getByText(/cells? not saved/).waitFor({ state: "hidden" });
    await expect.poll(() => cell(page, 1, make).getAttribute("aria-invalid")).toBeNull();
  });

  it("is edited again, retried or discarded by the keyboard alone", async () => {
    const page = await open("vehicles");
    const make = await columnOf(page, "make");
    const kept = await cell(page, 3, make).textContent();
    await page.route("**/api/batch", (route) => route.fulfill({ status: 503, body: "" }));
    await typeInto(page, cell(page, 3, make), "Not written");
    await page.getByText("1 cell not saved").waitFor();
    await page.keyboard.press("ArrowUp");
    await tabTo(page, "button", "Retry");
    await page.unroute("**/api/batch");
    await page.keyboard.press("Enter");
    await saved(page);
    expect(await query("select make from depot.vehicles where id = 4")).toEqual([
      { make: "Not written" },
    ]);
    await page.keyboard.press("Control+z");
    await page.getByText("Redo").waitFor();
    await page.route("**/api/batch", (route) => route.abort());
    await typeInto(page, cell(page, 3, make), "Half");
    await page.getByText("1 cell not saved").waitFor();
    // F2 goes on with the text that was not saved.
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("F2");
    await page.keyboard.type(" and half");
    await page.keyboard.press("Enter");
    await cell(page, 3, make).getByText("Half and half").waitFor();
    await page.keyboard.press("ArrowUp");
    await tabTo(page, "button", "Discard");
    await page.keyboard.press("Enter");
    await page.getByText("1 cell not saved").waitFor({ state: "hidden" });
    expect(await cell(page, 3, make).textContent()).toBe(kept);
    expect(
      await page.getByRole("grid").evaluate((element) => element === document.activeElement),
    ).toBe(true);
  });

  it("shows the words of the check that refuses it, and is discarded by the mouse", async () => {
    await addTables(
      `create table depot.badges (id int primary key, name text not null, level int check (level < 10));
       insert into depot.badges values (1, 'One', 1), (2, 'Two', 2)`,
      "badges",
    );
    const page = await open("badges");
    const level = await columnOf(page, "level");
    await typeInto(page, cell(page, 0, level), "77");
    await page.getByText("1 cell not saved").waitFor();
    const fault = await cell(page, 0, level).getAttribute("aria-description");
    expect(fault).toMatch(/Not saved: \w/);
    expect(fault).not.toContain("Something failed");
    await cell(page, 0, level).click();
    await page.getByRole("button", { name: "Discard", exact: true }).click();
    await page.getByText("1 cell not saved").waitFor({ state: "hidden" });
    expect(await cell(page, 0, level).textContent()).toBe("1");
  });

  it("asks before the page or the filter is left, and drops the text only then", async () => {
    const page = await open("vehicles");
    const make = await columnOf(page, "make");
    await page.route("**/api/batch", (route) => route.abort());
    await typeInto(page, cell(page, 0, make), "Unsaved");
    await page.getByText("1 cell not saved").waitFor();
    const questions: string[] = [];
    let isAccepted = false;
    page.on("dialog", (dialog) => {
      questions.push(dialog.message());
      void (isAccepted ? dialog.accept() : dialog.dismiss());
    });
    await page.getByRole("searchbox", { name: "Search" }).fill("DAF");
    await expect.poll(() => questions.length).toBe(1);
    expect(await cell(page, 0, make).textContent()).toContain("Unsaved");
    isAccepted = true;
    await page.getByRole("searchbox", { name: "Search" }).fill("DA");
    await page.waitForURL(/search=DA/);
    await page.getByText("1 cell not saved").waitFor({ state: "hidden" });
  });

  it("a column that its person may not change looks and reads as such", async () => {
    await addTables(
      `create table depot.parts (id int primary key, price int, twice int generated always as (price * 2) stored);
       insert into depot.parts (id, price) values (1, 4)`,
      "parts",
    );
    const page = await open("parts");
    const twice = await columnOf(page, "twice");
    expect(await cell(page, 0, twice).getAttribute("aria-readonly")).toBe("true");
    expect(await cell(page, 0, twice - 1).getAttribute("aria-readonly")).toBe("false");
    await page.getByRole("columnheader", { name: "twice read-only" }).waitFor();
    await cell(page, 0, twice).dblclick();
    await page.getByRole("complementary", { name: "Record" }).getByLabel("read-only").waitFor();
  });
});
