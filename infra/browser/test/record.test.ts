// Tier: long. Starts a browser.
import { describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { changeRow, recordHistory } from "../src/data-screens.ts";
import { enter } from "../src/people.ts";
import { cell, columnOf, prepareDepotJourney, saved, typeInto, undo } from "./depot-journey.ts";
import { tabTo } from "./journey.ts";
import { holdRequests } from "./slow-page.ts";

/** The search parameter that opens records. */
function opened(...paths: readonly string[]): string {
  return `?open=${encodeURIComponent(JSON.stringify(paths))}`;
}

describe.runIf(hasChromium())("a record beside the grid", () => {
  const depot = prepareDepotJourney();
  const { query, open, addTables } = depot;

  it("creates a row in a form by the keyboard alone, asks before it closes, and duplicates", async () => {
    const page = await open("vehicles");
    const keys = page.keyboard;
    await page.getByRole("searchbox", { name: "Search" }).waitFor();
    await keys.press("n");
    const form = page.getByRole("complementary", { name: "New row" });
    await form.getByText("2 required fields are empty").waitFor();
    await tabTo(page, "textbox", "Plate");
    await keys.type("BA-107-BK");
    const asked: string[] = [];
    const answers = ["dismiss", "dismiss"] as const;
    page.on("dialog", (dialog) => {
      asked.push(dialog.message());
      void dialog[answers[asked.length - 1] ?? "accept"]();
    });
    await keys.press("Escape");
    await form.getByRole("button", { name: "Close" }).click();
    expect(asked).toEqual(Array(2).fill("Leave without saving your changes?"));
    await tabTo(page, "textbox", "Make");
    await keys.type("Skoda");
    await keys.press("Control+s");
    // The key of another vehicle is a fault of this field.
    await form.locator("[aria-invalid=true][aria-label=Plate]").waitFor();
    await form.getByRole("textbox", { name: "Plate" }).fill("ZZ-999-ZZ");
    await keys.press("Control+s");
    await form.waitFor({ state: "detached" });
    expect(
      await query("select make, status from depot.vehicles where plate = 'ZZ-999-ZZ'"),
    ).toEqual([{ make: "Skoda", status: "AVAILABLE" }]);
    await cell(page, 0, await columnOf(page, "make"))
      .getByText("Skoda")
      .waitFor();
    await page.getByLabel("Select row 1", { exact: true }).click();
    await page.getByRole("button", { name: "Duplicate" }).click();
    await form.getByRole("textbox", { name: "Plate" }).fill("ZZ-998-ZZ");
    await keys.press("Control+s");
    await form.waitFor({ state: "detached" });
    const count = "select count(*)::int from depot.vehicles where make = 'Skoda'";
    expect(await query(count)).toEqual([{ count: 2 }]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Redo").waitFor();
    expect(await query(count)).toEqual([{ count: 1 }]);
  });

  it("shows a fault at its field, and asks before another record opens while a change is not saved", async () => {
    const page = await open("vehicles", opened("depot/table/vehicles/5"));
    const record = page.getByRole("complementary", { name: "Record" });
    await record.getByRole("textbox", { name: "Plate" }).fill("BA-107-BK");
    await page.keyboard.press("Control+s");
    await record.locator("[aria-invalid=true][aria-label=Plate]").waitFor();
    await record.getByRole("button", { name: "Discard" }).click();
    await record.getByRole("textbox", { name: "Model" }).fill("not saved");
    const asked: string[] = [];
    page.once("dialog", (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    await record.getByRole("button", { name: "Next row" }).click();
    await expect.poll(() => asked).toEqual(["Leave without saving your changes?"]);
    expect(await record.getByRole("textbox", { name: "Model" }).inputValue()).toBe("not saved");
    page.once("dialog", (dialog) => void dialog.accept());
    await record.getByRole("button", { name: "Next row" }).click();
    await record.getByRole("heading", { name: "GA-142-GK" }).waitFor();
    // On a phone no bar covers the buttons of the record.
    await page.setViewportSize({ width: 390, height: 844 });
    await record.getByRole("button", { name: "Close" }).click();
    await record.waitFor({ state: "detached" });
  });

  it("leads from a record to related rows and back, in both directions", async () => {
    const page = await open("vehicles", opened("depot/table/vehicles/5"));
    const record = page.getByRole("complementary", { name: "Record" });
    await record.getByRole("tab", { name: "trips" }).click();
    await record.getByText(/^\d+ rows$/).waitFor();
    await record.getByRole("button", { name: "Open line 1", exact: true }).click();
    await record.getByRole("button", { name: /refers to/ }).click();
    await record.getByRole("heading", { name: "FA-135-FK" }).waitFor();
    await record.getByRole("button", { name: "Back to the record before" }).click();
    await record.getByRole("heading", { name: /^Trip / }).waitFor();
    await page.goBack();
    await record.getByRole("heading", { name: "FA-135-FK" }).waitFor();
  });

  it("two people edit a related record: the second sees both versions and chooses", async () => {
    const page = await open("vehicles", opened("depot/table/vehicles/5", "depot/table/trips/9"));
    const record = page.getByRole("complementary", { name: "Record" });
    await record.getByRole("textbox", { name: "note" }).fill("mine");
    await query("update depot.trips set note = 'theirs' where id = 9");
    await page.keyboard.press("Control+s");
    const dialog = page.getByRole("dialog", { name: "Another person has changed this row" });
    await dialog.getByText("theirs", { exact: true }).waitFor();
    // A dialog that is closed keeps the text.
    await page.keyboard.press("Escape");
    expect(await record.getByRole("textbox", { name: "note" }).inputValue()).toBe("mine");
    await record.getByRole("button", { name: "Save" }).click();
    await dialog.getByLabel("Yours").check();
    await dialog.getByRole("button", { name: "Keep these" }).click();
    await record.getByRole("button", { name: "Save" }).waitFor({ state: "detached" });
    expect(await query("select note from depot.trips where id = 9")).toEqual([{ note: "mine" }]);
    expect(await record.getByRole("textbox", { name: "note" }).inputValue()).toBe("mine");
  });

  it("an undo knows values as they are stored, and overwrites no other person in a hidden column", async () => {
    const page = await open("vehicles", "?order_by=id");
    await typeInto(page, cell(page, 20, await columnOf(page, "model")), "mine");
    await saved(page);
    // The service stores 5.00, which is no change by another person.
    await typeInto(page, cell(page, 20, await columnOf(page, "price")), "5");
    await expect
      .poll(() => query("select price from depot.vehicles where id = 21"))
      .toEqual([{ price: "5.00" }]);
    await undo(page);
    await page.getByText("Redo").waitFor();
    expect(await query("select price from depot.vehicles where id = 21")).toEqual([
      { price: "13274.77" },
    ]);
    // The same table without the column; the history stays.
    await page.getByRole("button", { name: "Menu of Model" }).click();
    await page.getByRole("menuitem", { name: "Hide" }).click();
    await page.waitForURL(/fields=/);
    await query("update depot.vehicles set model = 'theirs' where id = 21");
    await undo(page);
    const dialog = page.getByRole("dialog", { name: "Another person has changed this row" });
    await dialog.getByText("theirs", { exact: true }).waitFor();
    await dialog.getByText("mine", { exact: true }).waitFor();
    expect(await query("select model from depot.vehicles where id = 21")).toEqual([
      { model: "theirs" },
    ]);
  });

  it("an open record follows the grid, and keeps a draft with the version that it began from", async () => {
    const page = await open("vehicles", `${opened("depot/table/vehicles/5")}&order_by=id`);
    const record = page.getByRole("complementary", { name: "Record" });
    const model = record.getByRole("textbox", { name: "Model" });
    const shown = () => model.inputValue();
    await model.waitFor();
    const before = await shown();
    const column = await columnOf(page, "model");
    await typeInto(page, cell(page, 4, column), "in the grid");
    await expect.poll(shown).toBe("in the grid");
    await undo(page);
    await expect.poll(shown).toBe(before);
    await model.fill("a draft");
    // Another tab keeps it.
    await record.getByRole("tab", { name: "trips" }).click();
    await record.getByRole("tab", { name: "Row" }).click();
    await typeInto(page, cell(page, 4, column), "in the grid again");
    await record.getByText("This row has changed since you began.").waitFor();
    expect(await shown()).toBe("a draft");
    await record.getByRole("button", { name: "Save" }).click();
    const dialog = page.getByRole("dialog", { name: "Another person has changed this row" });
    await dialog.getByText("in the grid again").waitFor();
    await dialog.getByLabel("Yours").check();
    await dialog.getByRole("button", { name: "Keep these" }).click();
    await record.getByRole("button", { name: "Save" }).waitFor({ state: "detached" });
    expect(await shown()).toBe("a draft");
    expect(await query("select model from depot.vehicles where id = 5")).toEqual([
      { model: "a draft" },
    ]);
  });

  it("finds who changed a row by the keyboard alone, and puts the earlier value back", async () => {
    const { journey, resources } = depot;
    const { service } = journey;
    const [role] = (await service.administer("GET", "/roles?search=Depot")) as { id: string }[];
    const [users] = (await service.administer("GET", "/resources?search=system.users")) as {
      readonly id: string;
    }[];
    await service.administer("PATCH", `/resources/${users?.id}`, { exposedMethods: ["GET"] });
    const grant = { roleId: role?.id, resourceId: users?.id, action: "READ", fields: ["name"] };
    await service.administer("POST", "/grants", grant);
    await recordHistory(service, resources, "vehicles");
    const other = await enter(service, "otto@example.com", "Otto Berg", role?.id ?? "");
    const modelSql = "select model from depot.vehicles where id = 1";
    const before = await query(modelSql);
    await changeRow(service, other, "vehicles/1", { model: "by Otto" });
    const page = await open("vehicles", "?order_by=id");
    const keys = page.keyboard;
    await page.getByRole("grid").focus();
    await keys.press("Control+Enter");
    const record = page.getByRole("complementary", { name: "Record" });
    await tabTo(page, "tab", "History");
    await keys.press("Enter");
    const newest = record.getByRole("list", { name: "History" }).getByRole("listitem").first();
    await newest.getByText("Otto Berg").waitFor();
    await newest.getByText("by Otto").waitFor();
    // Another change meanwhile is shown, and not overwritten.
    await query("update depot.vehicles set model = 'theirs' where id = 1");
    await tabTo(page, "button", "Restore the earlier value of Model");
    await keys.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Another person has changed this row" });
    await dialog.getByText("theirs", { exact: true }).waitFor();
    await keys.press("Escape");
    expect(await query(modelSql)).toEqual([{ model: "theirs" }]);
    await newest.getByText("Another program of the database").waitFor();
    await newest.getByRole("button", { name: "Restore the earlier value of Model" }).focus();
    await keys.press("Enter");
    await newest.getByText("You", { exact: true }).waitFor();
    expect(await query(modelSql)).toEqual([{ model: "by Otto" }]);
    await undo(page);
    await expect.poll(() => query(modelSql)).toEqual([{ model: "theirs" }]);
    await query(
      `update depot.vehicles set model = '${(before[0] as { model: string }).model}' where id = 1`,
    );
  });

  it("chooses the row of several columns in one field, in the tenant that another reference has", async () => {
    await addTables(
      `create table depot.clients (tenant_id int, id int, name text not null, primary key (tenant_id, id));
       create table depot.sites (tenant_id int, id int, name text not null, primary key (tenant_id, id));
       create table depot.orders (
         id int primary key generated by default as identity, note text, tenant_id int not null,
         client_id int not null, site_id int not null,
         foreign key (tenant_id, client_id) references depot.clients,
         foreign key (tenant_id, site_id) references depot.sites
       );
       insert into depot.clients values (1, 10, 'Alpha'), (2, 10, 'Beta');
       insert into depot.sites values (1, 5, 'North one'), (2, 5, 'North two'), (2, 6, 'South two');`,
      ...["clients", "sites", "orders"],
    );
    const page = await open("orders");
    await page.getByRole("button", { name: "New row" }).first().click();
    const panel = page.getByRole("complementary");
    const pick = async (field: string, text: string) => {
      await panel.getByRole("combobox", { name: field }).click();
      await page.getByRole("option", { name: text }).click();
    };
    await panel.getByText("2 required fields are empty").waitFor();
    expect(await panel.getByRole("textbox", { name: /_id/ }).count()).toBe(0);
    await pick("clients", "Beta");
    await panel.getByRole("combobox", { name: "sites" }).click();
    await page.getByRole("option", { name: "South two" }).waitFor();
    expect(await page.getByRole("option", { name: "North" }).allTextContents()).toEqual([
      "North two2, 5",
    ]);
    await page.getByRole("option", { name: "South two" }).click();
    await page.keyboard.press("Control+s");
    await panel.waitFor({ state: "detached" });
    const orders = "select tenant_id, client_id, site_id from depot.orders";
    expect(await query(orders)).toEqual([{ tenant_id: 2, client_id: 10, site_id: 6 }]);
    // Both references end before another tenant is chosen.
    await page.getByRole("grid").focus();
    await page.keyboard.press("Control+Enter");
    const site = panel.getByRole("combobox", { name: "sites" });
    await expect.poll(() => site.inputValue()).toBe("South two");
    // The list begins at the present choice, so that Enter does not change it.
    await site.click();
    await page.getByRole("option", { name: "North two" }).waitFor();
    await page.keyboard.press("Enter");
    expect(await site.inputValue()).toBe("South two");
    await pick("sites", "None");
    await pick("clients", "None");
    await pick("clients", "Alpha");
    await pick("sites", "North one");
    await page.keyboard.press("Control+s");
    await panel.getByRole("button", { name: "Save" }).waitFor({ state: "detached" });
    expect(await query(orders)).toEqual([{ tenant_id: 1, client_id: 10, site_id: 5 }]);
    await panel.getByRole("button", { name: "Open the row that clients refers to" }).click();
    await panel.getByRole("heading", { name: "Alpha" }).waitFor();
  });

  it("Enter before the rows of a reference have loaded keeps the present one", async () => {
    await addTables(
      `create table depot.helpers (id int primary key, name text not null);
       create table depot.tasks (id int primary key, helper_id int references depot.helpers);
       insert into depot.helpers values (1, 'Ana'), (2, 'Ben');
       insert into depot.tasks values (1, 2);`,
      ...["helpers", "tasks"],
    );
    const page = await open("tasks");
    await page.getByRole("grid").focus();
    await page.keyboard.press("Control+Enter");
    const panel = page.getByRole("complementary");
    const helper = panel.getByRole("combobox", { name: "helper" });
    await expect.poll(() => helper.inputValue()).toBe("Ben");
    const load = await holdRequests(page, /\/api\/depot\/table\/helpers/);
    await helper.focus();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("option", { name: "Loading" }).waitFor();
    await page.keyboard.press("Enter");
    expect(await helper.inputValue()).toBe("Ben");
    load();
    await page.getByRole("option", { name: "Ana" }).waitFor();
    await page.keyboard.press("Enter");
    expect(await helper.inputValue()).toBe("Ben");
  });
});
