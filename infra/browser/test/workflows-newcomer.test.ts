// Tier: long. Starts a browser.
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openAdministration } from "../src/administration-screens.ts";
import { closeWindows, hasChromium, openChromium } from "../src/chromium.ts";
import { enter } from "../src/people.ts";
import { type BrowserService, startBrowserService } from "../src/service.ts";
import { openPage } from "../src/watched-page.ts";

type Role = Parameters<Page["getByRole"]>[0];

const secret = "a key that both sides know";

describe.runIf(hasChromium())("a person who sees workflows for the first time", () => {
  let service: BrowserService;
  let browser: Browser;
  let session: string;
  const heard: string[] = [];
  const server = createServer((request, response) => {
    request.on("data", (chunk: Buffer) => heard.push(chunk.toString()));
    request.on("end", () => {
      response.setHeader("Content-Type", "application/json");
      response.end('{"ticket": 7}');
    });
  });

  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    [service, browser] = await Promise.all([startBrowserService(), openChromium()]);
    const [role] = (await service.administer("GET", "/roles?search=administrators")) as {
      id: string;
    }[];
    session = await enter(service, "ida@example.com", "Ida", role?.id ?? "");
    await service.test.database.query(
      `create schema fleet;
       create table fleet.vehicles (id int primary key, plate text not null, active boolean not null);
       insert into fleet.vehicles values (1, 'AB-123-CD', true), (2, 'EF-456-GH', false);
       create table fleet.visits (id int generated always as identity primary key,
         vehicle_id int not null references fleet.vehicles, kind text not null)`,
    );
    const tables = (await service.administer("GET", "/resources?schema=fleet")) as { id: string }[];
    for (const { id } of tables) {
      await service.administer("PATCH", `/resources/${id}`, { exposedMethods: ["GET", "POST"] });
    }
    await service.administer("PATCH", "/settings", {
      "workflows.allowed_hosts": ["127.0.0.1"],
    });
  });
  afterAll(async () => {
    await closeWindows(browser);
    await service.stop();
    server.close();
  });

  const call = async (body: object) => {
    const text = JSON.stringify(body);
    const digest = createHmac("sha256", secret).update(text).digest("hex");
    const response = await fetch(`${service.url}/api/workflows/report-a-visit/webhook`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Hub-Signature-256": `sha256=${digest}` },
      body: text,
    });
    return { status: response.status, body: await response.json() };
  };
  const visits = () =>
    service.test.database.query("select vehicle_id, kind from fleet.visits order by id");

  /** Presses Tab, or Shift and Tab, until an element has the focus. */
  const goTo = async (page: Page, role: Role, name: string | RegExp, key = "Tab") => {
    const wanted = page.getByRole(role, { name, exact: typeof name === "string" }).first();
    await wanted.waitFor();
    for (let press = 0; press < 90; press += 1) {
      const isThere = await wanted.evaluate((element) => element.contains(document.activeElement));
      if (isThere) return;
      await page.keyboard.press(key);
    }
    throw new Error(`The keyboard does not reach ${role} ${name}`);
  };
  /** Adds a step before the row that is active in the tree, or at a place to add one. */
  const add = async (page: Page, text: string, id: string) => {
    await page.getByRole("combobox", { name: "Find a kind of step" }).waitFor();
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
    await page.getByRole("treeitem", { name: new RegExp(`^${id}\\b`) }).waitFor();
  };
  const toTree = (page: Page) => goTo(page, "tree", "Steps", "Shift+Tab");
  const fill = async (page: Page, role: Role, name: string, text: string) => {
    await goTo(page, role, name);
    await page.keyboard.press("Control+a");
    await page.keyboard.type(text);
  };
  const choose = async (page: Page, name: string, text: string) => {
    await goTo(page, "combobox", name);
    await page.keyboard.type(text);
  };
  const pickTable = async (page: Page, name: string) => {
    await choose(page, "Table", name);
    await page
      .getByRole("option", { name: new RegExp(name) })
      .first()
      .waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
  };

  it("builds one with the keyboard alone, tries it without harm, publishes it, and mends it from its failed run", async () => {
    const { page, faults, close } = await openPage(browser, service.url);
    await openAdministration(page, session, "/admin/workflows/secrets");
    await goTo(page, "button", "New secret");
    await page.keyboard.press("Enter");
    await fill(page, "textbox", "Name", "PARTNER_KEY");
    await fill(page, "textbox", "Value", secret);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await goTo(page, "link", "Workflows", "Shift+Tab");
    await page.keyboard.press("Enter");
    await goTo(page, "link", "New workflow");
    await page.keyboard.press("Enter");
    await goTo(page, "button", /^Webhook/);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.type("Report a visit");
    await page.keyboard.press("Enter");

    // The trigger: anybody may call it who signs.
    await goTo(page, "tree", "Steps");
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await choose(page, "Access", "Pub");
    await choose(page, "Signature", "GitHub");
    await goTo(page, "combobox", /^Secrets? 1/);
    await page.keyboard.type("PARTNER_KEY");

    // A row is looked up.
    await toTree(page);
    await page.keyboard.press("+");
    await add(page, "get a row", "get_row");
    await pickTable(page, "vehicles");
    await fill(page, "textbox", "Key", "{{start.data.body.vehicle}}");

    // A branch, and in it a row, a call and an answer.
    await toTree(page);
    await page.keyboard.press("+");
    await add(page, "branch", "condition");
    await fill(page, "textbox", "Condition", "steps.get_row.active");
    await toTree(page);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await add(page, "create a row", "create_row");
    await pickTable(page, "visits");
    await goTo(page, "button", /required column/);
    await page.keyboard.press("Enter");
    await fill(page, "textbox", "Values: vehicle_id", "{{steps.get_row.id}}");
    await fill(page, "textbox", "Values: kind", "{{start.data.body.kind}}");
    await toTree(page);
    await page.keyboard.press("+");
    await add(page, "send a request", "http_request");
    await choose(page, "Method", "POST");
    await fill(
      page,
      "textbox",
      "URL",
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/tickets`,
    );
    await choose(page, "Form of: Body", "Text");
    await fill(page, "textbox", "Body", "{{steps.create_row.kind}}");
    await toTree(page);
    await page.keyboard.press("+");
    await add(page, "finish", "finish");
    await choose(page, "Form of: Result", "Text");
    await fill(page, "textbox", "Result", "{{steps.http_request.body.ticket}}");
    await page.keyboard.press("Control+s");
    await page.getByText("Saved", { exact: true }).waitFor();

    // Without harm: the row is rolled back, the call is described, and the mock of its output answers.
    await goTo(page, "link", "Test", "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Input" }).waitFor();
    await goTo(page, "textbox", "Input");
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText('{"body": {"vehicle": 1, "kind": "Wash"}}');
    await goTo(page, "button", "Run test");
    await page.keyboard.press("Enter");
    await page.getByText("Succeeded").first().waitFor();
    expect([await visits(), heard]).toEqual([[], []]);

    await goTo(page, "link", "Editor", "Shift+Tab");
    await page.keyboard.press("Enter");
    const publish = async (then: string) => {
      await goTo(page, "button", "Publish…");
      await page.keyboard.press("Enter");
      await page
        .getByRole("dialog")
        .getByRole("button", { name: "Publish", exact: true, disabled: false })
        .waitFor();
      await goTo(page, "button", "Publish");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: /is published/ }).waitFor();
      await goTo(page, "button", then);
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    };
    await publish("Enable now");
    await page.getByRole("switch", { name: "Enabled", checked: true }).waitFor();

    // Called from outside.
    const good = await call({ vehicle: 1, kind: "Wash" });
    expect([good.status, good.body.data.result]).toEqual([200, 7]);
    expect(heard.splice(0)).toEqual(['"Wash"']);
    const bad = await call({ vehicle: 1 });
    expect([bad.status, await visits()]).toEqual([200, [{ vehicle_id: 1, kind: "Wash" }]]);

    // The failed run leads to the field at fault.
    await goTo(page, "link", "Runs", "Shift+Tab");
    await page.keyboard.press("Enter");
    await page
      .getByRole("cell", { name: /Failed/ })
      .first()
      .waitFor();
    await goTo(page, "link", /\d{4}/);
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Edit this step" }).waitFor();
    await goTo(page, "link", "Edit this step");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Create a row" }).waitFor();
    await fill(page, "textbox", "Values: kind", '{{start.data.body.kind ?? "Inspection"}}');
    await page.keyboard.press("Control+s");
    await page.getByText("Saved", { exact: true }).waitFor();
    await goTo(page, "button", "Publish…", "Shift+Tab");
    await publish("Close");
    const mended = await call({ vehicle: 1 });
    expect([mended.status, mended.body.data.result]).toEqual([200, 7]);
    expect(await visits()).toMatchObject([{ kind: "Wash" }, { kind: "Inspection" }]);

    expect(faults).toEqual([]);
    await close();
  }, 300_000);
});
