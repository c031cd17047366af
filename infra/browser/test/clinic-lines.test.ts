// Tier: long. Starts a browser.
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { type Clinic, prepareClinic } from "../src/clinic.ts";
import { enterAs } from "../src/people.ts";
import { prepareJourney } from "./journey.ts";

describe.runIf(hasChromium())("lines under their parent", () => {
  const journey = prepareJourney();
  let clinic: Clinic | undefined;
  const query = (text: string) => journey.service.test.database.query(text);

  beforeAll(async () => {
    clinic = await prepareClinic(journey.service);
  });

  const open = async (path: string): Promise<Page> => {
    const { page } = await journey.open({ viewport: { width: 1440, height: 1000 } });
    await enterAs(page, clinic?.receptionist ?? "", `/app/${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    return page;
  };
  const table = (name: string, search = "") => open(`data/clinic/table/${name}${search}`);
  const record = (name: string, key: string) => open(`records/clinic/table/${name}/${key}`);
  const focused = (page: Page) =>
    page.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute("aria-label") ?? element?.textContent ?? "";
    });

  it("an invoice with five lines is entered by the keyboard alone: one stop a field, two keys a line", async () => {
    const page = await table("invoice");
    const keys = page.keyboard;
    await page.getByRole("grid").waitFor();
    let pressed = 0;
    const press = async (key: string) => {
      pressed += 1;
      await keys.press(key);
    };
    await press("n");
    const form = page.getByRole("complementary", { name: "New row" });
    await form.getByRole("textbox", { name: "Number" }).waitFor();
    await keys.type("R-2027-0001");
    await press("Tab");
    await keys.type("Novak");
    await press("Tab");
    await press("Tab");
    await press("Tab");
    const lines = [
      ["Consultation", "1"],
      ["Electro", "2"],
      ["Blood panel", "3"],
      ["SUT", "4"],
      ["X-ray", "1.5"],
    ] as const;
    pressed = 0;
    for (const [index, [item, quantity]] of lines.entries()) {
      expect(await focused(page)).toBe(`Item, line ${index + 1}`);
      await keys.type(item);
      await press("Tab");
      await keys.type(quantity);
      await press("Tab");
      // The price stays empty.
      await press("Tab");
    }
    expect(pressed).toBeLessThanOrEqual(3 * lines.length);
    await keys.press("Control+s");
    await form.waitFor({ state: "detached" });
    expect(
      await query(`select l.item, l.qty, i.pat from clinic.invoice_line l join clinic.invoice i on i.id = l.invoice
        where i.number = 'R-2027-0001' order by l.id`),
    ).toEqual([
      { item: "CONS", qty: "1.00", pat: 1 },
      { item: "ECG", qty: "2.00", pat: 1 },
      { item: "BLOOD", qty: "3.00", pat: 1 },
      { item: "SUT", qty: "4.00", pat: 1 },
      { item: "XRAY", qty: "1.50", pat: 1 },
    ]);
    // One goes on in the grid, at the new row.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("role")))
      .toBe("grid");
    await keys.press("Control+Enter");
    await page.getByRole("complementary", { name: "Record" }).waitFor();
    await expect
      .poll(() => page.getByRole("combobox", { name: /^Item, line [1-5]$/ }).count())
      .toBe(5);
  });

  it("changes, adds and removes lines with their record, all or none, with each fault at its line", async () => {
    const page = await record("appointment", "2");
    const keys = page.keyboard;
    const item = (number: number) => page.getByRole("combobox", { name: `Code, line ${number}` });
    const quantity = (number: number) => page.getByRole("textbox", { name: `Qty, line ${number}` });
    await expect.poll(() => item(1).inputValue()).toBe("BLOOD Blood panel");
    await page.getByRole("textbox", { name: "Fee" }).fill("99");
    await quantity(1).fill("5");
    await item(2).fill("Report");
    await page.getByRole("option", { name: "Report" }).waitFor();
    await keys.press("Tab");
    await quantity(2).fill("0");
    await keys.press("Control+s");
    const fault = page.getByRole("alert");
    await fault.first().waitFor();
    expect(await quantity(2).getAttribute("aria-invalid")).toBe("true");
    expect(await quantity(1).getAttribute("aria-invalid")).not.toBe("true");
    const stored = "select code, qty from clinic.appointment_item where appt = 2 order by code";
    expect(await query(stored)).toEqual([{ code: "BLOOD", qty: 1 }]);
    await quantity(2).fill("3");
    await keys.press("Control+s");
    await page.getByRole("button", { name: "Save" }).waitFor({ state: "detached" });
    expect(await query(stored)).toEqual([
      { code: "BLOOD", qty: 5 },
      { code: "REP", qty: 3 },
    ]);
    expect(await query("select fee from clinic.appointment where id = 2")).toEqual([
      { fee: "99.00" },
    ]);
    // The focus stays in the line, which is saved now.
    expect(await focused(page)).toBe("Qty, line 2");
    await keys.press("Alt+Delete");
    await page.getByRole("button", { name: "Keep line 2" }).waitFor();
    await keys.press("Control+s");
    await page.getByRole("button", { name: "Save" }).waitFor({ state: "detached" });
    expect(await query(stored)).toEqual([{ code: "BLOOD", qty: 5 }]);
  });

  it("a line that another person has changed meanwhile is not overwritten", async () => {
    const page = await record("appointment", "4");
    const quantity = page.getByRole("textbox", { name: "Qty, line 1" });
    await quantity.fill("7");
    await query("update clinic.appointment_item set qty = 8 where appt = 4");
    await page.keyboard.press("Control+s");
    await page.getByRole("alert").filter({ hasText: "line 1" }).waitFor();
    expect(await quantity.inputValue()).toBe("7");
    expect(await query("select qty from clinic.appointment_item where appt = 4")).toEqual([
      { qty: 8 },
    ]);
    // The message names what stands there now; a second save keeps one's own.
    await page.getByText("Qty: 8").waitFor();
    await page.keyboard.press("Control+s");
    await page.getByRole("button", { name: "Save" }).waitFor({ state: "detached" });
    expect(await query("select qty from clinic.appointment_item where appt = 4")).toEqual([
      { qty: 7 },
    ]);
  });

  it("a junction table is edited as chips, by the keyboard, and saved with the record", async () => {
    const page = await record("patient", "2");
    const keys = page.keyboard;
    const field = page.getByRole("combobox", { name: "Add to Patient allergy" });
    await field.waitFor();
    await page.getByRole("list", { name: "Patient allergy" }).getByText("Latex").waitFor();
    await field.focus();
    await keys.type("Poll");
    await page.getByRole("option", { name: "Pollen" }).waitFor();
    await keys.press("Enter");
    await keys.type("Lat");
    // What is there already is not offered.
    await page.getByRole("option", { name: "No row matches" }).waitFor();
    await keys.press("Control+a");
    await keys.press("Backspace");
    await keys.press("Escape");
    await keys.press("ArrowLeft");
    await keys.press("ArrowLeft");
    expect(await focused(page)).toBe("LTX Latex");
    await keys.press("Delete");
    await keys.press("Control+s");
    await page.getByRole("button", { name: "Save" }).waitFor({ state: "detached" });
    expect(await query("select allergy from clinic.patient_allergy where pat = 2")).toEqual([
      { allergy: "POL" },
    ]);
  });

  it("a row is added under a parent with a composite key, edited in its place, and deleted", async () => {
    const page = await record("room", "NORD,3");
    const list = page.getByRole("region", { name: "Appointment" });
    await list.getByRole("button", { name: "Add" }).click();
    const form = list.getByRole("form", { name: "New row" });
    // The room is filled in and locked.
    expect(await form.getByRole("combobox", { name: "Room" }).count()).toBe(0);
    await form.getByRole("combobox", { name: "Pat" }).fill("1");
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("Tab");
    await form.getByRole("textbox", { name: "Starts" }).fill("2027-01-04 10:00");
    await form.getByRole("textbox", { name: "Ends" }).fill("2027-01-04 10:30");
    await page.keyboard.press("Control+s");
    await form.waitFor({ state: "detached" });
    const added =
      "select room_site, room_no, notes from clinic.appointment where starts > '2027-01-01'";
    expect(await query(added)).toEqual([{ room_site: "NORD", room_no: 3, notes: null }]);
    await list.getByText("Appointment · Lea Novak · 4 Jan 2027, 10:00").waitFor();
    await list
      .getByRole("button", { name: /^Edit / })
      .last()
      .click();
    await list.getByRole("textbox", { name: "Notes" }).fill("moved");
    await page.keyboard.press("Control+s");
    await expect
      .poll(() => query(added))
      .toEqual([{ room_site: "NORD", room_no: 3, notes: "moved" }]);
    await list.getByRole("button", { name: /^Close / }).click();
    await list
      .getByRole("button", { name: /^Delete / })
      .last()
      .click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete row" }).click();
    await expect.poll(() => query(added)).toEqual([]);
  });

  it("a new row of a filtered grid has the values that the filter requires", async () => {
    const where = {
      _and: [
        { home_site: { _eq: "SUED" } },
        { sex: { _in: ["m"] } },
        { born: { _gt: "1900-01-01" } },
      ],
    };
    const page = await table("patient", `?where=${encodeURIComponent(JSON.stringify(where))}`);
    await page.getByRole("button", { name: "New row" }).first().click();
    const form = page.getByRole("complementary", { name: "New row" });
    await expect
      .poll(() => form.getByRole("combobox", { name: "Home site" }).inputValue())
      .toBe("SUED Clinic South");
    expect(await form.getByRole("textbox", { name: "Sex" }).inputValue()).toBe("m");
    expect(await form.getByRole("textbox", { name: "Born" }).inputValue()).toBe("");
    // Nothing was typed, so that nothing is asked.
    await page.keyboard.press("Escape");
    await form.waitFor({ state: "detached" });
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("role")))
      .toBe("grid");
  });

  it("each field is one Tab stop, and Backspace in an empty one sets none and the default", async () => {
    const page = await table("appointment");
    await page.getByRole("button", { name: "New row" }).first().click();
    const form = page.getByRole("complementary", { name: "New row" });
    await form.getByRole("combobox", { name: "Room" }).waitFor();
    const keys = page.keyboard;
    const stops = [await focused(page)];
    for (let count = 1; count < 10; count += 1) {
      await keys.press("Tab");
      stops.push(await focused(page));
    }
    expect(stops).toEqual([
      ...["Room", "Seen by", "Pat", "Starts", "Ends", "State", "Fee", "Notes"],
      ...["Code, line 1", "Qty, line 1"],
    ]);
    const fee = form.getByRole("textbox", { name: "Fee" });
    await fee.fill("12");
    await keys.press("Control+a");
    await keys.press("Backspace");
    await keys.press("Backspace");
    expect(await fee.getAttribute("placeholder")).toBe("none");
    // A required field without a default has neither button.
    await form.getByRole("textbox", { name: "Starts" }).fill("2027-01-04 10:00");
    expect(await form.getByRole("button", { name: /(?:default|none): Starts/ }).count()).toBe(0);
    const state = form.getByRole("combobox", { name: "State" });
    await state.fill("DONE");
    await keys.press("Tab");
    await form.getByRole("button", { name: "Use the default: State" }).waitFor();
    expect(await focused(page)).toBe("Fee");
    expect(await state.inputValue()).toBe("DONE");
  });

  it("Ctrl Z in a record whose changes are saved takes the last of them back", async () => {
    const page = await table(
      "patient",
      `?order_by=pid&open=${encodeURIComponent(JSON.stringify(["clinic/table/patient/5"]))}`,
    );
    const panel = page.getByRole("complementary", { name: "Record" });
    const family = panel.getByRole("textbox", { name: "Family" });
    await family.waitFor();
    const before = await family.inputValue();
    await family.fill("Changed");
    await panel.getByRole("button", { name: "Save" }).click();
    await panel.getByRole("button", { name: "Save" }).waitFor({ state: "detached" });
    // The button is gone, and the focus is in the field again.
    expect(await focused(page)).toBe("Family");
    await page.keyboard.press("Control+z");
    await expect.poll(() => family.inputValue()).toBe(before);
    expect(await query("select family from clinic.patient where pid = 5")).toEqual([
      { family: before },
    ]);
  });

  it("a reference that is typed is never lost: it is looked up, or the fault names the candidates", async () => {
    const page = await table("patient");
    await page.getByRole("button", { name: "New row" }).first().click();
    const form = page.getByRole("complementary", { name: "New row" });
    const site = form.getByRole("combobox", { name: "Home site" });
    await site.fill("clinic");
    await page.getByRole("option", { name: "Clinic North" }).waitFor();
    await page.keyboard.press("Escape");
    await form.getByRole("textbox", { name: "Given" }).focus();
    await form.getByText(/Several rows match clinic: NORD Clinic North \(NORD\)/).waitFor();
    expect(await site.inputValue()).toBe("clinic");
    await site.fill("south clinic");
    await page.keyboard.press("Escape");
    await form.getByRole("textbox", { name: "Given" }).focus();
    await expect.poll(() => site.inputValue()).toBe("SUED Clinic South");
    await site.fill("Clinic East");
    await page.keyboard.press("Tab");
    await form.getByText("No row is called Clinic East.").waitFor();
    expect(await site.inputValue()).toBe("Clinic East");
  });

  it("a name that two rows have is never chosen for the person", async () => {
    const page = await table("invoice");
    await page.getByRole("button", { name: "New row" }).first().click();
    const form = page.getByRole("complementary", { name: "New row" });
    const patient = form.getByRole("combobox", { name: "Pat" });
    await patient.fill("Jan Weber");
    await page.getByRole("option", { name: "Jan Weber" }).nth(1).waitFor();
    await page.keyboard.press("Tab");
    await form.getByText("Jan Weber (2), Jan Weber (3)").waitFor();
    // The second line tells them apart.
    await patient.fill("Jan Weber");
    const texts = await page.getByRole("option", { name: "Jan Weber" }).allTextContents();
    expect(new Set(texts.map((text) => /195\d/.exec(text)?.[0])).size).toBe(2);
    await page.getByRole("option", { name: "Jan Weber" }).first().click();
    await expect.poll(() => patient.inputValue()).toBe("Jan Weber");
    expect(await form.getByRole("alert").count()).toBe(0);
  });

  it("Ctrl K finds a row by its title and opens it", async () => {
    const page = await table("invoice");
    await page.getByRole("grid").waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("novak lea");
    const option = page.getByRole("option", { name: /^Lea Novak/ });
    await option.waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/app/records/clinic/table/patient/1");
    await page.getByRole("heading", { level: 1, name: "Lea Novak" }).waitFor();
  });
});
