// Tier: all. Starts a browser.
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { type Clinic, nameClinic, prepareClinic, thirtyAppointments } from "../src/clinic.ts";
import { openRows } from "../src/data-screens.ts";
import { cell, columnOf, saved, undo } from "./depot-journey.ts";
import { prepareJourney } from "./journey.ts";

describe.runIf(hasChromium())("a paste from a spreadsheet", () => {
  const journey = prepareJourney();
  let clinic: Clinic;

  beforeAll(async () => {
    clinic = await prepareClinic(journey.service);
    await nameClinic(journey.service, clinic);
  });

  const query = async <Row>(text: string) =>
    (await journey.service.test.database.query(text)) as Row[];
  const open = async (name: string, search = ""): Promise<Page> => {
    const { page } = await journey.open();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await openRows(page, clinic.receptionist, `/app/data/clinic/table/${name}${search}`);
    return page;
  };
  const paste = async (page: Page, text: string, keys = "Control+v") => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await page.keyboard.press(keys);
  };
  const dialogOf = (page: Page): Locator => page.getByRole("dialog", { name: "Paste" });

  /** Repairs the four mistakes by the keyboard and by the rows that a name can mean. */
  const repair = async (page: Page, dialog: Locator) => {
    await dialog.getByText("3 lines have faults").waitFor();
    const ambiguous = dialog.getByRole("textbox", { name: "Pat, line 4" });
    expect(await ambiguous.getAttribute("aria-invalid")).toBe("true");
    await dialog.getByText("“Jan Weber” can be 2 rows: 2, 3").waitFor();
    await dialog.getByRole("button", { name: "Jan Weber, the row with the key 3" }).click();
    await dialog.getByText("“Jan Weber” can be").waitFor({ state: "hidden" });
    await dialog.getByText("No row of Patient is “Lea Nowack”.").waitFor();
    await dialog.getByRole("textbox", { name: "Pat, line 9" }).fill("999");
    await page.keyboard.press("Enter");
    await dialog.getByRole("textbox", { name: "Starts, line 14" }).fill("2027-03-01 15:30");
    await page.keyboard.press("Enter");
    await dialog.getByText("3 lines have faults").waitFor({ state: "hidden" });
    // The service finds the other two, each at its fields.
    await dialog.getByRole("button", { name: "Create 30 new rows" }).click();
    await dialog.getByText("2 lines have faults").waitFor();
    const missing = dialog.getByRole("textbox", { name: "Pat, line 9" });
    await dialog.getByText("Patient 999 does not exist.").waitFor();
    await missing.fill("lea novak");
    await page.keyboard.press("Enter");
    expect(await dialog.getByText("These do not fit together: Ends, Starts.").count()).toBe(2);
    const ends = dialog.getByRole("textbox", { name: "Ends, line 21" });
    expect(await ends.getAttribute("aria-invalid")).toBe("true");
    await ends.fill("2027-03-02 23:00");
    await page.keyboard.press("Enter");
    await dialog.getByText("lines have faults").waitFor({ state: "hidden" });
    await dialog.getByRole("button", { name: "Create 30 new rows" }).click();
    await dialog.waitFor({ state: "hidden" });
    await saved(page);
  };
  const added = () =>
    query<{ rows: number; lea: number; jan: number }>(
      `select count(*)::int as rows, count(*) filter (where pat = 1)::int as lea, count(*) filter (where pat = 3)::int as jan
       from clinic.appointment where starts >= '2027-03-01'`,
    );

  it("of 30 lines with four mistakes into an empty table is repaired in place and saved", async () => {
    await query("delete from clinic.appointment_item");
    await query("delete from clinic.appointment");
    const page = await open("appointment");
    await page.getByText("No rows yet").waitFor();
    await paste(page, thirtyAppointments(true));
    const dialog = dialogOf(page);
    expect(
      await dialog
        .getByRole("checkbox", { name: "The first line has the names of the columns" })
        .isChecked(),
    ).toBe(true);
    await repair(page, dialog);
    expect(await added()).toEqual([{ rows: 30, lea: 29, jan: 1 }]);
    await page.getByText("30 of 30 rows").waitFor();
    await undo(page);
    await page.getByText("Redo").waitFor();
    expect(await added()).toEqual([{ rows: 0, lea: 0, jan: 0 }]);
  });

  it("of the same lines below a full table adds rows and changes none", async () => {
    await query(
      `insert into clinic.appointment (room_site, room_no, pat, starts, ends) select 'NORD', 1, n, timestamptz '2026-11-02 08:00+01',
       timestamptz '2026-11-02 09:00+01' from generate_series(1, 40) n`,
    );
    const before = await query("select * from clinic.appointment order by id");
    const page = await open(
      "appointment",
      "?fields=pat,seen_by,room_site,room_no,starts,ends,fee&order_by=id",
    );
    await page.getByText("40 of 40 rows").waitFor();
    await page.getByRole("grid").focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.press("Home");
    await paste(page, thirtyAppointments(false));
    const dialog = dialogOf(page);
    expect(await dialog.getByRole("radio", { name: "As new rows" }).isChecked()).toBe(true);
    await repair(page, dialog);
    expect(await added()).toEqual([{ rows: 30, lea: 29, jan: 1 }]);
    expect(
      await query("select * from clinic.appointment where starts < '2027-03-01' order by id"),
    ).toEqual(before);
    await query("delete from clinic.appointment where starts >= '2027-03-01'");
  });

  it("leaves faulty lines out, and keeps them in a file with their reasons", async () => {
    const page = await open(
      "appointment",
      "?fields=pat,seen_by,room_site,room_no,starts,ends,fee&order_by=id",
    );
    await cell(page, 3, 0).click();
    await paste(page, thirtyAppointments(false), "Control+Shift+v");
    const dialog = dialogOf(page);
    await dialog.getByText("3 lines have faults").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: "Save the 3 lines as a file" }).click(),
    ]);
    const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^Pat,Seen by,Room site,Room no,Starts,Ends,Fee,Reason$/);
    expect(lines[1]).toContain("Jan Weber");
    expect(lines[1]).toContain("Pat: “Jan Weber” can be 2 rows: 2, 3");
    await dialog.getByRole("button", { name: "Leave the 3 lines out" }).click();
    await dialog.getByText("3 lines are left out.").waitFor();
    await dialog.getByRole("button", { name: "Create 27 new rows" }).click();
    await dialog.getByText("1 line has faults").waitFor();
    await dialog.getByRole("button", { name: "Leave the line out" }).click();
    await dialog.getByRole("button", { name: "Create 26 new rows" }).click();
    await dialog.waitFor({ state: "hidden" });
    await saved(page);
    expect(await added()).toMatchObject([{ rows: 26 }]);
    await query("delete from clinic.appointment where starts >= '2027-03-01'");
  });

  it("over cells takes titles, and asks before it changes a key", async () => {
    const page = await open("vaccination", "?fields=pat,vaccine,given_on&order_by=id");
    await cell(page, 2, 0).click();
    await paste(page, "Lea Novak\tinfluenza\n7\tTetanus, diphtheria, pertussis");
    await saved(page);
    expect(
      await query("select pat, vaccine from clinic.vaccination where id in (3, 4) order by id"),
    ).toEqual([
      { pat: 1, vaccine: "FLU" },
      { pat: 7, vaccine: "TDAP" },
    ]);
    const sites = await open("site", "?order_by=code");
    const code = await columnOf(sites, "Code");
    await cell(sites, 0, code).click();
    await paste(sites, "NORX\tClinic Far North");
    const dialog = dialogOf(sites);
    await dialog.getByText("1 line has another key than its row.").waitFor();
    await dialog.getByRole("button", { name: "Change 1 row" }).click();
    await saved(sites);
    expect(await query("select code, name from clinic.site where code like 'NOR%'")).toEqual([
      { code: "NORD", name: "Clinic Far North" },
    ]);
    await undo(sites);
    await sites.getByText("Redo").waitFor();
  });

  it("fills down by Ctrl D, from the row above or the first one, and copies with titles", async () => {
    const page = await open("vaccination", "?fields=vaccine,pat,given_on&order_by=id");
    const codes = () =>
      query<{ vaccine: string }>(
        "select vaccine from clinic.vaccination where id between 5 and 8 order by id",
      );
    await query(
      "update clinic.vaccination set vaccine = case id when 5 then 'HPV' else 'FLU' end where id between 5 and 8",
    );
    await page.reload();
    await cell(page, 5, 0).click();
    await page.keyboard.press("Control+d");
    await saved(page);
    expect((await codes()).map(({ vaccine }) => vaccine)).toEqual(["HPV", "HPV", "FLU", "FLU"]);
    await cell(page, 4, 0).click();
    await cell(page, 7, 0).click({ modifiers: ["Shift"] });
    await page.keyboard.press("Control+d");
    await expect
      .poll(async () => (await codes()).map(({ vaccine }) => vaccine))
      .toEqual(["HPV", "HPV", "HPV", "HPV"]);
    // The cells show what is written before the edit can be taken back.
    await cell(page, 7, 0).getByText("Papillomavirus").waitFor();
    await page.getByText("Saving").waitFor({ state: "hidden" });
    await page.keyboard.press("Control+z");
    await expect
      .poll(async () => (await codes()).map(({ vaccine }) => vaccine))
      .toEqual(["HPV", "HPV", "FLU", "FLU"]);
    await cell(page, 0, 0).click();
    await cell(page, 0, 1).click({ modifiers: ["Shift"] });
    await page.keyboard.press("Control+Alt+c");
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toBe("Tetanus, diphtheria, pertussis\tLea Novak");
    await page.keyboard.press("Control+c");
    expect(await copied()).toBe("TDAP\t1");
  });

  it("an export with titles and labels is imported again without a change", async () => {
    await query("delete from clinic.vaccination where pat in (2, 3)");
    const page = await open("vaccination", "?fields=pat,vaccine,given_on,given_by&order_by=id");
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByRole("menuitem", { name: "CSV with titles and labels" }).click();
    const forms = page.getByRole("dialog", { name: "Export as CSV" });
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      forms.getByRole("button", { name: "Export" }).click(),
    ]);
    const path = await download.path();
    expect((await readFile(path, "utf8")).split("\r\n")[1]).toBe(
      'Lea Novak,"Tetanus, diphtheria, pertussis",2026-11-15,Ines Brandt',
    );
    const all = () =>
      query(
        "select pat, vaccine, given_on, given_by from clinic.vaccination order by given_on, pat",
      );
    const before = await all();
    await query("delete from clinic.vaccination");
    await page.getByRole("button", { name: "Import" }).click();
    const dialog = page.getByRole("dialog", { name: "Import into" });
    await dialog.getByLabel("File").setInputFiles({
      ...{ name: "vaccination.csv", mimeType: "text/csv" },
      buffer: await readFile(path),
    });
    expect(await dialog.getByLabel("References to other rows").inputValue()).toBe("title");
    await dialog.getByRole("button", { name: "Check the file" }).click();
    await dialog.getByRole("button", { name: "Import the rows" }).click();
    await expect.poll(async () => (await all()).length).toBe(before.length);
    expect(await all()).toEqual(before);
  });
});
