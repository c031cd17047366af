// Tier: long. Starts a browser; of this page, `all` has the screens.
import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeWindows, hasChromium, openChromium } from "../src/chromium.ts";
import { enter } from "../src/people.ts";
import { type BrowserService, startBrowserService } from "../src/service.ts";
import { openStructure, prepareHaulage } from "../src/structure-screens.ts";
import { openPage } from "../src/watched-page.ts";
import { tabTo } from "./journey.ts";

const trips = "/admin/structure/haulage/table/trips";

describe.runIf(hasChromium())("the structure", () => {
  let service: BrowserService;
  let browser: Browser;
  let session: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startBrowserService(), openChromium()]);
    await prepareHaulage(service);
    const [role] = (await service.administer("GET", "/roles?search=administrators")) as {
      id: string;
    }[];
    session = await enter(service, "ida@example.com", "Ida", role?.id ?? "");
  });
  afterAll(async () => {
    await closeWindows(browser);
    await service.stop();
  });

  /** Runs a journey on a page of its own. Faults of the page fail it. */
  async function visit(path: string, journey: (page: Page) => Promise<void>): Promise<void> {
    const { page, faults, close } = await openPage(browser, service.url);
    await openStructure(page, session, path);
    await journey(page);
    expect(faults).toEqual([]);
    await close();
  }
  const tableOf = async (name: string) =>
    (await service.administer("GET", `/schema/haulage/tables/${name}`)) as {
      resourceId: string;
      columns: { name: string; dataType: string; nullable: boolean; default: string | null }[];
      foreignKeys: { targetTable: string; columns: string[]; onDelete: string }[];
      checks: { message: string | null }[];
      indexes: { keys: string[] }[];
    };

  it("a table is created with the keyboard alone, and a fault stands at its field", async () => {
    await visit("/admin/structure?schema=haulage", async (page) => {
      await tabTo(page, "link", "New table");
      await page.keyboard.press("Enter");
      await page.getByRole("textbox", { name: "Name of the table" }).waitFor();
      await page.keyboard.type("drivers");
      await tabTo(page, "button", "Column");
      await page.keyboard.press("Enter");
      // The name of the new column has the focus.
      await page.keyboard.type("name");
      await tabTo(page, "checkbox", "name is required");
      await page.keyboard.press("Space");
      await tabTo(page, "button", "Column");
      await page.keyboard.press("Enter");
      await page.keyboard.type("vehicle_id");
      await tabTo(page, "combobox", "Type of vehicle_id");
      await page.keyboard.press("Control+a");
      await page.keyboard.type("nonsense");
      await page.keyboard.press("Escape");
      await page.getByText("The draft has a fault, shown at its field.").waitFor();
      const type = page.getByRole("combobox", { name: "Type of vehicle_id" });
      expect(await type.getAttribute("aria-invalid")).toBe("true");
      await page.keyboard.press("Control+a");
      await page.keyboard.type("bigint");
      await page.keyboard.press("Enter");
      await tabTo(page, "button", "Foreign key");
      await page.keyboard.press("Enter");
      await page.getByRole("combobox", { name: "Table to refer to" }).waitFor();
      await page.keyboard.type("vehicles");
      await page.getByRole("option", { name: "vehicles haulage" }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByLabel("Column for id bigint").waitFor();
      await tabTo(page, "button", "Add to the draft");
      await page.keyboard.press("Enter");
      await page.getByText('references "haulage"."vehicles"').waitFor();
      await tabTo(page, "button", "Create…");
      await page.keyboard.press("Enter");
      await tabTo(page, "button", "Create");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/admin/structure/haulage/table/drivers");
    });
    const made = await tableOf("drivers");
    expect(made.columns.map(({ name, dataType, nullable }) => [name, dataType, nullable])).toEqual([
      ["id", "bigint", false],
      ["name", "text", false],
      ["vehicle_id", "bigint", true],
    ]);
    expect(made.foreignKeys).toMatchObject([{ columns: ["vehicle_id"], targetTable: "vehicles" }]);
  });

  it("a foreign key creates its column, and a column of images its foreign key and format, with the keyboard alone", async () => {
    await visit("/admin/structure/haulage/new/table", async (page) => {
      await page.getByRole("textbox", { name: "Name of the table" }).waitFor();
      await page.keyboard.type("services");
      await tabTo(page, "button", "Foreign key");
      await page.keyboard.press("Enter");
      await page.getByRole("combobox", { name: "Table to refer to" }).waitFor();
      await page.keyboard.type("vehicles");
      await page.getByRole("option", { name: "vehicles haulage" }).waitFor();
      await page.keyboard.press("Enter");
      const name = page.getByRole("textbox", { name: "Name of the new column" });
      await name.waitFor();
      expect(await name.inputValue()).toBe("vehicle_id");
      await tabTo(page, "button", "Add to the draft");
      await page.keyboard.press("Enter");
      await page.getByText('references "haulage"."vehicles"').waitFor();
      await tabTo(page, "button", "Column");
      await page.keyboard.press("Enter");
      await page.keyboard.type("photo_id");
      await tabTo(page, "combobox", "Type of photo_id");
      await page.keyboard.press("Control+a");
      await page.keyboard.type("imag");
      await page.getByRole("option", { name: "Image refers to files" }).waitFor();
      await page.keyboard.press("Enter");
      expect(await page.getByRole("combobox", { name: "Type of photo_id" }).inputValue()).toBe(
        "Image",
      );
      await page.getByText('"photo_id" uuid').waitFor();
      await page.getByText('references "system"."files"').waitFor();
      await tabTo(page, "button", "Create…");
      await page.keyboard.press("Enter");
      await tabTo(page, "button", "Create");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/admin/structure/haulage/table/services");
    });
    const made = await tableOf("services");
    expect(made.columns.map(({ name, dataType }) => [name, dataType])).toEqual([
      ["id", "bigint"],
      ["vehicle_id", "bigint"],
      ["photo_id", "uuid"],
    ]);
    expect(made.foreignKeys.map(({ columns, targetTable }) => [...columns, targetTable])).toEqual(
      expect.arrayContaining([
        ["vehicle_id", "vehicles"],
        ["photo_id", "files"],
      ]),
    );
    const formats = async () =>
      (
        (await service.administer("GET", `/resources/${made.resourceId}/columns`)) as {
          name: string;
          format: unknown;
        }[]
      ).flatMap(({ name, format }) => (format === null ? [] : [[name, format]]));
    expect(await formats()).toEqual([["photo_id", { type: "image" }]]);

    // A table that exists gets them by a change.
    await visit("/admin/structure/haulage/table/services", async (page) => {
      await tabTo(page, "button", "Column");
      await page.keyboard.press("Enter");
      await page.keyboard.type("plan_id");
      await tabTo(page, "combobox", "Type of plan_id");
      await page.keyboard.press("Control+a");
      await page.keyboard.type("imag");
      await page.keyboard.press("Enter");
      await page.getByText('add column "plan_id" uuid').waitFor();
      await tabTo(page, "button", "Apply…");
      await page.keyboard.press("Enter");
      await tabTo(page, "button", "Apply");
      await page.keyboard.press("Enter");
      await page.getByText("The changes are made.").waitFor();
    });
    expect(await formats()).toContainEqual(["plan_id", { type: "image" }]);
    await service.test.database.query("drop table haulage.services");
  });

  it("the indexes name the text columns that full-text search has none for, with the statement that creates one", async () => {
    await service.test.database.query(
      "create index by_purpose on haulage.trips using gin (to_tsvector('german', purpose))",
    );
    await visit(`${trips}?tab=indexes`, async (page) => {
      const list = page.getByRole("list", { name: "Full-text search" });
      expect(await list.isVisible()).toBe(false);
      await page.getByText("Full-text search", { exact: true }).click();
      const [purpose, destination] = await list.getByRole("listitem").allInnerTexts();
      expect(purpose).toContain("by_purpose (german)");
      expect(purpose).not.toContain("create index");
      expect(destination).toContain("no index");
      expect(destination).toMatch(
        /create index on haulage\.trips using gin \(to_tsvector\('\w+', destination\)\);/,
      );
    });
    await service.test.database.query("drop index haulage.by_purpose");
  });

  it("a change shows the rows that it fails on, with a link to them, and is made after its name is typed", async () => {
    await visit(trips, async (page) => {
      await page.getByRole("checkbox", { name: "purpose is required" }).check();
      await page.getByText("20 rows would fail").waitFor();
      const apply = page.getByRole("button", { name: "Apply…" });
      expect(await apply.isDisabled()).toBe(true);
      const link = page.getByRole("link", { name: "Show all 20 in the grid" });
      const href = (await link.getAttribute("href")) ?? "";
      const rows = await page.context().newPage();
      await openStructure(rows, session, href);
      // The head and the rows.
      await expect.poll(() => rows.locator("[role=row][data-row]").count()).toBe(21);
      await rows.close();
      await page.getByRole("button", { name: "Discard" }).click();
      await page.getByRole("combobox", { name: "Type of distance_km" }).fill("numeric(9,2)");
      await page.keyboard.press("Escape");
      await page.getByText("rewritten, reads and writes wait").waitFor();
      await page.getByRole("button", { name: "Open the details of destination" }).click();
      await page.getByRole("button", { name: "Drop the column" }).click();
      await page.getByText("Data goes for good: destination").waitFor();
      await apply.click();
      const done = page.getByRole("button", { name: "Apply", exact: true });
      await page.getByRole("textbox", { name: "Type destination to confirm" }).fill("destination");
      await page.getByRole("textbox", { name: "Type distance_km to confirm" }).fill("distance_km");
      await done.click();
      await page.getByText("The changes are made.").waitFor();
    });
    const made = await tableOf("trips");
    expect(made.columns.find(({ name }) => name === "distance_km")?.dataType).toBe("numeric(9,2)");
    expect(made.columns.some(({ name }) => name === "destination")).toBe(false);
  });

  it("a change by a second administrator meanwhile is neither lost nor made twice", async () => {
    await visit("/admin/structure/haulage/table/vehicles", async (page) => {
      await page.getByRole("button", { name: "Column", exact: true }).click();
      await page.keyboard.type("weight");
      await page.getByText('add column "weight" text').waitFor();
      await page.getByRole("checkbox", { name: "built is required" }).check();
      await page.getByText('alter column "built" set not null').waitFor();
      // The other administrator makes one of the two changes, and one more.
      await service.administer("PATCH", "/schema/haulage/tables/vehicles", {
        changes: [
          { kind: "changeColumn", column: "built", nullable: false, comment: "The year" },
          { kind: "addIndex", keys: [{ column: "built" }] },
        ],
      });
      await page.getByRole("button", { name: "Apply…" }).click();
      await page.getByRole("button", { name: "Apply", exact: true }).click();
      await page.getByText("so nothing was done").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("combobox", { name: "Type of weight" }).fill("int");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Read again" }).click();
      await page.getByText("Draft with 1 change").waitFor();
      await page.getByText('add column "weight" int;').waitFor();
      await page.getByRole("button", { name: "Apply…" }).click();
      await page.getByRole("button", { name: "Apply", exact: true }).click();
      await page.getByText("The changes are made.").waitFor();
    });
    const made = await tableOf("vehicles");
    expect(made.columns.map(({ name, nullable }) => [name, nullable])).toEqual([
      ["id", false],
      ["plate", false],
      ["built", false],
      ["weight", true],
    ]);
    expect(made.indexes).toHaveLength(1);
  });

  it("a view is written, filled, replaced beside another administrator's change, and dropped", async () => {
    await visit("/admin/structure/haulage/new/view", async (page) => {
      await page.getByRole("textbox", { name: "Name" }).fill("plates");
      await page.getByRole("checkbox", { name: /Materialized/ }).check();
      await write(page, "select id, platee from vehicles");
      await page.getByText("This column does not exist, near platee").waitFor();
      await page.getByRole("button", { name: "Go to the fault" }).click();
      await page.keyboard.type("plate");
      await page.getByText('create materialized view "haulage"."plates"').waitFor();
      await page.getByRole("button", { name: "Preview rows" }).click();
      const rows = page.getByRole("table", { name: "First rows" });
      await rows.getByRole("columnheader", { name: /^plate/ }).waitFor();
      await page.getByRole("textbox", { name: "Definition" }).focus();
      await page.keyboard.press("Control+End");
      await page.keyboard.type(" where vehic");
      // The list takes no key in its first moments.
      await page.getByRole("option", { name: "vehicles" }).click();
      await page.keyboard.type(".id < 0");
      await page.locator("pre").getByText("id < 0").waitFor();
      await page.getByRole("button", { name: "Preview rows" }).click();
      await page.getByText("The definition returns no row.").waitFor();
      await write(page, "select id, plate from vehicles");
      await page.getByRole("button", { name: "Create" }).click();
      await page.waitForURL("**/admin/structure/haulage/view/plates");
      const columns = page.getByRole("table", { name: "Columns" });
      await columns.getByRole("link", { name: "haulage.vehicles.plate" }).first().waitFor();
      await page.getByRole("button", { name: "Refresh" }).click();
      await page.getByText(/^Computed at/).waitFor();
      await page.getByRole("link", { name: "Who has refreshed it, and when" }).click();
      await page.waitForURL("**/admin/audit?**");
      await page
        .getByText(/refreshed the view/)
        .first()
        .waitFor();
      await page.goBack();
      await page.getByRole("button", { name: "Refresh" }).waitFor();
      await write(page, "select id, plate, 1 as mine from vehicles");
      await page.locator("pre").getByText("1 AS mine").waitFor();
      await expect
        .poll(() => page.getByRole("button", { name: "Save" }).getAttribute("aria-disabled"))
        .toBe("false");
      await service.administer("PUT", "/schema/haulage/views/plates", {
        definition: "select id, plate from vehicles where id > 7",
      });
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("nothing was saved").waitFor();
      await page.getByRole("button", { name: "Take theirs" }).click();
      const definition = page.getByRole("textbox", { name: "Definition" });
      expect(await definition.textContent()).toContain("> 7");
      await page.getByRole("button", { name: "Drop view" }).click();
      await page.getByRole("textbox", { name: "Type plates to confirm" }).fill("plates");
      await page.getByRole("dialog").getByRole("button", { name: "Drop view" }).click();
      await page.waitForURL("**/admin/structure?schema=haulage");
    });
    const views = (await service.administer("GET", "/schema/haulage/views")) as { name: string }[];
    expect(views.map(({ name }) => name)).not.toContain("plates");
  });

  it("label, format and colors of a column are set beside real values, and a view inherits them", async () => {
    const columnsOf = async (kind: "TABLE" | "VIEW", name: string) => {
      const [resource] = (await service.administer(
        "GET",
        `/resources?schema=haulage&kind=${kind}&search=${name}`,
      )) as { id: string }[];
      return (await service.administer("GET", `/resources/${resource?.id}/columns`)) as {
        name: string;
        label: string | null;
        format: unknown;
        colors: unknown;
      }[];
    };
    await visit(`${trips}?tab=presentation`, async (page) => {
      const save = page.getByRole("button", { name: "Save", exact: true });
      await page.getByRole("textbox", { name: "Label of distance_km" }).fill("Distance");
      await page.getByRole("combobox", { name: "Format of distance_km" }).selectOption("currency");
      await page.getByText("€1.0").first().waitFor();
      await page.getByRole("textbox", { name: "Currency" }).fill("none");
      await save.click();
      await page.getByRole("alert").first().waitFor();
      const label = page.getByRole("textbox", { name: "Label of distance_km" });
      expect(await label.inputValue()).toBe("Distance");
      await page.getByRole("combobox", { name: "Format of distance_km" }).selectOption("number");
      await page.getByRole("textbox", { name: "Decimals" }).fill("2");
      await page.getByRole("button", { name: "Color for a range" }).click();
      await page.getByRole("textbox", { name: "From, rule 1" }).fill("3");
      await save.click();
      await save.waitFor({ state: "detached" });
    });
    const distance = (await columnsOf("TABLE", "trips")).find(({ name }) => name === "distance_km");
    expect(distance).toMatchObject({
      label: "Distance",
      format: { type: "number", decimals: 2 },
      colors: [{ from: 3, color: "amber" }],
    });
    await visit("/admin/structure/haulage/view/vehicle_overview", async (page) => {
      await page.getByText("Shown as its source").first().waitFor();
      await page.getByRole("link", { name: "haulage.vehicles.plate" }).first().waitFor();
    });
  });

  it("a relation is named beside the label of its column", async () => {
    const relations = async () => {
      const [{ id } = { id: "" }] = (await service.administer(
        "GET",
        "/resources?schema=haulage&kind=TABLE&search=trips",
      )) as { id: string }[];
      const resource = (await service.administer("GET", `/resources/${id}`)) as {
        relations: { name: string }[];
      };
      return resource.relations.map(({ name }) => name);
    };
    await visit(`${trips}?tab=presentation`, async (page) => {
      const save = page.getByRole("button", { name: "Save", exact: true });
      const field = page.getByRole("textbox", { name: "Relation name" });
      await page.getByRole("button", { name: "Options of distance_km" }).click();
      expect(await field.count()).toBe(0);
      await page.getByRole("button", { name: "Options of vehicle_id" }).click();
      expect(await field.getAttribute("placeholder")).toBe("vehicle");
      await field.fill("distance_km");
      await save.click();
      await page.getByText("A column or another relation of the table has this name").waitFor();
      await field.fill("truck");
      await save.click();
      await save.waitFor({ state: "detached" });
      expect(await relations()).toContain("truck");
      await field.fill("");
      await save.click();
      await save.waitFor({ state: "detached" });
      expect(await relations()).toContain("vehicle");
    });
  });

  it("a table and its records are named for people, and one request stores all of it", async () => {
    const vehicles = "/admin/structure/haulage/table/vehicles";
    await visit(`${vehicles}?tab=presentation`, async (page) => {
      const writes: string[] = [];
      page.on("request", (request) => {
        if (request.method() !== "GET") writes.push(`${request.method()} ${request.url()}`);
      });
      await page.getByRole("textbox", { name: "Label", exact: true }).fill("Trucks");
      await page.getByRole("textbox", { name: "Label of plate" }).fill("Sign");
      const title = page.getByRole("textbox", { name: "Title of a record" });
      expect(await title.getAttribute("placeholder")).toMatch(/^\{\w+\}/);
      await title.fill("Truck {nothing}");
      const save = page.getByRole("button", { name: "Save", exact: true });
      await save.click();
      await page.getByText("The table has no column nothing").waitFor();
      await title.fill("Truck");
      await page.getByRole("combobox", { name: "Insert a field" }).selectOption("plate");
      expect(await title.inputValue()).toBe("Truck {plate}");
      await page.getByText("3 changes not saved").waitFor();
      writes.length = 0;
      await save.click();
      await save.waitFor({ state: "detached" });
      expect(writes).toEqual([expect.stringMatching(/^PATCH .*\/admin\/api\/resources\/[^/]+$/)]);
    });
    const [stored] = (await service.administer(
      "GET",
      "/resources?schema=haulage&kind=TABLE&search=vehicles",
    )) as { id: string; label: string }[];
    expect(stored?.label).toBe("Trucks");
    expect(await service.administer("GET", `/resources/${stored?.id}`)).toMatchObject({
      title: "Truck {plate}",
    });
  });

  it("what another person has changed meanwhile is overwritten by a second press alone", async () => {
    const [{ id } = { id: "" }] = (await service.administer(
      "GET",
      "/resources?schema=haulage&kind=TABLE&search=vehicles",
    )) as { id: string }[];
    const labelOf = async () =>
      ((await service.administer("GET", `/resources/${id}`)) as { label: string }).label;
    await visit("/admin/structure/haulage/table/vehicles?tab=presentation", async (page) => {
      const save = page.getByRole("button", { name: "Save", exact: true });
      await page.getByRole("textbox", { name: "Label", exact: true }).fill("Lorries");
      await service.administer("PATCH", `/resources/${id}`, { label: "Vans" });
      await save.click();
      await page.getByText("Somebody else has changed a value that you edited").waitFor();
      expect(await labelOf()).toBe("Vans");
      // A change of another value is no obstacle.
      await service.administer("PATCH", `/resources/${id}`, { description: "With plates" });
      await save.click();
      await save.waitFor({ state: "detached" });
      expect(await labelOf()).toBe("Lorries");
    });
  });

  it("the row history of a table is switched on and off by the keyboard alone", async () => {
    const history = async () => {
      const [resource] = (await service.administer(
        "GET",
        "/resources?schema=haulage&search=trips",
      )) as { history: boolean }[];
      return resource?.history;
    };
    await visit(`${trips}?tab=presentation`, async (page) => {
      const record = page.getByRole("checkbox", { name: "Record the changes" });
      const switchTo = async (isOn: boolean) => {
        await tabTo(page, "checkbox", "Record the changes of this table's rows");
        await page.keyboard.press("Space");
        await expect.poll(() => record.isChecked()).toBe(isOn);
        expect(await history()).toBe(isOn);
      };
      await expect.poll(() => record.isEnabled()).toBe(true);
      await switchTo(true);
      await switchTo(false);
    });
  });

  it("the map is read by the keyboard alone, as a drawing and as a list, and saved as an image of its own", async () => {
    const hostile = "<img src=x onerror=alert(1)>";
    await service.test.database.query(
      `create table haulage."${hostile}" (id int primary key, trip_id bigint references haulage.trips)`,
    );
    await visit("/admin/structure?schema=haulage", async (page) => {
      const { keyboard } = page;
      await tabTo(page, "link", "Map");
      await keyboard.press("Enter");
      await page.waitForURL("**/admin/structure/map?schema=haulage");
      await page.getByRole("heading", { name: "Map" }).waitFor();
      await tabTo(
        ...([page, "link"] as const),
        `haulage.${hostile}, 1 foreign key, no key refers to it`,
      );
      // A table stands to the right of those that it refers to.
      await keyboard.press("ArrowLeft");
      const focused = () =>
        page.evaluate(() => document.activeElement?.querySelector("title")?.textContent);
      expect(await focused()).toBe("haulage.trips, 1 foreign key, 1 key refers to it");
      const drawing = page.getByRole("region", { name: "Map of the tables" }).locator("svg");
      const widthOf = async () => Number(await drawing.getAttribute("width"));
      const before = await widthOf();
      for (let press = 0; press < 6; press += 1) await keyboard.press("+");
      await expect.poll(widthOf).toBeGreaterThan(before);
      await keyboard.press("ArrowLeft");
      expect(await focused()).toMatch(/^haulage\.vehicles, no foreign key, /);
      await keyboard.press("Enter");
      await page.waitForURL("**/admin/structure/haulage/table/vehicles");
      await page.goBack();
      await drawing.waitFor();
      await tabTo(page, "combobox", "Show as");
      await keyboard.press("ArrowDown");
      await page.waitForURL("**/admin/structure/map?schema=haulage&view=list");
      const row = page
        .getByRole("row")
        .filter({ has: page.getByRole("rowheader", { name: "trips", exact: true }) });
      expect(await row.getByRole("listitem").allTextContents()).toEqual([
        ...["vehiclesvehicle_id", `${hostile}trip_id`],
      ]);
      await keyboard.press("ArrowUp");
      await drawing.waitFor();
      await tabTo(page, "button", "Save as SVG");
      const [file] = await Promise.all([page.waitForEvent("download"), keyboard.press("Enter")]);
      expect(file.suggestedFilename()).toBe("haulage.svg");
      const text = await readFile(await file.path(), "utf8");
      expect(text).toContain("&lt;img src=x onerror=alert(1)&gt;");
      expect(text).not.toMatch(/var\(|class=|href=|<img|<style|<script/);
      expect(text).toContain('font-family="Inter, system-ui, sans-serif"');
      const viewer = await page.context().newPage();
      await viewer.goto(`data:image/svg+xml;base64,${Buffer.from(text).toString("base64")}`);
      const shown = await viewer.locator("text").allTextContents();
      await viewer.close();
      expect(shown).toEqual(expect.arrayContaining(["trips", "vehicles", "vehicle_id", "trip_id"]));
    });
  });

  it("no arrow of the map ends behind a table, also that of a table's own key", async () => {
    await service.test.database.query(
      "create table haulage.depots (id int primary key, parent_id int references haulage.depots)",
    );
    await visit("/admin/structure/map", async (page) => {
      await page.locator("path[marker-end]").first().waitFor({ state: "attached" });
      const hidden = await page.evaluate(() => {
        const cards = [...document.querySelectorAll("[data-table] rect")];
        const boxes = cards.map((card) => card.getBoundingClientRect());
        const arrows = [...document.querySelectorAll<SVGPathElement>("path[marker-end]")];
        const behind = arrows.filter((path) => {
          // The middle of the arrow.
          const middle = path.getPointAtLength(path.getTotalLength() - 4);
          const { x, y } = middle.matrixTransform(path.getScreenCTM() ?? undefined);
          return boxes.some(
            ({ left, right, top, bottom }) => x > left && x < right && y > top && y < bottom,
          );
        });
        return { cards: boxes.length > 0, arrows: arrows.length > 1, behind: behind.length };
      });
      expect(hidden).toEqual({ cards: true, arrows: true, behind: 0 });
    });
  });

  it("a drag moves the map and opens no table, and buttons move it too", async () => {
    await visit("/admin/structure/map?schema=haulage", async (page) => {
      const box = page.getByRole("region", { name: "Map of the tables" });
      for (let press = 0; press < 6; press += 1) {
        await page.getByRole("button", { name: "Enlarge" }).click();
      }
      const placeOf = () => box.evaluate(({ scrollLeft, scrollTop }) => scrollLeft + scrollTop);
      const start = await placeOf();
      const table = await box.getByRole("link", { name: /^haulage\.trips/ }).boundingBox();
      if (table === null) throw new Error("The map shows no trips");
      await page.mouse.move(table.x + 10, table.y + 10);
      await page.mouse.down();
      await page.mouse.move(table.x + 60, table.y + 40, { steps: 4 });
      await page.mouse.up();
      await expect.poll(placeOf).not.toBe(start);
      expect(new URL(page.url()).pathname).toBe("/admin/structure/map");
      const dragged = await placeOf();
      await page.getByRole("button", { name: "Move right" }).click();
      await page.getByRole("button", { name: "Move down" }).click();
      await expect.poll(placeOf).not.toBe(dragged);
    });
  });

  it("a table and its rows are created from a CSV file by the keyboard alone", async () => {
    const lines = Array.from(
      { length: 30 },
      (_none, index) =>
        `${index + 1};"P; ${index}";${index}.25;2026-01-31T12:00:00+02:00;2026-02-01;${index % 2 === 0};${["open", "done"][index % 2]};`,
    );
    const text = `ID;Plate;Unit Price;booked;day;active;State;note\r\n${lines.join("\r\n")}\r\n`;
    await visit("/admin/structure/haulage/new/table", async (page) => {
      const { keyboard } = page;
      await chooseFile(page, "Start from a CSV file (optional)", "Open Orders.csv", text);
      await page.getByText("Open Orders.csv: 30 rows.").waitFor();
      await page.getByText("Each value is there once in: ID, Plate, Unit Price.").waitFor();
      await page.getByText('create table "haulage"."open_orders"').waitFor();
      await tabTo(page, "textbox", "Name of the column plate");
      await keyboard.press("Control+a");
      await keyboard.type("sign");
      await page.getByText('"sign" text').waitFor();
      await tabTo(page, "button", "Create…", "Shift+Tab");
      await keyboard.press("Enter");
      await page.getByRole("dialog", { name: /^Create open_orders with the rows/ }).waitFor();
      await tabTo(page, "button", "Create and import");
      await keyboard.press("Enter");
      await page.getByText("Rows imported: 30.").waitFor();
      await tabTo(page, "button", "Open the table");
      await keyboard.press("Enter");
      await page.waitForURL("**/admin/structure/haulage/table/open_orders");
      await page.getByRole("heading", { name: /open_orders/ }).waitFor();
    });
    const { columns, checks } = await tableOf("open_orders");
    expect(columns.map(({ name, dataType }) => `${name} ${dataType}`)).toEqual([
      ...["id bigint", "sign text", "unit_price numeric", "booked timestamp with time zone"],
      ...["day date", "active boolean", "state text", "note text"],
    ]);
    expect(columns.filter(({ nullable }) => nullable).map(({ name }) => name)).toEqual(["note"]);
    expect(checks).toHaveLength(1);
    const rows = await service.test.database.query(
      "select sign, unit_price::text as price, active::text, note from haulage.open_orders where id = 3",
    );
    expect(rows).toEqual([{ sign: "P; 2", price: "2.25", active: "true", note: null }]);
    expect(await exposureOf("open_orders")).toEqual(["GET", "POST", "PATCH", "DELETE"]);
  });

  it("rows that the service refuses leave an empty table, which is dropped or filled from the mended file", async () => {
    const text = "code,note\nA,x\nB,\nC,z\n";
    await visit("/admin/structure/haulage/new/table", async (page) => {
      await chooseFile(page, "Start from a CSV file (optional)", "stops.csv", text);
      await page.getByRole("checkbox", { name: "note is required" }).check();
      await page.getByText('"note" text not null').waitFor();
      const create = async () => {
        await page.getByRole("button", { name: "Create…" }).click();
        await page.getByRole("checkbox", { name: "Expose the table in the Data API" }).uncheck();
        await page.getByRole("button", { name: "Create and import" }).click();
        await page.getByRole("dialog", { name: "stops is created and empty" }).waitFor();
      };
      await create();
      await page.getByText("Line 3").waitFor();
      expect(await service.test.database.query("select * from haulage.stops")).toEqual([]);
      await page.getByRole("button", { name: "Drop it and change the draft" }).click();
      await page.getByRole("button", { name: "Create and import" }).waitFor();
      await page.getByRole("button", { name: "Cancel" }).click();
      const gone = await service.test.database.query(
        "select to_regclass('haulage.stops')::text as name",
      );
      expect(gone).toEqual([{ name: null }]);
      // The draft is as it was.
      expect(await page.getByRole("checkbox", { name: "note is required" }).isChecked()).toBe(true);
      await create();
      await chooseFile(page, "The mended file", "mended.csv", text.replace("B,", "B,y"));
      await page.getByText("Rows imported: 3.").waitFor();
      await page.getByRole("button", { name: "Open the table" }).click();
      await page.waitForURL("**/admin/structure/haulage/table/stops");
    });
    expect(await exposureOf("stops")).toEqual([]);
  });

  async function chooseFile(page: Page, label: string, name: string, text: string): Promise<void> {
    const file = { name, mimeType: "text/csv", buffer: Buffer.from(text) };
    await page.getByLabel(label, { exact: true }).setInputFiles(file);
  }

  async function exposureOf(name: string): Promise<readonly string[]> {
    const found = (await service.administer("GET", `/resources?schema=haulage&search=${name}`)) as {
      exposedMethods: string[];
    }[];
    return found[0]?.exposedMethods ?? [];
  }
});

/** Replaces the definition of a view. */
async function write(page: Page, definition: string): Promise<void> {
  await page.getByRole("textbox", { name: "Definition" }).focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(definition);
}
