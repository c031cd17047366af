import type { Page } from "playwright-core";
import { enterAs, type People } from "./people.ts";
import type { Screen } from "./screen.ts";
import type { BrowserService } from "./service.ts";

/** Opens a page of the structure, and waits until nothing on it is loading. */
export async function openStructure(page: Page, session: string, path: string): Promise<void> {
  await enterAs(page, session, path);
  await page.locator("main h1").waitFor();
  await page.locator("main [aria-busy=true]").first().waitFor({ state: "detached" });
}

/** Creates a schema whose tables have keys, checks, relations and rows that changes fail on. */
export async function prepareHaulage(service: BrowserService): Promise<void> {
  await service.test.database.query(`
    create schema haulage;
    create schema unused;
    create type haulage.state as enum ('PLANNED', 'RUNNING', 'DONE');
    create table haulage.vehicles (
      id bigint generated always as identity primary key, plate text not null unique, built int);
    create table haulage.trips (
      id bigint generated always as identity primary key,
      vehicle_id bigint not null references haulage.vehicles on delete restrict,
      distance_km numeric(9,1) not null, purpose text, state haulage.state default 'PLANNED',
      started_at timestamptz not null default now(), ended_at timestamptz,
      destination text,
      constraint in_order check (ended_at > started_at));
    comment on table haulage.trips is 'Every trip of a vehicle';
    comment on constraint in_order on haulage.trips is 'checkMessage: A trip ends after its start';
    create index on haulage.trips (vehicle_id, started_at desc);
    create index on haulage.trips (lower(destination)) where purpose is not null;
    insert into haulage.vehicles (plate, built) select 'P-' || n, 2000 + n % 20 from generate_series(1, 60) n;
    insert into haulage.trips (vehicle_id, distance_km, purpose, destination)
      select 1 + n % 60, case when n = 88 then 1204117.5 else n end,
        case when n % 20 = 0 then null else 'delivery' end, 'Oslo'
      from generate_series(1, 400) n;
    analyze haulage.vehicles, haulage.trips;
    create view haulage.vehicle_overview as
      select v.id, v.plate, count(t.id) as trips
      from haulage.vehicles v left join haulage.trips t on t.vehicle_id = v.id group by v.id;
    create materialized view haulage.purposes as
      select purpose, count(*) as trips from haulage.trips group by purpose;
    create table haulage."${"a_long_name_".repeat(5)}" (
      id int primary key, ${Array.from({ length: 60 }, (_one, n) => `"column number ${n + 1} of a wide table" text`).join(", ")},
      "جدول" text, "${"x".repeat(63)}" numeric(30, 12) not null default 0);
  `);
  const resources = (await service.administer("GET", "/resources?schema=haulage")) as {
    id: string;
    name: string;
  }[];
  for (const { id, name } of resources) {
    if (name !== "trips" && name !== "vehicle_overview") continue;
    await service.administer("PATCH", `/resources/${id}`, { exposedMethods: ["GET"] });
  }
}

