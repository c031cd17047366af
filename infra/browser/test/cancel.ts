import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Journey } from "./journey.ts";

/** Bytes a second that leave time to press a button. */
const slow = 40_000;

/** Adds the tests of imports and exports that a person cancels. */
export function testCancel(journey: Journey, open: (name: string) => Promise<Page>): void {
  const query = (text: string) => journey.service.test.database.query(text);
  const count = async (condition: string) =>
    (await query(`select 1 from depot.trips where ${condition}`)).length;

  const slowDown = async (page: Page) => {
    const session = await page.context().newCDPSession(page);
    await session.send("Network.emulateNetworkConditions", {
      ...{ offline: false, latency: 0, downloadThroughput: slow, uploadThroughput: slow },
    });
  };
  const checkedImport = async (page: Page, rows: number, first: number) => {
    await page.getByRole("button", { name: "Import" }).click();
    const dialog = page.getByRole("dialog", { name: "Import into trips" });
    const lines = Array.from(
      { length: rows },
      (_, index) => `${first + index},5,2026-05-01T08:00:00Z,"Canceled ${index}"`,
    );
    await dialog.getByLabel("File", { exact: true }).setInputFiles({
      ...{ name: "trips.csv", mimeType: "text/csv" },
      buffer: Buffer.from(`id,vehicle_id,started_at,note\n${lines.join("\n")}\n`),
    });
    await dialog.getByRole("button", { name: "Check the file" }).click();
    await dialog.getByText("New rows:").waitFor();
    return dialog;
  };

  describe("a person who cancels", () => {
    it("an import during its upload writes nothing, and can start again", async () => {
      const page = await open("trips");
      const dialog = await checkedImport(page, 5000, 50_000);
      await slowDown(page);
      await dialog.getByRole("button", { name: "Import the rows" }).click();
      await dialog.getByText("Uploading").first().waitFor();
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await dialog.getByRole("button", { name: "Check the file" }).waitFor();
      expect(await dialog.getByLabel("Column for note").inputValue()).toBe("note");
      await expect.poll(() => staging()).toBe(0);
      expect(await count("id >= 50000")).toBe(0);
    });

    it("an import while the rows are written writes nothing", async () => {
      const page = await open("trips");
      const dialog = await checkedImport(page, 3, 60_000);
      const { database } = journey.service.test;
      // The statement of the import waits for this lock.
      await database.transaction(async (transaction) => {
        await transaction.query("lock table depot.trips in share mode");
        await dialog.getByRole("button", { name: "Import the rows" }).click();
        await expect.poll(() => waiting()).toBe(1);
        await dialog.getByText("Writing").first().waitFor();
        await dialog.getByRole("button", { name: "Cancel" }).click();
        await dialog.getByRole("button", { name: "Check the file" }).waitFor();
        await expect.poll(() => waiting()).toBe(0);
      });
      expect(await count("id >= 60000")).toBe(0);
    });

    it("an export saves no file, and ends its statement", async () => {
      await query(
        "insert into depot.empty_table select n, repeat(md5(n::text), 30) from generate_series(1, 30000) as n",
      );
      const page = await open("empty_table");
      const downloads: string[] = [];
      page.on("download", (download) => downloads.push(download.suggestedFilename()));
      await slowDown(page);
      await page.getByRole("button", { name: "Export" }).click();
      await page.getByRole("menuitem", { name: "CSV, for spreadsheets" }).click();
      await expect.poll(() => exporting()).toBe(1);
      await page.getByRole("button", { name: "Cancel the export of Empty table" }).click();
      await page.getByText("Exporting Empty table").first().waitFor({ state: "hidden" });
      await expect.poll(() => exporting()).toBe(0);
      expect(downloads).toEqual([]);
    });
  });

  const sessions = async (condition: string) =>
    (
      await query(
        `select pid from pg_stat_activity a where a.datname = current_database() and a.pid <> pg_backend_pid() and ${condition}`,
      )
    ).length;
  const staging = () => sessions("a.query like 'copy pg_temp.%' and a.state = 'active'");
  const exporting = () => sessions("a.query like '%empty_table%' and a.state = 'active'");
  const waiting = () =>
    sessions(
      "exists (select from pg_locks l where l.pid = a.pid and l.relation = 'depot.trips'::regclass and not l.granted)",
    );
}
