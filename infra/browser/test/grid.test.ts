// Tier: all. Starts a browser.
import { describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { manyRows } from "../src/data-rows.ts";
import { depotPath, openRows, recordHistory } from "../src/data-screens.ts";
import { enter } from "../src/people.ts";
import { cell, columnOf, prepareDepotJourney, saved, typeInto, undo } from "./depot-journey.ts";

describe.runIf(hasChromium())("the grid", () => {
  const depot = prepareDepotJourney();
  const { journey, query, open } = depot;

  it("is one tab stop, moves by the keyboard, and edits, undoes and redoes without a mouse", async () => {
    const page = await open("vehicles");
    const grid = page.getByRole("grid", { name: "Vehicles" });
    await grid.focus();
    const keys = page.keyboard;
    const make = await columnOf(page, "make");
    for (let press = 0; press < make; press += 1) await keys.press("ArrowRight");
    await keys.press("ArrowDown");
    const active = await grid.getAttribute("aria-activedescendant");
    expect(active).toBe(await cell(page, 1, make).getAttribute("id"));
    await keys.press("F2");
    // The caret is at the end of the text.
    await keys.type("!");
    expect(await page.getByRole("textbox", { name: "make" }).inputValue()).toBe("Mercedes!");
    await keys.press("Control+a");
    await keys.type("Saab");
    await keys.press("Enter");
    await saved(page);
    expect(await cell(page, 1, make).textContent()).toBe("Saab");
    expect(await query("select make from depot.vehicles where id = 2")).toEqual([{ make: "Saab" }]);
    await keys.press("Control+z");
    await page.getByText("Redo").waitFor();
    expect(await query("select make from depot.vehicles where id = 2")).toEqual([
      { make: "Mercedes" },
    ]);
    await keys.press("Control+Shift+z");
    await saved(page);
    expect(await query("select make from depot.vehicles where id = 2")).toEqual([{ make: "Saab" }]);
    await keys.press("Control+z");
    await page.getByText("Redo").waitFor();
    await keys.press("Tab");
    expect(await grid.evaluate((element) => element === document.activeElement)).toBe(false);
  });

  it("shows the service's words for a value that a check refuses, and keeps the typed text", async () => {
    const page = await open("vehicles");
    const plate = await columnOf(page, "plate");
    await typeInto(page, cell(page, 0, plate), "nonsense");
    await page.getByRole("alert").waitFor();
    expect(await cell(page, 0, plate).textContent()).toBe("nonsense");
    expect(await query("select plate from depot.vehicles where id = 1")).toEqual([
      { plate: "BA-107-BK" },
    ]);
  });

  it("two people edit one row: the second sees both versions and chooses", async () => {
    const page = await open("vehicles");
    const model = await columnOf(page, "model");
    await query("update depot.vehicles set model = 'theirs' where id = 3");
    await typeInto(page, cell(page, 2, model), "mine");
    const dialog = page.getByRole("dialog", { name: "Another person has changed this row" });
    await dialog.waitFor();
    expect(await query("select model from depot.vehicles where id = 3")).toEqual([
      { model: "theirs" },
    ]);
    await dialog.getByLabel("Yours").check();
    await dialog.getByRole("button", { name: "Keep these" }).click();
    await saved(page);
    expect(await query("select model from depot.vehicles where id = 3")).toEqual([
      { model: "mine" },
    ]);
    // What the second person wrote is not undone over a third version.
    await query("update depot.vehicles set model = 'third' where id = 3");
    await undo(page);
    await dialog.waitFor();
    expect(await query("select model from depot.vehicles where id = 3")).toEqual([
      { model: "third" },
    ]);
  });

  it("copies a range as a spreadsheet takes it, and pastes one with its faults named", async () => {
    const page = await open("vehicles");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const make = await columnOf(page, "make");
    await cell(page, 4, make).click();
    await cell(page, 5, make + 1).click({ modifiers: ["Shift"] });
    await page.keyboard.press("Control+c");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      "Iveco\tDaily\nRenault\tMaster",
    );
    const paste = async (text: string) => {
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
      await page.keyboard.press("Control+v");
    };
    await cell(page, 6, make).click();
    await paste("Tatra\tT 815\nPraga\tV3S\n");
    await saved(page);
    expect(
      await query("select make, model from depot.vehicles where id in (7, 8) order by id"),
    ).toEqual([
      { make: "Tatra", model: "T 815" },
      { make: "Praga", model: "V3S" },
    ]);
    await cell(page, 6, make + 1).click();
    await paste("A\t2019\nB\tlast year");
    const dialog = page.getByRole("dialog", { name: "Paste" });
    await dialog.getByText("1 line has faults.").waitFor();
    expect(await dialog.locator("[aria-invalid]").inputValue()).toBe("last year");
    await page.keyboard.press("Escape");
    expect(await query("select model from depot.vehicles where id = 7")).toEqual([
      { model: "T 815" },
    ]);
  });

  it("pastes below the last row as new rows, after their number is confirmed, and takes all back together", async () => {
    await depot.addTables(
      `create table depot.guests (id int primary key generated always as identity, name text not null, email text);
       insert into depot.guests (name) values ('One'), ('Two')`,
      "guests",
    );
    const page = await open("guests", "?fields=name,email&order_by=id");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const rows = () => query("select name, email from depot.guests order by id");
    await cell(page, 1, 0).click();
    const text = "Changed\tchanged@example.com\nFirst new\tnew@example.com\nSecond new\t";
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await page.keyboard.press("Control+v");
    const dialog = page.getByRole("dialog", { name: "Paste" });
    // In the last row, several lines are new rows unless the person says otherwise.
    await dialog.getByText("3 new rows are created.").waitFor();
    await dialog.getByRole("radio", { name: "Over the selected cells" }).check();
    await dialog.getByText("1 row is changed.").waitFor();
    await dialog.getByText("2 new rows are created.").waitFor();
    const before = [
      { name: "One", email: null },
      { name: "Two", email: null },
    ];
    expect(await rows()).toEqual(before);
    await dialog.getByRole("button", { name: "Change 1 row and create 2 new rows" }).click();
    await cell(page, 3, 0).getByText("Second new").waitFor();
    await saved(page);
    const after = [
      { name: "One", email: null },
      { name: "Changed", email: "changed@example.com" },
      { name: "First new", email: "new@example.com" },
      { name: "Second new", email: null },
    ];
    expect(await rows()).toEqual(after);
    await undo(page);
    await page.getByText("Redo").waitFor();
    expect(await rows()).toEqual(before);
    expect(await cell(page, 2, 0).count()).toBe(0);
    await page.getByRole("button", { name: "Redo" }).click();
    await saved(page);
    expect(await rows()).toEqual(after);
  });

  it("a paste that reaches past the loaded rows loads them first, and offers the rest as new rows", async () => {
    await depot.addTables(
      `create table depot.callers (id int primary key generated always as identity, name text not null, email text);
       insert into depot.callers (name) select 'Caller ' || number from generate_series(1, 105) as number`,
      "callers",
    );
    const page = await open("callers", "?fields=name,email&order_by=id");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByText("100 of 105 rows").waitFor();
    const paste = async (column: number, text: string) => {
      await cell(page, 20, column).click();
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
      await page.keyboard.press("Control+v");
    };
    const counted = () =>
      query(
        "select count(*)::int as rows, count(*) filter (where name like 'New %')::int as named, count(email)::int as mailed from depot.callers",
      );
    const dialog = page.getByRole("dialog", { name: "Paste" });
    const lines = Array.from({ length: 95 }, (_, number) => `New ${number}`);
    // Without the name that each new row needs, nothing is offered to be created.
    await paste(1, lines.join("\n"));
    await dialog.getByText("10 lines are below the last").waitFor();
    await dialog.getByText("which also need this column: name.").waitFor();
    await dialog.getByRole("button", { name: "Change 85 rows" }).waitFor();
    await page.keyboard.press("Escape");
    await paste(0, lines.join("\n"));
    await dialog.getByText("85 rows are changed.").waitFor();
    await dialog.getByText("10 new rows are created.").waitFor();
    expect(await counted()).toEqual([{ rows: 105, named: 0, mailed: 0 }]);
    await dialog
      .getByRole("button", { name: "Change 85 rows and create 10 new rows" })
      .press("Enter");
    await saved(page);
    expect(await counted()).toEqual([{ rows: 115, named: 95, mailed: 0 }]);
    await undo(page);
    await page.getByText("Redo").waitFor();
    expect(await counted()).toEqual([{ rows: 105, named: 0, mailed: 0 }]);
  });

  it("a group opens in place by the keyboard, 50 rows at a time, and closes again", async () => {
    await depot.addTables(
      `create table depot.lots (id int primary key, kind text, place text);
       insert into depot.lots select number, case when number % 2 = 0 then 'Even' end, 'Place ' || number
       from generate_series(1, 130) as number`,
      "lots",
    );
    const page = await open("lots", "?group=kind&order_by=-id");
    const group = page.getByRole("button", { name: "Even" });
    await group.focus();
    expect(await group.getAttribute("aria-expanded")).toBe("false");
    await page.keyboard.press("ArrowRight");
    const inner = page.locator("table table");
    await inner.getByRole("columnheader", { name: "place" }).waitFor();
    expect(await group.getAttribute("aria-expanded")).toBe("true");
    const all = Array.from({ length: 65 }, (_, number) => String(130 - 2 * number));
    const ids = () => inner.locator("tbody tr td:first-child").allTextContents();
    expect(await ids()).toEqual(all.slice(0, 50));
    await page.getByRole("button", { name: "Show more" }).press("Enter");
    await expect.poll(ids).toEqual(all);
    expect(await page.getByRole("button", { name: "Show more" }).count()).toBe(0);
    await inner.getByRole("button").first().press("Enter");
    await page.getByRole("complementary", { name: "Record" }).waitFor();
    await page.keyboard.press("Escape");
    await group.press("ArrowLeft");
    expect(await inner.count()).toBe(0);
    // The rows without a value are a group too.
    await page.getByRole("button", { name: "none", exact: true }).press("Enter");
    await expect.poll(async () => (await ids())[0]).toBe("129");
    await page.getByRole("button", { name: "Show only these rows" }).press("Enter");
    await page.getByText("65 of 65 rows").waitFor();
  });

  it("every view is a link: order, columns and search are in the address", async () => {
    const page = await open("vehicles");
    await page.getByRole("columnheader", { name: "price" }).click();
    await page.getByRole("columnheader", { name: "price" }).click();
    await page.waitForURL(/order_by=-price/);
    await page.getByRole("searchbox", { name: "Search" }).fill("DAF");
    await page.waitForURL(/search=DAF/);
    await page.getByText(/^\d\d of \d\d rows$/).waitFor();
    const price = await columnOf(page, "price");
    const first = await cell(page, 0, price).textContent();
    await page.reload();
    await page.getByText(/^\d\d of \d\d rows$/).waitFor();
    await page.getByRole("columnheader", { name: "price" }).scrollIntoViewIfNeeded();
    expect(await cell(page, 0, price).textContent()).toBe(first);
    expect(await page.getByRole("columnheader", { name: "price" }).getAttribute("aria-sort")).toBe(
      "descending",
    );
  });

  it("deletes the chosen rows after their number is confirmed, and all of a filter after the name is typed", async () => {
    const page = await open("many_rows");
    await cell(page, 0, 0).click();
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Delete…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Delete 2 rows" }).click();
    await page.getByText(`of ${(manyRows - 2).toLocaleString("en")} rows`).waitFor();
    expect(await query("select count(*)::int from depot.many_rows where id in (1, 2)")).toEqual([
      { count: 0 },
    ]);
    const where = encodeURIComponent(JSON.stringify({ a: { _eq: 7 } }));
    const filtered = await open("many_rows", `?where=${where}`);
    await cell(filtered, 0, 0).click();
    await filtered.keyboard.press("Space");
    await filtered.getByRole("button", { name: "Delete…" }).click();
    await filtered.getByLabel("rows that match the filter").check();
    const confirm = filtered.getByRole("dialog").getByRole("button", { name: /^Delete \d+ rows$/ });
    expect(await confirm.isDisabled()).toBe(true);
    await filtered.getByLabel("type the name many_rows").fill("many_rows");
    await confirm.click();
    await filtered.getByText("No row matches").waitFor();
    expect(await query("select count(*)::int from depot.many_rows where a = 7")).toEqual([
      { count: 0 },
    ]);
  });

  it("changes several columns of the chosen rows by the keyboard, also hidden ones, and takes them back together", async () => {
    await recordHistory(journey.service, depot.resources, "drivers");
    const page = await open("drivers", "?fields=name");
    const before = await query("select id, name, email from depot.drivers order by id");
    await page.getByLabel("Select row 1", { exact: true }).click();
    await page.getByLabel("Select row 3", { exact: true }).click({ modifiers: ["Shift"] });
    await page.getByRole("button", { name: "Change…" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Change 3 rows" });
    const apply = dialog.getByRole("button", { name: /^Change \d column/ });
    // Nothing is chosen before the person does so.
    expect(await dialog.locator("fieldset fieldset, fieldset:has(input[type=text])").count()).toBe(
      0,
    );
    expect(await apply.isDisabled()).toBe(true);
    const add = async (name: string) => {
      await dialog.getByRole("combobox", { name: "Add a column to change" }).focus();
      await page.keyboard.type(name);
      await page.keyboard.press("Enter");
    };
    await add("Email");
    expect(await apply.isDisabled()).toBe(true);
    // The editor of a column that was added has the focus.
    await page.keyboard.type("office@example.com");
    await add("Name");
    await page.keyboard.type("Office");
    expect(await apply.textContent()).toBe("Change 2 columns of 3 rows");
    await apply.press("Enter");
    await saved(page);
    const counted =
      "select count(*)::int from depot.drivers where email = 'office@example.com' and name = 'Office'";
    expect(await query(counted)).toEqual([{ count: 3 }]);
    await undo(page);
    await page.getByText("Redo").waitFor();
    expect(await query("select id, name, email from depot.drivers order by id")).toEqual(before);
    // A conflict of one row does not lose the change of the others.
    await query("update depot.drivers set email = 'theirs@example.com' where id = 2");
    await page.getByRole("button", { name: "Change…" }).click();
    await add("Email");
    await dialog.getByRole("checkbox", { name: "Set to empty" }).press("Space");
    await apply.click();
    const conflict = page.getByRole("dialog", { name: "Another person has changed this row" });
    await conflict.getByText("theirs@example.com").waitFor();
    await conflict.getByText("Another program of the database").waitFor();
    await conflict.getByRole("button", { name: "Keep these" }).click();
    const emptied = "select id from depot.drivers where email is null order by id";
    await expect.poll(() => query(emptied)).toEqual([{ id: 1 }, { id: 3 }]);
    await dialog.waitFor({ state: "hidden" });
  });

  it("shows a refused value of a change at its field, of chosen rows and of a filter, and keeps what was typed", async () => {
    const where = encodeURIComponent(JSON.stringify({ make: { _eq: "Iveco" } }));
    const page = await open("vehicles", `?where=${where}`);
    await page.getByText(/^\d+ of \d+ rows$/).waitFor();
    await page.getByLabel("Select row 1", { exact: true }).click();
    await page.getByRole("button", { name: "Change…" }).click();
    const dialog = page.getByRole("dialog", { name: /^Change \d+ rows?$/ });
    await dialog.getByRole("combobox", { name: "Add a column to change" }).fill("plate");
    await page.keyboard.press("Enter");
    await page.keyboard.type("nonsense");
    for (const scope of ["The selected row", /^All \d+ rows/]) {
      await dialog.getByRole("radio", { name: scope }).check();
      await dialog.getByRole("button", { name: /^Change 1 column/ }).click();
      await dialog.getByRole("group", { name: "plate" }).getByRole("alert").waitFor();
      expect(await dialog.getByRole("textbox", { name: "plate" }).inputValue()).toBe("nonsense");
    }
    // Of several columns, the key that another row has names its own.
    await dialog.getByRole("combobox", { name: "Add a column to change" }).fill("price");
    await page.keyboard.press("Enter");
    await page.keyboard.type("7");
    await dialog.getByRole("textbox", { name: "plate" }).fill("BA-107-BK");
    await dialog.getByRole("radio", { name: "The selected row" }).check();
    await dialog.getByRole("button", { name: "Change 2 columns of 1 row" }).click();
    await dialog.getByRole("group", { name: "plate" }).getByRole("alert").waitFor();
    expect(await dialog.getByRole("alert").count()).toBe(1);
    expect(await query("select id from depot.vehicles where price = 7")).toEqual([]);
  });

  it("scrolls through all rows of a large table once each", async () => {
    const page = await open("many_rows", `?order_by=id&fields=id`);
    const grid = page.getByRole("grid");
    await grid.focus();
    const all = (await query<{ count: number }>("select count(*)::int from depot.many_rows"))[0]
      ?.count;
    await page.waitForFunction(
      (wanted) => {
        const element = document.querySelector('[role="grid"]');
        if (element === null) return false;
        element.scrollTop = element.scrollHeight;
        return element.scrollHeight < (wanted + 2) * 30 + 40 && element.scrollHeight > wanted * 30;
      },
      all ?? 0,
      { polling: 50, timeout: 60_000 },
    );
    await page.keyboard.press("Control+End");
    await expect
      .poll(() => page.locator('[role="gridcell"][data-column="0"]').last().textContent())
      .toBe(String(manyRows));
    const drawn = await page.locator('[role="row"]').count();
    expect(drawn).toBeLessThan(80);
  });

  it("saves views, and opens, changes, renames, orders and deletes them", async () => {
    const where = encodeURIComponent(JSON.stringify({ make: { _eq: "DAF" } }));
    const page = await open(
      "vehicles",
      `?where=${where}&order_by=-price&fields=plate,price&pinned=plate`,
    );
    const dialog = page.getByRole("dialog", { name: "Views" });
    const name = dialog.getByLabel("Name of a new view");
    await page.getByRole("button", { name: "Views", exact: true }).click();
    await name.fill("Dear DAFs");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Dear DAFs", exact: true }).waitFor();
    await page.waitForURL(/view=/);
    // A name exists once.
    await name.fill("Dear DAFs");
    await page.keyboard.press("Enter");
    await dialog.getByRole("alert").waitFor();
    await name.fill("Second");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Move Second up" }).click();
    await dialog.getByRole("button", { name: "Move Second up", disabled: true }).waitFor();
    await page.keyboard.press("Escape");

    await page.goto(depotPath("vehicles"));
    await page.getByRole("button", { name: "Views", exact: true }).click();
    await dialog.getByRole("button", { name: "Dear DAFs", exact: true }).click();
    await page.getByText("of 20 rows").waitFor();
    expect(await page.getByRole("columnheader", { name: "make" }).count()).toBe(0);
    const address = new URL(page.url()).searchParams;
    expect(address.get("order_by")).toBe("-price");
    expect(address.get("pinned")).toBe("plate");

    await page.getByRole("columnheader", { name: "price" }).click();
    await page.getByRole("button", { name: "Dear DAFs changed" }).click();
    await dialog.getByRole("button", { name: "Save changes to Dear DAFs" }).click();
    await dialog
      .getByRole("button", { name: "Save changes to Dear DAFs" })
      .waitFor({ state: "hidden" });
    await dialog.getByRole("button", { name: "Rename Dear DAFs" }).click();
    await dialog.getByLabel("Rename Dear DAFs").fill("DAFs");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "DAFs", exact: true }).waitFor();
    const kept = await query(
      "select name, definition from system.saved_views order by position, name",
    );
    expect(kept).toMatchObject([{ name: "Second" }, { name: "DAFs" }]);
    await dialog.getByRole("button", { name: "Delete DAFs" }).click();
    await dialog.getByRole("button", { name: "DAFs", exact: true }).waitFor({ state: "hidden" });
    await page.waitForURL((url) => !url.searchParams.has("view"));
    expect(await dialog.getByRole("button", { name: "Second", exact: true }).count()).toBe(1);
  });

  it("asks before it opens a view whose filter was written for another type, and saves it again", async () => {
    await depot.addTables(
      `create table depot.gauges (id int primary key, level int);
       insert into depot.gauges values (1, 4), (2, 40)`,
      "gauges",
    );
    const where = encodeURIComponent(JSON.stringify({ level: { _lt: 5 } }));
    const page = await open("gauges", `?where=${where}`);
    const dialog = page.getByRole("dialog", { name: "Views" });
    await page.getByRole("button", { name: "Views", exact: true }).click();
    await dialog.getByLabel("Name of a new view").fill("Low");
    await page.keyboard.press("Enter");
    await page.waitForURL(/view=/);
    await query("alter table depot.gauges alter level type text using level::text");
    await page.goto(depotPath("gauges"));
    await page.getByRole("button", { name: "Views", exact: true }).click();
    await dialog.getByRole("button", { name: "Low Filter to check" }).click();
    await dialog.getByText("level: the column has another type").waitFor();
    expect(new URL(page.url()).searchParams.has("where")).toBe(false);
    await dialog.getByRole("button", { name: "Open Low anyway" }).click();
    await page.waitForURL(/where=/);
    await page.getByRole("button", { name: "Low", exact: true }).click();
    await dialog.getByRole("button", { name: "Save changes to Low" }).click();
    await dialog.getByRole("button", { name: "Low", exact: true }).waitFor();
    await query("drop table depot.gauges");
  });

  it("shows a limited person nothing that they may not know, in the page and in every response", async () => {
    const role = (await journey.service.administer("POST", "/roles", { name: "Gate" })) as {
      readonly id: string;
    };
    const resourceId = depot.resources.find(({ name }) => name === "vehicles")?.id;
    await journey.service.administer("POST", "/grants", {
      ...{ roleId: role.id, resourceId, action: "READ" },
      fields: ["id", "plate"],
      rowFilter: { status: { _eq: "AVAILABLE" } },
    });
    await journey.service.administer("POST", "/grants", {
      ...{ roleId: role.id, resourceId, action: "UPDATE", fields: ["plate", "model"] },
    });
    const limited = await enter(journey.service, "gate@example.com", "Gro", role.id);
    const { page } = await journey.open();
    const responses: Promise<string>[] = [];
    page.on("response", (response) => {
      if (/api\//.test(response.url())) responses.push(response.text().catch(() => ""));
    });
    const where = encodeURIComponent(JSON.stringify({ price: { _gt: 0 } }));
    await openRows(page, limited, depotPath("vehicles"));
    await page.getByText(/^\d+ of \d+ rows$/).waitFor();
    // A column that they may change but not read cannot be changed back.
    await page.getByLabel("Select row 1", { exact: true }).click();
    await page.getByRole("button", { name: "Change…" }).click();
    await page
      .getByRole("dialog")
      .getByRole("combobox", { name: "Add a column to change" })
      .click();
    expect(await page.getByRole("listbox").getByRole("option").allTextContents()).toEqual([
      "Plate",
    ]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.getByRole("grid").focus();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("complementary", { name: "Record" }).getByText("plate").waitFor();
    await page.keyboard.press("Control+k");
    await page.locator("dialog input").fill("d");
    const shown = [await page.content()];
    // A link of a person who may see more reveals no name that the reader may not know.
    await page.goto(`${depotPath("vehicles")}?where=${where}&order_by=-odometer_km`);
    await page.getByRole("alert").first().waitFor();
    await page.goto(depotPath("drivers"));
    await page.getByRole("heading", { name: "Nothing to see here" }).waitFor();
    const texts = [...shown, ...(await Promise.all(responses))].join("\n");
    const unknown = [
      "Actros",
      "FH 460",
      "driver1@example.com",
      "Tail lift",
      "IN_WORKSHOP",
      "BA-107-BK",
    ];
    expect(unknown.filter((canary) => texts.includes(canary))).toEqual([]);
    const names = ["specification", "equipment", "inspected_on", "many_rows", "hostile"];
    expect(names.filter((canary) => texts.includes(canary))).toEqual([]);
    expect(texts).toContain("DA-121-DK");
  });
});
