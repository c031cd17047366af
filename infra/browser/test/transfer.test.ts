// Tier: long. Starts a browser.
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { manyRows } from "../src/data-rows.ts";
import { depotPath, openRows, prepareDepotPerson } from "../src/data-screens.ts";
import { testCancel } from "./cancel.ts";
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

  const query = async (text: string) =>
    (await journey.service.test.database.query(text)) as Record<string, unknown>[];

  testCancel(journey, open);

  describe("an import", () => {
    const line = (number: number, distance: string, vehicle = "5") =>
      `${number},${vehicle},2026-05-01T08:00:00Z,${distance},"Note, ${number}",x`;
    const file = (lines: readonly string[]) => ({
      name: "trips.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(
        `\ufeffNumber,Vehicle ID,started_at,distance_km,note,rest\r\n${lines.join("\r\n")}\r\n`,
      ),
    });

    it("brings 20,000 rows in after three faulty lines were shown and mended, without a mouse", async () => {
      const page = await open("trips");
      const lines = Array.from({ length: 20_000 }, (_, number) => line(number, "12.5"));
      const faulty = lines
        .with(9, line(9, "far"))
        .with(12_000, line(12_000, "1", "999999"))
        .with(19_999, line(19_999, "no"));
      await tabTo(page, "button", "Import");
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog", { name: "Import into trips" });
      await dialog.getByLabel("File", { exact: true }).setInputFiles(file(faulty));
      await dialog.getByLabel("Column for Vehicle ID").waitFor();
      expect(await dialog.getByLabel("Column for Vehicle ID").inputValue()).toBe("vehicle_id");
      expect(await dialog.getByLabel("Column for rest").inputValue()).toBe("");
      await tabTo(page, "button", "Check the file");
      await page.keyboard.press("Enter");
      await dialog.getByText("3 faults").first().waitFor();
      const faults = await dialog.locator("ol li").allInnerTexts();
      expect(faults.map((text) => /^Line [\d,]+/.exec(text)?.[0])).toEqual([
        "Line 11",
        "Line 12,002",
        "Line 20,001",
      ]);
      expect(faults[1]).toContain("Note, 12000");
      expect(await query("select count(*)::int as n from depot.trips")).toEqual([{ n: 4000 }]);
      await dialog.getByLabel("Another file, or the mended one").setInputFiles(file(lines));
      await tabTo(page, "button", "Check the file");
      await page.keyboard.press("Enter");
      await dialog.getByText("New rows: 20,000").waitFor();
      await tabTo(page, "button", "Import the rows");
      await page.keyboard.press("Enter");
      await dialog.getByText("Imported. New rows: 20,000").waitFor();
      await page.keyboard.press("Escape");
      await page.getByText("of 24,000 rows").waitFor();
      expect(
        await query(
          "select count(*)::int as n from depot.trips where vehicle_id = 5 and distance_km = 12.5 and note like 'Note, %'",
        ),
      ).toEqual([{ n: 20_000 }]);
    });

    it("leaves faulty rows out and imports the others at once, and saves the faulty ones with their reasons", async () => {
      await query("delete from depot.trips where note like 'Note, %'");
      const page = await open("trips");
      await tabTo(page, "button", "Import");
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog", { name: "Import into trips" });
      const lines = Array.from({ length: 500 }, (_, number) => line(30_000 + number, "12.5"));
      const counted = async () =>
        (await query("select count(*)::int as n from depot.trips where note like 'Note, %'"))[0]?.n;
      await dialog
        .getByLabel("File", { exact: true })
        .setInputFiles(
          file(lines.with(3, line(30_003, "=far")).with(9, line(30_009, "1", "999999"))),
        );
      await tabTo(page, "button", "Check the file");
      await page.keyboard.press("Enter");
      await dialog.getByText("2 faults").first().waitFor();
      await tabTo(page, "button", "Download the faulty rows");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.keyboard.press("Enter"),
      ]);
      expect(download.suggestedFilename()).toBe("trips-faults.csv");
      const saved = (await readFile(await download.path(), "utf8")).split("\r\n");
      expect(saved[0]).toBe(
        "\ufeffNumber,Vehicle ID,started_at,distance_km,note,rest,Reason of the fault",
      );
      expect(saved[1]).toContain(`30003,5,2026-05-01T08:00:00Z,"'=far","Note, 30003",x,`);
      expect(saved[2]).toMatch(/^30009,999999,.*,x,.+$/);
      await tabTo(page, "button", "Skip these rows and import the others");
      await page.keyboard.press("Enter");
      await dialog.getByText("Imported. New rows: 498").waitFor();
      await dialog.getByText("2 rows of the file are left out.").waitFor();
      expect(await counted()).toBe(498);
      await page.keyboard.press("Escape");
      // The service reports the first 100 faults; the others are found by further checks, which write nothing.
      await page.getByRole("button", { name: "Import" }).click();
      const many = lines.map((_, number) =>
        line(40_000 + number, number % 2 === 0 ? "far" : "1.5"),
      );
      await dialog.getByLabel("File", { exact: true }).setInputFiles(file(many));
      await dialog.getByRole("button", { name: "Check the file" }).click();
      await dialog.getByRole("button", { name: "Skip all faulty rows" }).click();
      await dialog.getByText("250 rows of the file are left out.").waitFor();
      await dialog.getByText("The other rows of the file have no faults. New rows: 250").waitFor();
      expect(await counted()).toBe(498);
      await dialog.getByRole("button", { name: "Import the rows" }).click();
      await dialog.getByText("Imported. New rows: 250").waitFor();
      expect(await counted()).toBe(748);
    });

    it("updates or skips rows whose key exists, from a file with semicolons", async () => {
      const page = await open("drivers");
      await page.getByRole("button", { name: "Import" }).click();
      const dialog = page.getByRole("dialog", { name: "Import into drivers" });
      const bytes = (name: string) => ({
        name: "drivers.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(`id;name;email\n1;"${name}";\n`),
      });
      await dialog.getByLabel("File", { exact: true }).setInputFiles(bytes("Brook, Ada"));
      await dialog.getByLabel("If a key exists").selectOption({ label: "Update the row" });
      await dialog.getByRole("button", { name: "Check the file" }).click();
      await dialog.getByText("updated: 1").waitFor();
      await dialog.getByRole("button", { name: "Import the rows" }).click();
      await dialog.getByText("Imported. New rows: 0, updated: 1").waitFor();
      const first = () => query("select name, email from depot.drivers where id = 1");
      expect(await first()).toEqual([{ name: "Brook, Ada", email: null }]);
      await dialog.getByRole("button", { name: "Close" }).last().click();
      await page.getByRole("button", { name: "Import" }).click();
      await dialog.getByLabel("File", { exact: true }).setInputFiles(bytes("Other"));
      await dialog.getByLabel("If a key exists").selectOption({ label: "Skip the row" });
      await dialog.getByRole("button", { name: "Check the file" }).click();
      await dialog.getByText("skipped: 1").waitFor();
    });
  });
});
