import type { Page } from "playwright-core";
import { type DepotResource, prepareDepot } from "./data-rows.ts";
import { enter, enterAs } from "./people.ts";
import type { Screen } from "./screen.ts";
import type { BrowserService } from "./service.ts";
import { transferScreens } from "./transfer-screens.ts";

const actions = ["READ", "CREATE", "UPDATE", "DELETE"] as const;

/** The path of the rows of a table or view of the fixture. */
export function depotPath(name: string, kind: "table" | "view" = "table"): string {
  return `/app/data/depot/${kind}/${encodeURIComponent(name)}`;
}

/** Creates the fixture and a person who may do everything with it; returns their session. */
export async function prepareDepotPerson(service: BrowserService): Promise<{
  readonly session: string;
  readonly resources: readonly DepotResource[];
}> {
  const resources = await prepareDepot(service);
  const role = (await service.administer("POST", "/roles", { name: "Depot" })) as { id: string };
  for (const { id, kind } of resources) {
    for (const action of kind === "VIEW" ? (["READ"] as const) : actions) {
      const data = { roleId: role.id, resourceId: id, action, fields: null };
      await service.administer("POST", "/grants", data);
    }
  }
  return { session: await enter(service, "iris@example.com", "Iris Lund", role.id), resources };
}

/** Switches the row history of a table of the fixture on. */
export async function recordHistory(
  service: BrowserService,
  resources: readonly DepotResource[],
  table: string,
): Promise<void> {
  const resource = resources.find(({ name }) => name === table);
  await service.administer("PATCH", `/resources/${resource?.id}`, { history: true });
}

/** Changes a row of the fixture as a person. */
export async function changeRow(
  service: BrowserService,
  session: string,
  row: string,
  data: object,
): Promise<void> {
  const { token } = JSON.parse(session) as { readonly token: string };
  const answer = await fetch(`${service.url}/api/depot/table/${row}`, {
    method: "PATCH",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ data }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** Opens the rows of a table as a person, and waits for the first of them. */
export async function openRows(page: Page, session: string, path: string): Promise<void> {
  await enterAs(page, session, path);
  await page.locator("[data-rows]").first().waitFor();
}

export async function dataScreens(service: BrowserService): Promise<Screen[]> {
  const { session, resources } = await prepareDepotPerson(service);
  await recordHistory(service, resources, "vehicles");
  await service.test.database.query(
    "update depot.vehicles set status = 'ON_TRIP', price = price + 1.5, equipment = '{tow bar,roof rack}' where id = 5",
  );
  await changeRow(service, session, "vehicles/5", { model: "Transit", inspected_on: null });
  const rows =
    (name: string, query = "", kind: "table" | "view" = "table") =>
    async (page: Page) =>
      openRows(page, session, `${depotPath(name, kind)}${query}`);
  const where = encodeURIComponent(JSON.stringify({ status: { _in: ["AVAILABLE", "ON_TRIP"] } }));
  return [
    { name: "rows", show: rows("vehicles") },
    {
      name: "rows-filtered",
      show: rows("vehicles", `?where=${where}&order_by=-price&pinned=plate`),
    },
    { name: "rows-grouped", show: rows("vehicles", "?group=status") },
    {
      name: "rows-group-open",
      show: async (page) => {
        await rows("vehicles", "?group=status&fields=plate,make,model,price,driver_id")(page);
        await page.locator("td button[aria-expanded]").nth(1).click();
        await page.locator("table table").waitFor();
      },
    },
    {
      name: "rows-record",
      show: async (page) => {
        await rows("vehicles", `?open=${encodeURIComponent('["depot/table/vehicles/5"]')}`)(page);
        // The editor of JSON has loaded too.
        await page.locator("aside form .cm-content").waitFor();
      },
    },
    {
      name: "rows-related",
      show: async (page) => {
        await rows("vehicles", `?open=${encodeURIComponent('["depot/table/vehicles/5"]')}`)(page);
        await page.getByRole("tab").nth(1).click();
        await page.locator("aside [data-line]").first().waitFor();
      },
    },
    {
      name: "rows-history",
      show: async (page) => {
        await rows("vehicles", `?open=${encodeURIComponent('["depot/table/vehicles/5"]')}`)(page);
        await page.getByRole("tab").last().click();
        await page.locator("aside ol li").first().waitFor();
      },
    },
    {
      name: "rows-unsaved",
      show: async (page) => {
        await page.route("**/api/batch", (route) => route.abort());
        await rows("vehicles", "?fields=plate,make,model,built")(page);
        const cell = page.locator('[data-row="1"] [data-column="2"]');
        // A narrow window has cards, which are edited in the record.
        if ((await cell.count()) === 0) return;
        await cell.dblclick();
        await page.keyboard.type(" with a trailer");
        await page.keyboard.press("Enter");
        await page.locator("[aria-invalid]").waitFor();
        await page.keyboard.press("ArrowUp");
      },
    },
    {
      name: "rows-change-overfull",
      show: async (page) => {
        await rows("vehicles")(page);
        const boxes = page.locator('[role="row"] input[type="checkbox"]');
        // Cards of a narrow window have no boxes.
        if ((await boxes.count()) === 0) return;
        await boxes.nth(1).click();
        await boxes.nth(3).click({ modifiers: ["Shift"] });
        await page.locator('[role="toolbar"] button:has(.lucide-pencil)').click();
        for (const name of ["plate", "price", "driver_id"]) {
          await page.locator('dialog input[role="combobox"]').last().fill(name);
          await page.keyboard.press("Enter");
          if (name === "plate") await page.keyboard.type("nonsense");
        }
        await page.locator('dialog input[type="checkbox"]').first().check();
        await page.locator('dialog input[type="checkbox"]').last().check();
        await page.locator("dialog button").last().click();
        await page.locator("dialog [role=alert]").waitFor();
      },
    },
    { name: "rows-empty", show: rows("empty_table") },
    { name: "rows-no-match", show: rows("vehicles", "?search=nothing+like+this") },
    { name: "rows-every-type", show: rows("every_type") },
    { name: "rows-hostile-overfull", show: rows("hostile") },
    { name: "rows-wide-overfull", show: rows("wide") },
    { name: "rows-odd-names-overfull", show: rows('جدول, with "quotes" and.dots') },
    { name: "rows-view", show: rows("late_vehicles", "", "view") },
    ...transferScreens(rows("vehicles")),
    {
      name: "rows-missing",
      show: async (page) => {
        await enterAs(page, session, depotPath("nowhere"));
        await page.locator("h1").waitFor();
      },
    },
  ];
}
