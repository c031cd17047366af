import type { Page } from "playwright-core";
import { openAdministration } from "./administration-screens.ts";
import { enterAs, type People } from "./people.ts";
import type { Screen } from "./screen.ts";
import type { BrowserService } from "./service.ts";

/** Creates DataViews of the depot in several layouts, and returns their ids by name. */
async function prepareViews({ administer }: BrowserService): Promise<ReadonlyMap<string, string>> {
  const resources = (await administer("GET", "/resources?schema=depot&limit=100")) as {
    readonly id: string;
    readonly name: string;
  }[];
  const resourceId = resources.find(({ name }) => name === "vehicles")?.id;
  const roles = (await administer("GET", "/roles?search=Depot")) as { readonly id: string }[];
  const night = (await administer("POST", "/roles", {
    name: "Night-shift-supervisors-of-all-northern-depots",
  })) as { readonly id: string };
  const roleIds = [...roles, night].map(({ id }) => id);
  const sections = [
    {
      title: "Vehicle",
      help: "As on its papers.",
      fields: [
        { field: "plate", help: "Two letters, three digits, two letters." },
        { field: "make" },
        { field: "model" },
        { field: "status", default: "AVAILABLE" },
      ],
    },
    { title: "Use", fields: [{ field: "driver_id" }, { field: "inspected_on" }] },
  ];
  const layouts = {
    "Fleet list": { layout: "table", columns: [] },
    "Fleet board": { layout: "kanban", group: "status", title: "plate" },
    "New vehicle": { layout: "form", use: "BOTH", sections },
    [`A DataView with a long name ${"of many words ".repeat(5)}`.trim()]: {
      ...{ layout: "cards", title: "plate", subtitle: "make", badges: ["status"] },
    },
  };
  const icons = ["truck", "kanban", "clipboard-list", null];
  const ids = new Map<string, string>();
  for (const [index, [name, presentation]] of Object.entries(layouts).entries()) {
    const { id } = (await administer("POST", "/data-views", {
      ...{ name, resourceId, roleIds: index === 1 ? [] : roleIds, icon: icons[index] ?? null },
      description: index === 3 ? "long words ".repeat(40) : "Vehicles of the depot",
      presentation: { version: 1, ...presentation },
    })) as { readonly id: string };
    ids.set(name, id);
  }
  return ids;
}

/** Creates a DataView whose filter was written for another type of its column, and returns its id. */
async function prepareLost({ administer, test }: BrowserService): Promise<string> {
  await test.database.query(
    "create table depot.gauges (id int primary key, level int, measured date); insert into depot.gauges values (1, 4), (2, 40)",
  );
  const [gauges] = (await administer("GET", "/resources?search=gauges")) as { id: string }[];
  await administer("PATCH", `/resources/${gauges?.id}`, { exposedMethods: ["GET"] });
  const { id } = (await administer("POST", "/data-views", {
    ...{ name: "Low gauges", resourceId: gauges?.id, where: { level: { _lt: 5 } } },
  })) as { readonly id: string };
  await test.database.query("alter table depot.gauges alter level type text using level::text");
  return id;
}

/** The screens of the builder of DataViews, of forms, and of the page of one row. */
export async function readingScreens(
  service: BrowserService,
  { administrator }: People,
): Promise<Screen[]> {
  const at = (path: string, ready: string) => async (page: Page) => {
    await openAdministration(page, administrator, path);
    await page.locator(ready).first().waitFor();
  };
  const open = (path: string, ready: string) => async (page: Page) => {
    await enterAs(page, administrator, path);
    await page.locator(ready).first().waitFor();
  };
  const ids = await prepareViews(service);
  const board = `/admin/data-views/${ids.get("Fleet board")}`;
  const list = `/admin/data-views/${ids.get("Fleet list")}`;
  const form = ids.get("New vehicle");
  const lost = await prepareLost(service);
  return [
    { name: "readings-list", show: at("/admin/data-views", "main table a") },
    { name: "readings-none-found", show: at("/admin/data-views?search=nothing", "main p") },
    { name: "readings-boards", show: at("/admin/dashboards", "h1") },
    {
      name: "readings-delete",
      show: async (page) => {
        await at("/admin/data-views", "main table a")(page);
        await page.getByRole("row").nth(1).getByRole("button").last().click();
        await page.getByRole("dialog").waitFor();
      },
    },
    {
      name: "builder-empty",
      isOneWidth: true,
      show: at("/admin/data-views/new", "main ul a"),
    },
    { name: "builder-table", isOneWidth: true, show: at(list, "input[name=limit]") },
    {
      name: "builder-lost",
      show: at(`/admin/data-views/${lost}`, "[role=alert]"),
    },
    { name: "builder-kanban", isOneWidth: true, show: at(board, "input[name=limit]") },
    {
      name: "builder-form",
      isOneWidth: true,
      show: at(`/admin/data-views/${form}`, "input[name=section-title]"),
    },
    { name: "form-rows", show: open(`/app/data-views/${form}`, "main ul button") },
    {
      name: "form-new",
      show: async (page) => {
        await open(`/app/data-views/${form}`, "main ul button")(page);
        await page.locator("main ul").locator("xpath=../..").getByRole("button").first().click();
        await page.locator("main form").waitFor();
      },
    },
    {
      name: "form-row",
      show: async (page) => {
        await open(`/app/data-views/${form}`, "main ul button")(page);
        await page.locator("main ul button").first().click();
        await page.locator("main form").waitFor();
      },
    },
    { name: "record-page", show: open("/app/records/depot/table/vehicles/5", "main section li") },
    { name: "home-readings", show: open("/app", "main section li a") },
  ];
}
