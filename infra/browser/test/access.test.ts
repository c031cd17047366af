import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { type AccessHarbor, prepareAccess } from "../src/access-screens.ts";
import { hasChromium } from "../src/chromium.ts";
import { enterAs } from "../src/people.ts";
import { prepareJourney, tabTo } from "./journey.ts";

describe.runIf(hasChromium())("access in the administration", () => {
  const journey = prepareJourney();
  let harbor: AccessHarbor;

  beforeAll(async () => {
    harbor = await prepareAccess(journey.service);
  });

  async function openAt(path: string): Promise<Page> {
    const { page } = await journey.open();
    await enterAs(page, harbor.administrator, path);
    await page.locator("main h1").waitFor();
    return page;
  }

  it("a method is exposed in the matrix by the keyboard alone, and the filters are in the address", async () => {
    const page = await openAt("/admin/access");
    await tabTo(page, "searchbox", "Name contains");
    await page.keyboard.insertText("harbor.cranes");
    const grid = page.getByRole("grid", { name: "Access" });
    await page.waitForURL(/search=harbor\.cranes/);
    for (let press = 0; press < 5; press += 1) {
      if (await grid.evaluate((element) => element === document.activeElement)) break;
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("ArrowRight");
    expect(await activeLabel(page)).toBe("harbor.cranes · POST is hidden");
    await page.keyboard.press("Space");
    await grid.getByRole("gridcell", { name: "harbor.cranes · POST is exposed" }).waitFor();
    await expect
      .poll(async () => (await harbor.resource("cranes")).exposedMethods)
      .toEqual(["GET", "POST"]);
    await page.reload();
    await grid.getByRole("gridcell", { name: "harbor.cranes · POST is exposed" }).waitFor();
    expect(await page.getByRole("row").count()).toBe(3);
  });

  it("a cell says what its grant covers, and a grant without its column is named with what it lost", async () => {
    const page = await openAt("/admin/access?schema=harbor");
    const cell = (name: string) => page.getByRole("gridcell", { name, exact: true });
    await cell("harbor.cranes · Porters · read: some fields").waitFor();
    await cell("harbor.loads · Porters · read: row filter, some fields").waitFor();
    await cell("harbor.loads · Porters · change: no grant").waitFor();
    await cell("harbor.ramps · Porters · read: all rows and fields").waitFor();
    await cell(
      "harbor.ramps · Porters · delete: all rows and fields · granted, but the method is hidden",
    ).waitFor();
    await cell("harbor.scales · Porters · read: not effective").waitFor();
    await page.getByText("row filter: retired").waitFor();
  });

  it("a matrix of 300 tables and 50 roles draws the cells that are seen alone", async () => {
    await harbor.createMany();
    const page = await openAt("/admin/access");
    const grid = page.getByRole("grid", { name: "Access" });
    await grid.getByRole("gridcell").first().waitFor();
    expect(Number(await grid.getAttribute("aria-rowcount"))).toBeGreaterThan(300);
    expect(Number(await grid.getAttribute("aria-colcount"))).toBeGreaterThan(200);
    await grid.focus();
    await page.keyboard.press("Control+End");
    await expect.poll(() => activeLabel(page)).toMatch(/^yard\.table 300 · role 50 · delete/);
    expect(await grid.getByRole("gridcell").count()).toBeLessThan(3000);
    expect(await grid.evaluate((element) => element.scrollTop > 0 && element.scrollLeft > 0)).toBe(
      true,
    );
  });
});

/** The label of the cell that the keys of the matrix act on. */
function activeLabel(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const id = document.activeElement?.getAttribute("aria-activedescendant") ?? "";
    return document.getElementById(id)?.getAttribute("aria-label") ?? null;
  });
}
