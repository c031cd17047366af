import type { Page } from "playwright-core";
import { type DepotResource, prepareDepot } from "./data-rows.ts";
import { enter } from "./people.ts";
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

/** Opens the rows of a table as a person, and waits for the first of them. */
export async function openRows(page: Page, session: string, path: string): Promise<void> {
  await page.goto("/admin/auth/forgot");
  await page.evaluate((kept) => sessionStorage.setItem("rowhouse.session", kept), session);
  await page.goto(path);
  await page.locator("[data-rows]").first().waitFor();
}

/** The screens of rows. */
export async function dataScreens(service: BrowserService): Promise<Screen[]> {
  const { session } = await prepareDepotPerson(service);
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
        await page.locator("aside li").first().waitFor();
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
        await page.goto("/admin/auth/forgot");
        await page.evaluate((kept) => sessionStorage.setItem("rowhouse.session", kept), session);
        await page.goto(depotPath("nowhere"));
        await page.locator("h1").waitFor();
      },
    },
  ];
}
