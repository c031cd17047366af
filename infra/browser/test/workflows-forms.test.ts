// Tier: long. Starts a browser.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openAdministration } from "../src/administration-screens.ts";
import { closeWindows, hasChromium, openChromium } from "../src/chromium.ts";
import { everyStep } from "../src/every-step.ts";
import { enter } from "../src/people.ts";
import { type BrowserService, startBrowserService } from "../src/service.ts";
import { openPage } from "../src/watched-page.ts";

type Named = { readonly id: string };

describe.runIf(hasChromium())("the forms of steps", () => {
  let service: BrowserService;
  let browser: Browser;
  let session: string;
  let executeAs = "";
  let created = 0;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startBrowserService(), openChromium()]);
    const [role] = (await service.administer("GET", "/roles?search=administrators")) as Named[];
    session = await enter(service, "ida@example.com", "Ida", role?.id ?? "");
    const [user] = (await service.administer("GET", "/users?search=ida")) as Named[];
    executeAs = user?.id ?? "";
    await service.test.database.query(`
      create schema fleet;
      create table fleet.vehicles (id int primary key, plate text not null);
      create table fleet.maintenance (id bigint generated always as identity primary key,
        vehicle_id int not null references fleet.vehicles, kind text not null, cost numeric(8, 2),
        performed_on date);
    `);
    for (const name of ["CRM_KEY", "GITHUB_KEY"]) {
      await service.administer("POST", "/workflow-secrets", { name, value: "k-0123456789" });
    }
  });
  afterAll(async () => {
    await closeWindows(browser);
    await service.stop();
  });

  async function create(definition: object): Promise<string> {
    created += 1;
    const record = { slug: `form-${created}`, name: `Form ${created}`, definition };
    return ((await service.administer("POST", "/workflows", record)) as Named).id;
  }
  const definitionOf = async (id: string) =>
    ((await service.administer("GET", `/workflows/${id}`)) as { definition: object }).definition;

  /** Runs a journey on a page of its own. Faults of the page fail it. */
  async function visit(
    id: string,
    search: string,
    journey: (page: Page) => Promise<void>,
  ): Promise<void> {
    const { page, faults, close } = await openPage(browser, service.url);
    await openAdministration(page, session, `/admin/workflows/${id}${search}`);
    await page.getByRole("button", { name: "Save draft" }).waitFor();
    await journey(page);
    await close();
    expect(faults).toEqual([]);
  }

  const save = async (page: Page) => {
    await page.keyboard.press("Control+s");
    await page.getByRole("button", { name: "Save draft" }).and(page.locator(":disabled")).waitFor();
  };

  it("opening the form of every kind changes nothing", async () => {
    const definition = everyStep(executeAs);
    const id = await create(definition);
    const before = await definitionOf(id);
    const steps = definition.steps.map((step) => step.id);
    await visit(id, "?panel=trigger", async (page) => {
      await page.getByText("X-Signature", { exact: false }).first().waitFor();
      for (const step of steps) {
        await page
          .getByRole("treeitem", { name: new RegExp(`^${step}\\b`) })
          .first()
          .click();
        await page.locator(`input[value="${step}"]`).waitFor();
        await page.locator("[data-loading]").first().waitFor({ state: "detached" });
      }
      expect(await page.getByRole("button", { name: "Save draft" }).isDisabled()).toBe(true);
    });
    expect(await definitionOf(id)).toEqual(before);
  });

  it("a row is created by keyboard: table, required columns, and a value that completion finds", async () => {
    const id = await create({
      trigger: { kind: "manual", executeAs },
      steps: [
        { id: "found", kind: "listRows", schema: "fleet", table: "vehicles" },
        { id: "row", kind: "createRow", table: "none", values: {} },
      ],
    });
    await visit(id, "?step=row", async (page) => {
      await page.getByRole("combobox", { name: "Table" }).fill("maint");
      await page.getByRole("option", { name: /fleet\.maintenance/ }).waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Add 2 required columns" }).click();
      await page.getByRole("textbox", { name: "Values: vehicle_id" }).focus();
      await page.keyboard.type("{{steps.fo");
      await page.locator(".cm-tooltip-autocomplete li", { hasText: "found" }).waitFor();
      // For a moment after the list has opened, Enter is a new line, so that no key of fast typing chooses.
      await page.waitForTimeout(300);
      await page.keyboard.press("Enter");
      await page.keyboard.type(".0.i");
      await page.locator(".cm-tooltip-autocomplete li", { hasText: /^id/ }).waitFor();
      await page.keyboard.type("d");
      await save(page);
    });
    expect(await definitionOf(id)).toMatchObject({
      steps: [
        { id: "found" },
        {
          ...{ id: "row", schema: "fleet", table: "maintenance" },
          values: { vehicle_id: "{{steps.found.0.id}}", kind: "" },
        },
      ],
    });
  });

  it("a filter is built with a template, and its other parts stay", async () => {
    const where = { plate: { _eq: "{{start.data.plate}}" }, odd: { _unknown: ["{{vars.x}}"] } };
    const id = await create({
      trigger: { kind: "manual", executeAs },
      steps: [{ id: "found", kind: "listRows", schema: "fleet", table: "vehicles", where }],
    });
    await visit(id, "?step=found", async (page) => {
      await page.locator("[data-filter]").click();
      await page.getByRole("combobox", { name: "Field" }).last().fill("id");
      await page.keyboard.press("Enter");
      const boxes = page.getByRole("checkbox", { name: "Template" });
      await boxes.last().check();
      await page.getByRole("textbox", { name: "Value" }).last().focus();
      await page.keyboard.type("{{start.data.id}}");
      await page.keyboard.press("Control+Enter");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await save(page);
    });
    expect(await definitionOf(id)).toMatchObject({
      steps: [{ where: { ...where, id: { _eq: "{{start.data.id}}" } } }],
    });
  });

  it("a text that is no JSON stays when another step is opened, and changes nothing", async () => {
    const id = await create({
      trigger: { kind: "manual", executeAs },
      steps: [
        { id: "one", kind: "finish", result: { a: 1 } },
        { id: "two", kind: "finish", result: null },
      ],
    });
    await visit(id, "?step=one", async (page) => {
      const result = page.getByRole("textbox", { name: "Result", exact: true });
      await page.getByRole("textbox", { name: "Result: a" }).waitFor();
      await page.getByLabel("Form of: Result", { exact: true }).selectOption("JSON");
      await result.focus();
      await page.keyboard.press("Control+a");
      await page.keyboard.type("[1, 2");
      await page.getByText("this is not JSON").first().waitFor();
      await page.getByRole("treeitem", { name: /^two\b/ }).click();
      await page.locator('input[value="two"]').waitFor();
      await page.getByRole("treeitem", { name: /^one\b/ }).click();
      await page.getByText("this is not JSON").first().waitFor();
      expect(await result.textContent()).toContain("[1, 2");
      expect(await page.getByRole("button", { name: "Save draft" }).isDisabled()).toBe(true);
    });
  });

  it("a schedule is said in words and with its next moments, in German too", async () => {
    const trigger = { kind: "schedule", cron: "0 6 * * 1-5", timeZone: "Europe/Oslo", executeAs };
    const id = await create({ trigger, steps: [{ id: "end", kind: "finish" }] });
    await visit(id, "?panel=trigger", async (page) => {
      await page.getByText("At 06:00 AM, Monday through Friday").waitFor();
      await page.getByText("The next 10 moments in Europe/Oslo").waitFor();
      expect(await page.locator("ol > li", { hasText: "06:00" }).count()).toBe(10);
      await page.evaluate(() => localStorage.setItem("rowhouse.language", "de"));
      await page.reload();
      await page.getByText("Um 06:00, Montag bis Freitag").waitFor();
      await page.getByText("Der Benutzer, dessen Rechte die Schritte eines Laufs haben.").waitFor();
    });
  });

  it("a field that a fault names has the focus", async () => {
    const id = await create(everyStep(executeAs));
    await visit(id, `?step=row&field=${encodeURIComponent("/values/cost")}`, async (page) => {
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
        .toBe("Values: cost");
    });
  });
});
