import type { Page } from "playwright-core";
import { enterAs, type People } from "./people.ts";
import type { Screen } from "./screen.ts";
import type { BrowserService } from "./service.ts";

/** Opens a page of the administration, and waits until nothing on it is loading. */
export async function openAdministration(page: Page, session: string, path: string): Promise<void> {
  await enterAs(page, session, path);
  await page.locator("main h1").waitFor();
  // What is not shown may wait until it is.
  await page.locator("main [aria-busy=true]:visible").first().waitFor({ state: "detached" });
}

/** Shows a page as on a database server of which the service says something else. */
const onServer =
  (facts: object) =>
  (show: (page: Page) => Promise<void>) =>
  async (page: Page): Promise<void> => {
    await page.route("**/admin/api/database-server", async (route) => {
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: object };
      await route.fulfill({
        response,
        json: { data: { ...data, ...facts } },
      });
    });
    await show(page);
  };

/** Shows a page as on a server of PostgreSQL that is newer than those of the tests. */
export const onUntriedServer = onServer({ version: "19.0", isTested: false });

/** Shows a page as with a service's login that may do everything in the schema `system`. */
const onOpenLogin = onServer({ codeMayAdminister: true });

/** Adds a document, whose template the screens show. */
export async function prepareTemplates(service: BrowserService): Promise<void> {
  await service.administer("POST", "/templates", {
    kind: "DOCUMENT",
    key: "invoice",
    language: "en",
    title: "Invoice",
    format: "HTML",
    source: `<!doctype html>
<html lang="en">
<title>Invoice {{ number }}</title>
<style>
  body { font-family: sans-serif; margin: 2rem }
  td { padding: 0.25rem 1rem 0.25rem 0; border-bottom: 1px solid #999 }
</style>
<h1>Invoice {{ number }}</h1>
<p>{{ customer }}</p>
<table>
{% for line in lines %}<tr><td>{{ line.text }}<td>{{ line.price }}</tr>
{% endfor %}</table>
</html>`,
    sample: {
      number: 17,
      customer: "Bits & Bytes",
      lines: [
        { text: "Inspection", price: "99.50" },
        { text: "Tires", price: "412.00" },
      ],
    },
  });
}

/** The screens of the administration's frame and of the audit log. */
export function administrationScreens({ administrator, typical }: People): Screen[] {
  const at = (path: string) => (page: Page) => openAdministration(page, administrator, path);
  const atTemplate = async (page: Page): Promise<void> => {
    await at("/admin/settings/templates")(page);
    await page.locator("main table a").first().click();
    await page.locator("main [aria-busy=false]").waitFor();
  };
  return [
    { name: "missing", show: (page) => openAdministration(page, typical, "/admin/nowhere") },
    { name: "administration", show: at("/admin") },
    { name: "administration-untried-server", show: onUntriedServer(at("/admin")) },
    { name: "administration-open-login", show: onOpenLogin(at("/admin")) },
    { name: "first-steps", show: at("/app") },
    { name: "first-steps-tables", show: at("/admin/open-tables") },
    { name: "first-steps-connect", show: at("/admin/connect") },
    { name: "audit", show: at("/admin/audit") },
    {
      name: "audit-filtered",
      show: at("/admin/audit?targetKind=grant&since=2026-01-01T00:00:00Z&outcome=SUCCEEDED"),
    },
    {
      name: "audit-open",
      show: async (page) => {
        await at("/admin/audit?range=today&address=127.0.0.1")(page);
        await page.locator("main button[aria-expanded]").first().click();
        await page.locator("main h3").waitFor();
      },
    },
    { name: "settings", show: at("/admin/settings") },
    { name: "settings-section", show: at("/admin/settings?section=limits") },
    { name: "settings-empty", show: at("/admin/settings?search=no+such+setting") },
    {
      name: "settings-refused",
      show: async (page) => {
        await at("/admin/settings?search=security")(page);
        await page.locator("main section ul + button").first().click();
        await page.locator("main section ul input").first().fill("http://plain.example");
        await page.locator("main section ul + button").first().click();
        await page.locator("main section ul input").nth(1).fill("no origin");
        await page.locator("button[type=submit]").click();
        await page.locator("[aria-invalid=true]").first().waitFor();
      },
    },
    { name: "settings-templates", show: at("/admin/settings/templates") },
    { name: "settings-template", show: atTemplate },
    {
      name: "settings-template-refused",
      show: async (page) => {
        await atTemplate(page);
        await page.locator("input[name=subject]").fill("{{ nobody }} ".repeat(30));
        await page.locator("textarea[name=html]").fill("<p>{{ name | raw }}</p>");
        await page.locator("[aria-invalid=true]").nth(1).waitFor();
      },
    },
    {
      name: "settings-document",
      show: async (page) => {
        await at("/admin/settings/templates")(page);
        await page.getByRole("table").nth(1).locator("a").first().click();
        await page.locator("main iframe").waitFor();
        await page.locator("main [aria-busy=false]").waitFor();
      },
    },
    {
      name: "settings-document-refused",
      show: async (page) => {
        await at("/admin/settings/templates")(page);
        await page.getByRole("table").nth(1).locator("a").first().click();
        await page.locator("textarea[name=sample]").fill("[1");
        await page.locator("[aria-invalid=true]").waitFor();
      },
    },
    {
      name: "settings-document-add",
      isOneWidth: true,
      show: async (page) => {
        await at("/admin/settings/templates")(page);
        await page.locator("main section").nth(1).locator("button").first().click();
        await page.getByRole("dialog").waitFor();
      },
    },
    {
      name: "settings-template-add",
      isOneWidth: true,
      show: async (page) => {
        await at("/admin/settings/templates")(page);
        await page.locator("main section button").first().click();
        await page.getByRole("dialog").waitFor();
      },
    },
    { name: "sealed-values", show: at("/admin/settings/sealed-values") },
    { name: "reference", show: at("/admin/reference?of=admin&search=roles") },
    {
      name: "reference-open",
      show: async (page) => {
        await at("/admin/reference?search=trips&open=PATCH+/api/fleet/table/trips/%7Bid%7D")(page);
        await page.locator("main h4").first().waitFor();
      },
    },
    { name: "audit-empty", show: at("/admin/audit?action=workflow_secret.delete") },
  ];
}
