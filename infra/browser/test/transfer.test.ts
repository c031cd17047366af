import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { manyRows } from "../src/data-rows.ts";
import { depotPath, openRows, prepareDepotPerson } from "../src/data-screens.ts";
import { prepareJourney, tabTo } from "./journey.ts";

describe.runIf(hasChromium())("files of rows", () => {
  const journey = prepareJourney();
  let session = "";

  beforeAll(async () => {
    ({ session } = await prepareDepotPerson(journey.service));
  });

  const open = async (name: string, search = ""): Promise<Page> => {
    const { page } = await journey.open();
    await openRows(page, session, `${depotPath(name)}${search}`);
    return page;
  };

  describe("an export", () => {
    const exported = async (page: Page, press: () => Promise<unknown>) => {
      const [download] = await Promise.all([page.waitForEvent("download"), press()]);
      return {
        name: download.suggestedFilename(),
        text: await readFile(await download.path(), "utf8"),
      };
    };

    it("has the columns, the filter and the order of the screen, and needs no mouse", async () => {
      const where = encodeURIComponent(JSON.stringify({ make: { _eq: "DAF" } }));
      const page = await open("vehicles", `?where=${where}&order_by=-price&fields=price,plate`);
      await tabTo(page, "button", "Export");
      await page.keyboard.press("Enter");
      await page.locator("[role=menuitem]:focus", { hasText: "CSV, for spreadsheets" }).waitFor();
      const { name, text } = await exported(page, () => page.keyboard.press("Enter"));
      expect(name).toBe("vehicles.csv");
      const lines = text.trim().split("\r\n");
      expect(lines.slice(0, 2)).toEqual(["price,plate", "62942.29,NE-919-FK"]);
      expect(lines).toHaveLength(21);
      await page.getByText("Exporting Vehicles").first().waitFor({ state: "hidden" });
    });

    it("streams every row of a large table as NDJSON, under a name with signs that files refuse", async () => {
      const page = await open("many_rows");
      const press = async () => {
        await page.getByRole("button", { name: "Export" }).click();
        await page.getByRole("menuitem", { name: "NDJSON, for programs" }).click();
      };
      const { name, text } = await exported(page, press);
      expect(name).toBe("many_rows.ndjson");
      const lines = text.trim().split("\n");
      expect(lines).toHaveLength(manyRows);
      expect(JSON.parse(lines[1] ?? "")).toMatchObject({ id: 2, b: "Row 2" });
      const odd = await open('جدول, with "quotes" and.dots');
      const file = await exported(odd, async () => {
        await odd.getByRole("button", { name: "Export" }).click();
        await odd.getByRole("menuitem", { name: "CSV, for spreadsheets" }).click();
      });
      expect(file.name).toBe("جدول, with _quotes_ and.dots.csv");
    });

    it("says in words why it failed, and is dismissed", async () => {
      const page = await open("vehicles");
      await journey.service.test.database.query(
        "alter table depot.vehicles rename column model to model_x",
      );
      try {
        await page.getByRole("button", { name: "Export" }).click();
        await page.getByRole("menuitem", { name: "CSV, for spreadsheets" }).click();
        await page.getByText("Vehicles was not exported").waitFor();
        await page.getByRole("button", { name: "Dismiss" }).last().click();
        await page.getByText("Vehicles was not exported").waitFor({ state: "hidden" });
      } finally {
        await journey.service.test.database.query(
          "alter table depot.vehicles rename column model_x to model",
        );
      }
    });
  });
});
