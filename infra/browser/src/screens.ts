import type { Page } from "playwright-core";
import { accessScreens, prepareAccess } from "./access-screens.ts";
import { accountScreens } from "./account-screens.ts";
import { administrationScreens, prepareTemplates } from "./administration-screens.ts";
import { clinicScreens } from "./clinic-screens.ts";
import { configurationScreens } from "./configuration-screens.ts";
import { consentScreens } from "./consent-screens.ts";
import { dashboardBuilderScreens } from "./dashboard-builder-screens.ts";
import { dashboardScreens } from "./dashboard-screens.ts";
import { dataScreens } from "./data-screens.ts";
import { dataViewScreens } from "./data-view-screens.ts";
import { filesScreens } from "./files-screens.ts";
import { filterScreens, prepareGarage } from "./filter-screens.ts";
import { managedScreens } from "./managed-screens.ts";
import { mcpScreens } from "./mcp-screens.ts";
import { openAs, preparePeople } from "./people.ts";
import { peopleScreens } from "./people-screens.ts";
import { readingScreens } from "./reading-screens.ts";
import type { Screen } from "./screen.ts";
import type { BrowserService } from "./service.ts";
import { shellScreens } from "./shell-screens.ts";
import { sqlScreens } from "./sql-screens.ts";
import { structureScreens } from "./structure-screens.ts";
import { workflowEditorScreens } from "./workflow-editor-screens.ts";
import { workflowScreens } from "./workflow-screens.ts";

/** Every screen: empty, typical and overfull. */
export async function prepareScreens(service: BrowserService): Promise<Screen[]> {
  const people = await preparePeople(service);
  await prepareTemplates(service);
  const at =
    (path: string, heading?: string) =>
    async (page: Page): Promise<void> => {
      await page.goto(path);
      await (heading === undefined
        ? page.locator("h1").waitFor()
        : page.getByRole("heading", { level: 1, name: heading }).waitFor());
    };
  const home = (session: string) => (page: Page) => openAs(page, session, "/app");
  return [
    { name: "sign-in", show: at("/admin/auth/sign-in") },
    {
      name: "sign-in-failed",
      show: async (page) => {
        await at("/admin/auth/sign-in")(page);
        await page.locator("input[type=email]").fill("somebody@example.com");
        await page.locator("input[name=password]").fill("not the password");
        await page.locator("button[type=submit]").click();
        await page.getByRole("alert").waitFor();
      },
    },
    { name: "register", show: at("/admin/auth/register") },
    {
      name: "register-overfull",
      show: async (page) => {
        await at("/admin/auth/register")(page);
        await page.locator("input[name=name]").fill("Donaudampfschifffahrt".repeat(8));
        await page.locator("input[type=email]").fill("no address");
        await page.locator("input[name=password]").fill("password123456");
        await page.locator("button[type=submit]").click();
        await page.locator("[aria-invalid]").first().waitFor();
      },
    },
    { name: "forgot", show: at("/admin/auth/forgot") },
    {
      name: "forgot-sent",
      show: async (page) => {
        await at("/admin/auth/forgot")(page);
        await page.locator("input[type=email]").fill(`${"a-long-name-".repeat(7)}@example.com`);
        await page.locator("button[type=submit]").click();
        await page.getByRole("status").waitFor();
      },
    },
    { name: "reset", show: at("/admin/auth/reset#token=rhl_x") },
    { name: "reset-broken-link", show: at("/admin/auth/reset") },
    { name: "verify", show: at("/admin/auth/verify#token=rhl_x") },
    { name: "invitation", show: at("/admin/auth/invitation#token=rhl_x") },
    { name: "complete-refused", show: at("/admin/auth/complete#error=account_exists") },
    { name: "complete-canceled", show: at("/admin/auth/complete#error=canceled") },
    { name: "complete-unverified", show: at("/admin/auth/complete#error=unverified") },
    { name: "complete-unknown", show: at("/admin/auth/complete#error=unknown_provider") },
    { name: "complete-linked", show: at("/admin/auth/complete#linked=real") },
    { name: "home-empty", show: home(people.empty) },
    { name: "home-typical", show: home(people.typical) },
    {
      name: "home-account",
      isOneWidth: true,
      show: async (page) => {
        await home(people.typical)(page);
        await page.locator("button[popovertarget]:visible").click();
        await page.getByRole("dialog").waitFor();
      },
    },
    { name: "home-overfull", show: home(people.overfull) },
    ...shellScreens(people),
    ...administrationScreens(people),
    ...sqlScreens(people),
    ...(await configurationScreens(service, people)),
    ...(await mcpScreens(service, people)),
    ...accessScreens(await prepareAccess(service)),
    ...(await structureScreens(service, people)),
    ...(await dashboardScreens(service)),
    ...(await dataScreens(service)),
    ...(await clinicScreens(service)),
    ...(await readingScreens(service, people)),
    ...(await dataViewScreens(service)),
    ...(await dashboardBuilderScreens(service)),
    ...(await filesScreens(service, people)),
    ...filterScreens(await prepareGarage(service)),
    ...(await accountScreens(service, people)),
    ...(await consentScreens(service, people)),
    ...(await peopleScreens(service, people)),
    ...(await workflowScreens(service, people)),
    ...(await workflowEditorScreens(service, people)),
    ...(await managedScreens(service, people)),
  ];
}
