import type { Page } from "playwright-core";
import { openAdministration } from "./administration-screens.ts";
import type { People } from "./people.ts";
import { newOne, type Screen } from "./screen.ts";
import type { BrowserService } from "./service.ts";
import { prepareWorkflows } from "./workflows.ts";

const testInput = JSON.stringify({
  ...{ query: {}, meta: {} },
  body: { plate: "GO-102-WK", cost: 899.5, legs: [1, 900, 3] },
});

/** The screens of workflows and their runs: empty, typical and overfull. */
export async function workflowScreens(
  service: BrowserService,
  { administrator }: People,
): Promise<Screen[]> {
  const { report, idle, good, failed, unknown, large } = await prepareWorkflows(service);
  const at = (path: string) => (page: Page) =>
    openAdministration(page, administrator, `/admin/workflows${path}`);
  return [
    { name: "workflow-list", show: at("?search=report") },
    { name: "workflow-list-overfull", show: at("") },
    { name: "workflow-list-empty", show: at("?search=no-such-workflow") },
    {
      name: "workflow-new",
      show: async (page) => {
        await at("/new")(page);
        await page.locator("main li [role=img]").first().waitFor();
      },
    },
    {
      name: "workflow-new-example",
      show: async (page) => {
        await at("/new")(page);
        await page.locator("main section:last-of-type li button").nth(2).click();
        await page.locator("dialog dl .text-warn").first().waitFor();
      },
    },
    {
      name: "workflow-new-failed",
      isOneWidth: true,
      show: async (page) => {
        await at("/new")(page);
        await page.locator("main li button").first().click();
        await page.locator("dialog input[name=name]").fill("Report a trip");
        await page.locator("dialog input[name=slug]").fill("Not a slug");
        await page.locator("dialog button[type=submit]").click();
        await page.locator("dialog [aria-invalid=true], dialog [role=alert]").first().waitFor();
      },
    },
    { name: "workflow-runs", show: at(`/${report}/runs`) },
    { name: "workflow-runs-filtered", show: at(`/${report}/runs?status=FAILED&requestId=none`) },
    { name: "workflow-runs-empty", show: at(`/${idle}/runs`) },
    { name: "workflow-run", show: at(`/${report}/runs/${good}?step=row`) },
    { name: "workflow-run-start", show: at(`/${report}/runs/${unknown}`) },
    { name: "workflow-run-failed", show: at(`/${report}/runs/${failed}`) },
    {
      name: "workflow-run-compared",
      show: at(`/${report}/runs/${failed}?step=row&compare=${good}`),
    },
    {
      name: "workflow-run-overfull",
      show: at(`/${large.workflow}/runs/${large.run}?step=each.73.value`),
    },
    ...(
      [
        ["workflow-graph-run", `/${report}/runs/${failed}?view=graph`],
        [
          "workflow-graph-run-overfull",
          `/${large.workflow}/runs/${large.run}?view=graph&step=each.73.value`,
        ],
      ] as const
    ).map(([name, path]) => ({
      name,
      show: async (page: Page) => {
        await at(path)(page);
        await page.locator("[data-card]").first().waitFor();
      },
    })),
    {
      name: "workflow-test",
      show: async (page) => {
        await at(`/${report}/test`)(page);
        await page.locator(".cm-editor").waitFor();
      },
    },
    {
      name: "workflow-test-result",
      show: async (page) => {
        await at(`/${report}/test`)(page);
        await page.locator(".cm-content").first().click();
        await page.keyboard.press("Control+a");
        await page.keyboard.insertText(testInput);
        await page.locator("main button[class*=bg-accent]").last().click();
        await page.locator("main [role=tree]").waitFor();
        await page.locator("main pre").waitFor();
        await page.locator("main [aria-busy=true]").waitFor({ state: "detached" });
      },
    },
    {
      name: "workflow-run-again",
      isOneWidth: true,
      show: async (page) => {
        await at(`/${report}/runs/${failed}?step=row`)(page);
        await newOne(page).click();
        await page.getByRole("dialog").waitFor();
      },
    },
    { name: "workflow-all-runs-overfull", show: at("/runs") },
    { name: "workflow-secrets", show: at("/secrets?search=CRM") },
    { name: "workflow-secrets-overfull", show: at("/secrets") },
    { name: "workflow-secrets-nothing-found", show: at("/secrets?search=NO_SUCH") },
    {
      name: "workflow-secret-refused",
      isOneWidth: true,
      show: async (page) => {
        await at("/secrets")(page);
        await newOne(page).click();
        await page.locator("dialog input[name=name]").fill("9 not a name");
        await page.locator("dialog input[name=password]").fill("short");
        await page.locator("dialog button[type=submit]").click();
        await page.locator("dialog [aria-invalid=true]").first().waitFor();
      },
    },
    { name: "workflow-settings", show: at(`/${report}/settings`) },
    {
      name: "workflow-settings-delete",
      isOneWidth: true,
      show: async (page) => {
        await at(`/${report}/settings`)(page);
        await page.locator("main button[class*=text-danger]").last().click();
        await page.locator("dialog input[name=confirm]").waitFor();
      },
    },
  ];
}
