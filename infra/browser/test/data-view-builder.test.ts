// Tier: long. Starts a browser.
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { loadAxe } from "../src/axe.ts";
import { hasChromium } from "../src/chromium.ts";
import { type DepotResource, prepareDepot } from "../src/data-rows.ts";
import { administratorsId, enter, enterAs } from "../src/people.ts";
import { unreachableControls } from "../src/reach.ts";
import { prepareJourney, tabTo } from "./journey.ts";

interface StoredView {
  readonly id: string;
  readonly name: string;
  readonly icon: string | null;
  readonly position: number;
  readonly fields: readonly string[] | null;
  readonly orderBy: readonly string[];
  readonly roleIds: readonly string[];
  readonly presentation: Readonly<Record<string, unknown>>;
}

const phone = { viewport: { width: 390, height: 844 } };

describe.runIf(hasChromium())("the builder of DataViews", () => {
  const journey = prepareJourney();
  let administrator = "";
  let reader = "";
  let readerId = "";
  let resources: readonly DepotResource[] = [];

  const idOf = (name: string): string => resources.find((one) => one.name === name)?.id ?? "";
  const administer = (method: string, path: string, data?: unknown) =>
    journey.service.administer(method, path, data);
  const stored = async (name: string): Promise<StoredView | undefined> => {
    const views = (await administer("GET", "/data-views?limit=1000")) as readonly StoredView[];
    return views.find((view) => view.name === name);
  };

  beforeAll(async () => {
    const { service } = journey;
    resources = await prepareDepot(service);
    administrator = await enter(
      service,
      "boss@example.com",
      "Boss",
      await administratorsId(service),
    );
    // Members of this role see vehicles that are available, without prices, and set plate, make and model.
    const grant = (action: string, parts: object) =>
      administer("POST", "/grants", {
        ...{ roleId: journey.roleId, resourceId: idOf("vehicles"), action, fields: null },
        ...parts,
      });
    const seen = ["id", "plate", "make", "model", "status", "inspected_on", "is_leased"];
    await grant("READ", { fields: seen, rowFilter: { status: { _eq: "AVAILABLE" } } });
    const set = ["plate", "make", "model"];
    await grant("CREATE", { fields: set, presets: { status: "AVAILABLE", is_leased: true } });
    await grant("UPDATE", { fields: set, rowFilter: { status: { _eq: "AVAILABLE" } } });
    reader = await enter(service, "nora@example.com", "Nora", journey.roleId);
    const [user] = (await administer("GET", "/users?search=nora")) as { readonly id: string }[];
    readerId = user?.id ?? "";
  });

  const openBuilder = async (options = {}): Promise<Page> => {
    const { page } = await journey.open(options);
    await enterAs(page, administrator, "/admin/data-views/new");
    await page.getByRole("heading", { level: 1, name: "New DataView" }).waitFor();
    return page;
  };
  const choose = async (page: Page, label: string, text: string): Promise<void> => {
    await page.getByRole("combobox", { name: label, exact: true }).fill(text);
    await page.locator("[role=option]").first().waitFor();
    await page.keyboard.press("Enter");
  };
  const start = async (page: Page, name: string, table: string): Promise<void> => {
    await page.getByRole("searchbox", { name: "Find a table or view" }).fill(table);
    await page.getByRole("link", { name: table }).click();
    await page.getByRole("group", { name: "Layout" }).waitFor();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill(name);
  };
  const pick = (page: Page, layout: string) =>
    page.getByRole("group", { name: "Layout" }).getByText(layout, { exact: true }).click();
  const share = async (page: Page): Promise<void> => {
    await page.getByRole("combobox", { name: "Add a role", exact: true }).fill("Readers");
    await page.getByRole("option", { name: "Readers" }).click();
    await page.getByRole("button", { name: "Remove the role Readers" }).waitFor();
  };
  const save = async (page: Page): Promise<void> => {
    await page.getByRole("button", { name: "Save DataView" }).click();
    await page.getByRole("link", { name: "Open in the workspace" }).waitFor();
  };
  const preview = (page: Page) => page.getByRole("region", { name: "Preview" });

  it("builds a table with chosen fields, an order, a pin and a summary, and shows it meanwhile", async () => {
    const page = await openBuilder();
    await start(page, "Fleet list", "depot.vehicles");
    await preview(page).getByRole("grid").waitFor();
    await page.getByRole("checkbox", { name: "Every field that the reader may see" }).uncheck();
    const fields = page.getByRole("list", { name: "Fields", exact: true });
    for (const name of ["Model", "Built", "Equipment", "Specification"]) {
      await fields.getByRole("button", { name: `Remove ${name}`, exact: true }).click();
    }
    await choose(page, "Add a field", "driver name");
    await fields.getByRole("button", { name: "Move Plate up" }).click();
    await choose(page, "Add a field to sort by", "Plate");
    await page.getByRole("combobox", { name: "Direction of Plate" }).selectOption("down");
    await page.getByText("Widths, pins and summaries").click();
    await page.getByRole("checkbox", { name: "Pin Plate" }).check();
    await page.getByRole("combobox", { name: "Summary of price" }).selectOption("sum");
    // The first column of the preview follows the order of the fields.
    await preview(page)
      .getByRole("columnheader", { name: /^Plate/ })
      .waitFor();
    await page.getByRole("button", { name: /^Icon/ }).click();
    await page.getByRole("group", { name: "Icon" }).getByTitle("Truck").click();
    await page.getByRole("button", { name: "Icon Truck" }).waitFor();
    await share(page);
    await save(page);
    const view = await stored("Fleet list");
    expect(view).toMatchObject({ icon: "truck", orderBy: ["-plate"], roleIds: [journey.roleId] });
    expect(view?.fields?.[0]).toBe("plate");
    expect(view?.fields).toContain("driver.name");
    expect(view?.presentation.columns).toContainEqual({ field: "plate", pinned: true });
    expect(view?.presentation.columns).toContainEqual({ field: "price", summary: "sum" });
  });

  it("builds cards, a kanban and a calendar, offers only columns that fit, and asks before they are left", async () => {
    const page = await openBuilder();
    await start(page, "Fleet cards", "depot.vehicles");
    await pick(page, "Cards");
    await preview(page).getByText("BA-107-BK").first().waitFor();
    await choose(page, "Line below the title", "make");
    await save(page);
    expect((await stored("Fleet cards"))?.presentation).toMatchObject({
      ...{ layout: "cards", title: "plate", subtitle: "make" },
    });

    await page.goto("/admin/data-views/new");
    await start(page, "Fleet board", "depot.vehicles");
    await pick(page, "Kanban");
    const group = page.getByRole("combobox", { name: "Columns of the board by" });
    await group.fill("");
    await page.getByRole("option", { name: /status/ }).waitFor();
    const offered = await page.getByRole("option").allTextContents();
    expect(offered.some((text) => text.includes("price"))).toBe(false);
    await page.keyboard.press("Escape");
    await preview(page).getByText("AVAILABLE").first().waitFor();
    await choose(page, "Add a field to the cards", "Model");
    page.once("dialog", (dialog) => void dialog.dismiss());
    await page.getByRole("link", { name: "DataViews" }).first().click();
    expect(await page.getByRole("textbox", { name: "Name", exact: true }).inputValue()).toBe(
      "Fleet board",
    );
    await share(page);
    await save(page);
    expect((await stored("Fleet board"))?.presentation).toMatchObject({
      ...{ layout: "kanban", group: "status", fields: ["model"] },
    });

    await page.goto("/admin/data-views/new");
    await start(page, "Inspections", "depot.vehicles");
    await pick(page, "Calendar");
    await choose(page, "Start", "inspected");
    await save(page);
    expect((await stored("Inspections"))?.presentation).toMatchObject({
      ...{ layout: "calendar", start: "inspected_on", title: "plate" },
    });
    // A table without a time has no calendar, and says why.
    await page.goto("/admin/data-views/new");
    await start(page, "No times", "depot.drivers");
    expect(
      await page.getByRole("group", { name: "Layout" }).getByLabel("Calendar").isDisabled(),
    ).toBe(true);
  });

  it("builds a form by the keyboard alone, and its reader creates and changes rows with it", async () => {
    const page = await openBuilder();
    const { keyboard } = page;
    await tabTo(page, "searchbox", "Find a table or view");
    await keyboard.type("depot.vehicles");
    await tabTo(page, "link", "Vehicles depot.vehicles");
    await keyboard.press("Enter");
    await tabTo(page, "textbox", "Name");
    await keyboard.press("Control+a");
    await keyboard.type("New vehicle");
    // The chosen one of the layouts, among which the arrow keys move.
    const chosen = page.getByRole("group", { name: "Layout" }).getByLabel("Table");
    while (!(await chosen.evaluate((radio) => radio === document.activeElement))) {
      await keyboard.press("Tab");
    }
    await keyboard.press("ArrowLeft");
    await page.getByRole("textbox", { name: "Title of the section" }).waitFor();
    await tabTo(page, "textbox", "Title of the section");
    await keyboard.press("Control+a");
    await keyboard.type("About the vehicle");
    await tabTo(page, "textbox", "Help for the section");
    await keyboard.type("As on its papers.");
    await preview(page).getByText("BA-107-BK").first().waitFor();
    await share(page);
    await keyboard.press("Control+s");
    await page.getByRole("link", { name: "Open in the workspace" }).waitFor();
    const view = await stored("New vehicle");
    expect(view?.presentation).toMatchObject({ layout: "form", use: "BOTH" });

    // As the reader, only their rows and fields are there, before anything is shared.
    await page.goto(`/admin/data-views/${view?.id}?as=user%3A${readerId}`);
    await preview(page)
      .getByText("Set by the system")
      .or(preview(page).getByRole("list"))
      .first()
      .waitFor();
    expect(await preview(page).getByText("BA-107-BK").count()).toBe(0);

    const { page: own } = await journey.open();
    await enterAs(own, reader, `/app/data-views/${view?.id}`);
    await own.getByRole("button", { name: "New row" }).click();
    const form = own.getByRole("form", { name: /New row/ });
    await form.getByText("As on its papers.").waitFor();
    await form.getByRole("heading", { name: "Set by the system" }).waitFor();
    await form.getByRole("textbox", { name: "make" }).fill("Skoda");
    await form.getByRole("button", { name: /Create/ }).click();
    await form.getByText("1 required field is empty").waitFor();
    await form.getByRole("textbox", { name: "Plate" }).fill("no plate");
    await own.keyboard.press("Control+s");
    await form.locator("[aria-invalid=true][aria-label=Plate]").waitFor();
    expect(await form.getByRole("textbox", { name: "make" }).inputValue()).toBe("Skoda");
    await form.getByRole("textbox", { name: "Plate" }).fill("ZZ-900-ZZ");
    await own.keyboard.press("Control+s");
    await own.getByText("The row was created.").waitFor();
    const query = journey.service.test.database;
    const written =
      "select make, status::text, is_leased from depot.vehicles where plate = 'ZZ-900-ZZ'";
    expect(await query.query(written)).toEqual([
      { make: "Skoda", status: "AVAILABLE", is_leased: true },
    ]);
    await own.getByRole("button", { name: "Change it" }).click();
    const change = own.getByRole("form", { name: /Change a row/ });
    await change.getByRole("textbox", { name: "Model" }).fill("Octavia");
    await own.keyboard.press("Control+s");
    await own.getByText("The row was saved.").waitFor();
    const model = "select model from depot.vehicles where plate = 'ZZ-900-ZZ'";
    expect(await query.query(model)).toEqual([{ model: "Octavia" }]);
    await own.getByRole("button", { name: "Another one" }).click();
    await own.getByRole("form", { name: /New row/ }).waitFor();
  });

  it("builds on a phone, where the preview is beside the build, and every control is reached", async () => {
    const page = await openBuilder(phone);
    await start(page, "On a phone", "depot.trips");
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    await preview(page).locator("[data-rows], ul, [role=grid]").first().waitFor();
    expect(await unreachableControls(page)).toEqual([]);
    await page.getByRole("button", { name: "Build", exact: true }).click();
    expect(await unreachableControls(page)).toEqual([]);
    await save(page);
    expect((await stored("On a phone"))?.presentation).toMatchObject({ layout: "table" });
    expect(await (await loadAxe(page))()).toEqual([]);
  });

  it("shows the faults of the service at their controls, and the changes of another administrator", async () => {
    const page = await openBuilder();
    await start(page, "Contested", "depot.vehicles");
    await save(page);
    const view = await stored("Contested");
    await page.getByRole("textbox", { name: "Rows at most" }).fill("many");
    await page.getByText("Use a number from 1 to 100000").waitFor();
    await page.getByRole("textbox", { name: "Rows at most" }).fill("");
    await administer("PATCH", `/data-views/${view?.id}`, { description: "Theirs" });
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("x".repeat(101));
    await page.getByRole("button", { name: "Save DataView" }).click();
    await page.getByText("Somebody else has changed this DataView").waitFor();
    await page.getByRole("button", { name: "Save mine over it" }).click();
    await page.locator("input[name=name][aria-invalid=true]").waitFor();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Contested no more");
    await page.getByRole("button", { name: "Save DataView" }).click();
    await page.getByRole("button", { name: "Take theirs" }).click();
    expect(await page.getByRole("textbox", { name: "Description" }).inputValue()).toBe("Theirs");
  });

  it("orders, duplicates and deletes DataViews in their list, and the navigation follows", async () => {
    for (const name of ["Order A", "Order B"]) {
      await administer("POST", "/data-views", { name, resourceId: idOf("drivers") });
    }
    const { page } = await journey.open();
    await enterAs(page, administrator, "/admin/data-views");
    const table = page.getByRole("table", { name: "DataViews" });
    await table.getByRole("link", { name: "Order B" }).waitFor();
    const names = () => table.getByRole("rowheader").allTextContents();
    const all = await names();
    const from = all.indexOf("Order B");
    await table.getByRole("button", { name: "Move Order B up" }).focus();
    await page.keyboard.press("ArrowUp");
    await expect
      .poll(names)
      .toEqual([...all.slice(0, from - 1), ...["Order B", all[from - 1]], ...all.slice(from + 1)]);
    await page.getByRole("searchbox", { name: "Search DataViews" }).fill("Order B");
    await page.getByRole("button", { name: "Duplicate Order B" }).click();
    await page.getByRole("heading", { level: 1, name: "Order B (copy)" }).waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText("No role has it").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.waitForURL(/\/admin\/data-views$/);
    expect(await stored("Order B (copy)")).toBeUndefined();
  });
});