/** The screens of schemas, tables and views. */
export async function structureScreens(
  service: BrowserService,
  { administrator }: People,
): Promise<Screen[]> {
  await prepareHaulage(service);
  // Two foreign keys beside a key of its own, and one of two texts has an index for its searches.
  await service.test.database.query(`
    create table haulage.escorts (
      id int primary key, trip_id bigint references haulage.trips, vehicle_id bigint references haulage.vehicles,
      note text, "a long name of a column with remarks" text);
    create index escorts_note_words on haulage.escorts using gin (to_tsvector('german', note));
  `);
  const at = (path: string) => (page: Page) => openStructure(page, administrator, path);
  const trips = "/admin/structure/haulage/table/trips";
  const escorts = "/admin/structure/haulage/table/escorts";
  const chooseFile = async (page: Page) => {
    await at("/admin/structure/haulage/new/table")(page);
    const lines = Array.from(
      { length: 40 },
      (_none, row) => `${row},P-${row},${row % 2 ? "a" : "b"}`,
    );
    await page.locator("main input[type=file]").setInputFiles({
      ...{ name: `${"a long name ".repeat(8)}.csv`, mimeType: "text/csv" },
      buffer: Buffer.from(["id,plate,state", ...lines].join("\n")),
    });
    await page.locator("main pre code").waitFor();
  };
  return [
    { name: "structure", show: at("/admin/structure?schema=haulage") },
    { name: "structure-empty", show: at("/admin/structure?schema=unused") },
    { name: "structure-overfull", show: at("/admin/structure?schema=fleet") },
    { name: "structure-found", show: at("/admin/structure?search=e") },
    { name: "structure-map", show: at("/admin/structure/map?schema=haulage") },
    { name: "structure-map-list", show: at("/admin/structure/map?schema=haulage&view=list") },
    { name: "structure-map-overfull", show: at("/admin/structure/map") },
    { name: "structure-map-empty", show: at("/admin/structure/map?schema=unused") },
    { name: "structure-table", show: at(trips) },
    { name: "structure-presentation", show: at(`${trips}?tab=presentation`) },
    { name: "structure-junction", show: at(`${escorts}?tab=presentation`) },
    {
      name: "structure-text-search",
      show: async (page) => {
        await at(`${escorts}?tab=indexes`)(page);
        await page.locator("main summary").click();
      },
    },
    { name: "structure-table-keys", show: at(`${trips}?tab=keys`) },
    { name: "structure-table-indexes", show: at(`${trips}?tab=indexes`) },
    { name: "structure-table-checks", show: at(`${trips}?tab=checks`) },
    {
      name: "structure-table-overfull",
      show: at(`/admin/structure/haulage/table/${"a_long_name_".repeat(5)}`),
    },
    { name: "structure-table-missing", show: at("/admin/structure/haulage/table/nothing") },
    { name: "structure-view", show: at("/admin/structure/haulage/view/vehicle_overview") },
    { name: "structure-view-stored", show: at("/admin/structure/haulage/view/purposes") },
    { name: "structure-new-view", show: at("/admin/structure/haulage/new/view") },
    { name: "structure-new-table", show: at("/admin/structure/haulage/new/table") },
    { name: "structure-from-file", show: chooseFile },
    {
      name: "structure-from-file-create",
      show: async (page) => {
        await chooseFile(page);
        await page.locator("main h1 ~ div button:not(:disabled)").last().click();
        await page.locator("dialog[open]").waitFor();
      },
    },
    {
      name: "structure-new-reference",
      show: async (page) => {
        await at("/admin/structure/haulage/new/table")(page);
        await page.locator("main input[name=table]").fill("services");
        await page.locator("main ul + div button, main div:has(> ul) + div button").last().click();
        await page.locator("dialog input").first().fill("vehicles");
        await page.locator("dialog [role=option]").first().click();
        await page.locator("dialog input[name=column]").waitFor();
      },
    },
    {
      name: "structure-file-types",
      show: async (page) => {
        await at("/admin/structure/haulage/new/table")(page);
        await page.locator("main input[name=table]").fill("services");
        await page.locator("main div:has(> ul) + div button").first().click();
        await page.keyboard.type("photo_id");
        const type = page.locator("main ul li").last().locator("[role=combobox]");
        await type.click();
        await page.locator("[role=option]").nth(1).click();
        await page.locator("main pre code").waitFor();
        await type.click();
      },
    },
    {
      name: "structure-draft",
      show: async (page) => {
        await at(trips)(page);
        await page.locator("main input[type=text]").nth(5).fill("numeric(7,1)");
        await page.keyboard.press("Escape");
        await page.locator("main input[type=checkbox]").nth(3).check();
        await page.locator("main li button").last().click();
        await page.locator("main li button").last().click();
        await page.locator("main [role=alert]").waitFor();
      },
    },
  ];
}
