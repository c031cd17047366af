import type { Page } from "playwright-core";
import { openAdministration } from "./administration-screens.ts";
import type { People } from "./people.ts";
import type { Screen } from "./screen.ts";
import type { BrowserService } from "./service.ts";

type Found = Readonly<Record<"id" | "name" | "slug" | "key" | "language", string>>;

/**
 * The pages of records that are kept in files, locked and unlocked. An apply would lock the records of the other screens,
 * so the list of the applied documents is given here.
 */
export async function managedScreens(
  { administer }: BrowserService,
  { administrator }: People,
): Promise<Screen[]> {
  const first = async (path: string): Promise<Found> => {
    const [found] = (await administer("GET", path)) as Found[];
    if (found === undefined) throw new Error(`Nothing at ${path}`);
    return found;
  };
  const role = await first("/roles?search=Porters");
  const grant = await first(`/grants?roleId=${role.id}`);
  const mail = await first("/templates?kind=MAIL");
  const invoice = await first("/templates?kind=DOCUMENT");
  const provider = await first("/auth-providers");
  const workflow = await first("/workflows?search=typical");
  const view = await first("/data-views");
  const board = await first("/dashboards?search=Orders");
  const data = [
    { part: "settings", names: [], path: "settings.yaml" },
    { part: "roles", names: [role.name], path: `roles/${role.name}.yaml` },
    { part: "tables", names: ["haulage", "trips"], path: "tables/haulage/trips.yaml" },
    {
      ...{ part: "views", names: ["haulage", "vehicle_overview"] },
      path: "views/haulage/vehicle_overview.yaml",
    },
    ...[mail, invoice].map(({ key, language }) => ({
      ...{ part: "templates", names: [key, language], path: `templates/${key}.${language}.yaml` },
    })),
    { part: "providers", names: [provider.key], path: `providers/${provider.key}.yaml` },
    { part: "workflows", names: [workflow.slug], path: `workflows/${workflow.slug}.yaml` },
    { part: "data-views", names: [view.name], path: `data-views/${view.name}.yaml` },
    { part: "dashboards", names: [board.name], path: `dashboards/${board.name}.yaml` },
  ];
  const at = (path: string, deed?: (page: Page) => Promise<void>) => async (page: Page) => {
    await page.route("**/admin/api/configuration/managed", (route) =>
      route.fulfill({ json: { data } }),
    );
    await openAdministration(page, administrator, path);
    await deed?.(page);
  };
  /** A page with the bar of its record. */
  const locked = (path: string) => at(path, (page) => page.locator("[role=note]").waitFor());
  const unlocked = (path: string) =>
    at(path, async (page) => {
      await page.locator("[role=note] button").click();
      await page.locator("[role=note] button").waitFor({ state: "detached" });
    });
  const roles = "/admin/people/roles";
  const trips = "/admin/structure/haulage/table/trips";
  const templates = "/admin/settings/templates";
  return [
    { name: "managed-roles", show: at(`${roles}?search=Porters`) },
    { name: "managed-role", show: locked(`${roles}/${role.id}?tab=settings`) },
    { name: "managed-role-unlocked", show: unlocked(`${roles}/${role.id}?tab=settings`) },
    {
      name: "managed-access",
      isOneWidth: true,
      show: at(`/admin/access?search=harbor.cranes&role=${role.id}`, async (page) => {
        await page.locator('[data-row] [data-column="4"]').first().click();
        await page.getByRole("menuitem").first().click();
        await page.locator("dialog[open]").waitFor();
      }),
    },
    { name: "managed-grant", show: locked(`/admin/access/grants/${grant.id}`) },
    { name: "managed-table", show: locked(trips) },
    { name: "managed-table-unlocked", show: unlocked(trips) },
    { name: "managed-table-keys", show: locked(`${trips}?tab=keys`) },
    { name: "managed-table-presentation", show: locked(`${trips}?tab=presentation`) },
    { name: "managed-view", show: locked("/admin/structure/haulage/view/vehicle_overview") },
    { name: "managed-mail", show: locked(`${templates}/${mail.id}`) },
    { name: "managed-document", show: locked(`${templates}/${invoice.id}`) },
    {
      name: "managed-provider",
      isOneWidth: true,
      show: at("/admin/people/providers", async (page) => {
        await page.locator("main li button").first().click();
        await page.getByRole("dialog").waitFor();
      }),
    },
    { name: "managed-settings", show: locked("/admin/settings") },
    { name: "managed-workflow", show: locked(`/admin/workflows/${workflow.id}`) },
    { name: "managed-workflow-code", show: locked(`/admin/workflows/${workflow.id}?view=code`) },
    { name: "managed-workflow-settings", show: locked(`/admin/workflows/${workflow.id}/settings`) },
    { name: "managed-data-view", show: locked(`/admin/data-views/${view.id}`) },
    {
      name: "managed-dashboard",
      show: at(`/admin/dashboards/${board.id}`, (page) =>
        page.locator("[data-chart] svg").first().waitFor({ state: "attached" }),
      ),
    },
  ];
}
