// Tier: long. Starts a browser; of this page, `all` has the screens.
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { administratorsId, enter, enterAs } from "../src/people.ts";
import { prepareJourney, tabTo } from "./journey.ts";

interface Named {
  readonly id: string;
}

describe.runIf(hasChromium())("the pages of the MCP server", () => {
  const journey = prepareJourney();
  let administrator = "";
  let roleId = "";

  beforeAll(async () => {
    const { service } = journey;
    roleId = await administratorsId(service);
    administrator = await enter(service, "keeper@example.com", "Keeper", roleId);
  });

  /** Sends a request of the protocol as a client of 2025 does. */
  const callMcp = (secret: string, method: string, params: object = {}) =>
    fetch(`${journey.service.url}/mcp`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        Authorization: `Bearer ${secret}`,
        "MCP-Protocol-Version": "2025-06-18",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });

  /** Calls a tool, and returns its result. */
  async function useTool(secret: string, name: string, parameters: object): Promise<object> {
    const answer = await callMcp(secret, "tools/call", { name, arguments: parameters });
    const text = (await answer.text()).replace(/^[\s\S]*?^data: (?=\{)/m, "");
    const { result } = JSON.parse(text) as { result: { structuredContent: object } };
    return result.structuredContent;
  }

  /** Makes a token of the administrator, and returns its secret. */
  async function createToken(name: string): Promise<string> {
    const answer = await fetch(`${journey.service.url}/api/auth/tokens`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${JSON.parse(administrator).token}`,
        "Content-Type": "application/json",
      },
      body: JSON.stringify({ name, plane: "api" }),
    });
    return ((await answer.json()) as { data: { secret: string } }).data.secret;
  }

  /** Presses a button that copies, and returns what it has copied. */
  async function copied(page: Page, button: string): Promise<string> {
    await page.getByRole("button", { name: button, exact: true }).click();
    await page.getByText("Copied", { exact: true }).waitFor({ state: "attached" });
    return page.evaluate(() => navigator.clipboard.readText());
  }

  it("the server is switched on, a token is made and its calls are followed, by the keyboard alone", async () => {
    const { page } = await journey.open();
    const { keyboard } = page;
    await enterAs(page, administrator, "/admin");
    await page.locator("main h1").waitFor();
    await keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    await keyboard.type("mcp");
    await page.getByRole("option", { name: /^Agents \(MCP\)/ }).waitFor();
    await keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Agents (MCP)" }).waitFor();
    await page.getByText("No agent can connect").waitFor();
    await tabTo(page, "button", "Switch on, for reading");
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "Connect an agent" }).waitFor();
    const settings = async () => {
      const all = await journey.service.administer("GET", "/settings");
      const own = (all as { key: string; value: unknown }[]).filter(({ key }) => /^mcp/.test(key));
      return Object.fromEntries(own.map(({ key, value }) => [key, value]));
    };
    expect(await settings()).toMatchObject({ "mcp.enabled": true, "mcp.access": "READ_ONLY" });

    await tabTo(page, "button", "New token");
    await keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await keyboard.type("My agent");
    await keyboard.press("Enter");
    await page.getByRole("button", { name: "Done" }).waitFor();
    await tabTo(page, "button", "Done");
    await keyboard.press("Enter");
    const command = await page.getByText(/^claude mcp add/).textContent();
    expect(command).toContain(`'${journey.service.url}/mcp'`);
    const secret = /rhp_\w+/.exec(command ?? "")?.[0] ?? "";

    await tabTo(page, "link", "Calls", "Shift+Tab");
    await keyboard.press("Enter");
    await page.getByText("No calls yet").waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    const found = await callMcp(secret, "tools/call", { name: "search_resources", arguments: {} });
    expect(found.status).toBe(200);
    const rows = page.getByRole("table", { name: "Calls" }).getByRole("row");
    await rows.filter({ hasText: "search_resources" }).filter({ hasText: "Keeper" }).waitFor();
    const refused = { name: "read_rows", arguments: { schema: "nowhere", name: "nothing" } };
    await callMcp(secret, "tools/call", refused);
    await rows.filter({ hasText: "nowhere.nothing" }).filter({ hasText: "NOT_FOUND" }).waitFor();

    await page.getByLabel("Outcome").selectOption("REFUSED");
    await page.waitForURL("**/admin/mcp/calls?outcome=REFUSED");
    await rows.filter({ hasText: "search_resources" }).waitFor({ state: "detached" });
    await rows.filter({ hasText: "nowhere.nothing" }).waitFor();
    await tabTo(page, "link", "Audit log of My agent");
    await keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Audit log" }).waitFor();
  });

  it("what agents may do is changed together, and a setting without effect says so", async () => {
    const { page } = await journey.open();
    await enterAs(page, administrator, "/admin/mcp");
    await page.getByRole("checkbox", { name: "Delete rows" }).check();
    await page.getByText("Has no effect until mcp.access is READ_WRITE").waitFor();
    await page.getByRole("checkbox", { name: "Create and change rows" }).check();
    await page.getByText("Has no effect until").waitFor({ state: "detached" });
    await page.getByText("2 changes, not saved").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    const all = await journey.service.administer("GET", "/settings");
    expect(all).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ key: "mcp.access", value: "READ_WRITE" }),
        expect.objectContaining({ key: "mcp.allow_deletes", value: true }),
      ]),
    );
  });

  it("a workflow is offered as a tool in its editor, and agents find it and run it as its form says", async () => {
    const { service } = journey;
    await service.administer("PATCH", "/settings", {
      ...{ "mcp.enabled": true, "mcp.allow_workflows": true },
    });
    const trigger = { kind: "webhook", access: "AUTHENTICATED" };
    const steps = [{ id: "end", kind: "finish", result: "{{start.data.body}}" }];
    const { id } = (await service.administer("POST", "/workflows", {
      ...{ slug: "greet", name: "Greet", definition: { trigger, steps } },
    })) as { id: string };
    await service.administer("POST", `/workflows/${id}/invoke-grants`, { roleId });
    const secret = await createToken("runs workflows");
    const find = () => useTool(secret, "search_resources", { kind: "workflows", detail: "full" });
    const { page } = await journey.open({ permissions: ["clipboard-read", "clipboard-write"] });
    await enterAs(page, administrator, `/admin/workflows/${id}?panel=trigger`);
    await page.getByText("No faults").waitFor();
    await page.getByRole("checkbox", { name: "Offer it to agents as a tool" }).check();
    const description = page.getByRole("textbox", { name: "Description" });
    await description.fill("Greets a person by name.");
    const input = {
      ...{ type: "object", properties: { name: { type: "string" } } },
      additionalProperties: false,
    };
    await page.getByRole("textbox", { name: "Input" }).focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(JSON.stringify(input));
    await page.keyboard.press("Control+s");
    await page.getByText("Saved", { exact: true }).waitFor();
    // A draft is no tool yet.
    expect(await find()).toMatchObject({ data: [] });
    await page.getByRole("button", { name: "Publish…" }).click();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("button", { name: "Enable now" }).click();
    await page.getByRole("switch", { name: "Enabled", checked: true }).waitFor();
    expect(await find()).toMatchObject({
      data: [
        {
          ...{ slug: "greet", name: "Greet", description: "Greets a person by name." },
          ...{ input, isSynchronous: true },
        },
      ],
    });
    const message = JSON.parse(await copied(page, "Copy: Call it over MCP"));
    message.params.arguments.input.name = "Ada";
    const run = await useTool(secret, message.params.name, message.params.arguments);
    expect(run).toMatchObject({ data: { result: { name: "Ada" } } });

    await page.getByRole("checkbox", { name: "Offer it to agents as a tool" }).uncheck();
    await description.waitFor({ state: "detached" });
    await page.keyboard.press("Control+s");
    await page.getByText("Saved", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Publish…" }).click();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByText("Version 2 is published").waitFor();
    expect(await find()).toMatchObject({ data: [] });
  });

  it("the calls that the reference shows do what its requests do, and are there for tools that are switched on", async () => {
    const { service } = journey;
    await service.test.database.query(`
      create schema pier;
      create table pier.crates (id int primary key, label text not null, weight numeric(24, 4) not null);
      insert into pier.crates values (77, 'Rope, "thick"', 9007199254740993.01);
    `);
    const [resource] = (await service.administer("GET", "/resources?schema=pier")) as Named[];
    const exposedMethods = ["GET", "POST", "PATCH"];
    await service.administer("PATCH", `/resources/${resource?.id}`, { exposedMethods });
    const access = { "mcp.enabled": true, "mcp.access": "READ_ONLY", "mcp.allow_deletes": false };
    await service.administer("PATCH", "/settings", access);
    const secret = await createToken("reads the reference");
    const { page } = await journey.open({ permissions: ["clipboard-read", "clipboard-write"] });
    await enterAs(page, administrator, "/admin/reference");
    /** The entry of an operation; behind its path is its summary. */
    const entryOf = (operation: string) =>
      page.getByRole("button", {
        name: new RegExp(`^${operation.replace(/[{}]/g, "\\$&")}(?: |$)`),
      });
    const openOperation = async (operation: string) => {
      await page.getByLabel("Find an operation").fill("pier/table/crates");
      await entryOf(operation).click();
      await page.locator("code", { hasText: "curl" }).waitFor();
    };
    const callOf = async (operation: string) => {
      await openOperation(operation);
      const text = await copied(page, "Copy MCP call");
      await entryOf(operation).click();
      const { method, params } = JSON.parse(text);
      expect(method).toBe("tools/call");
      return params as { name: string; arguments: Record<string, unknown> };
    };
    await openOperation("GET /api/pier/table/crates/{id}");
    // The key is read from the person's own rows.
    await page.locator("code", { hasText: "tools/call" }).filter({ hasText: '"77"' }).waitFor();
    await entryOf("GET /api/pier/table/crates/{id}").click();
    const one = await callOf("GET /api/pier/table/crates/{id}");
    const row = { id: 77, label: 'Rope, "thick"', weight: "9007199254740993.0100" };
    expect(await useTool(secret, one.name, one.arguments)).toMatchObject({ data: [row] });
    const list = await callOf("GET /api/pier/table/crates");
    expect(await useTool(secret, list.name, list.arguments)).toMatchObject({ data: [row] });

    await openOperation("POST /api/pier/table/crates");
    expect(await page.getByRole("button", { name: "Copy MCP call" }).count()).toBe(0);
    await service.administer("PATCH", "/settings", { "mcp.access": "READ_WRITE" });
    await entryOf("POST /api/pier/table/crates").click();
    await page.reload();
    const created = await callOf("POST /api/pier/table/crates");
    const [sample] = created.arguments.rows as object[];
    await useTool(secret, created.name, created.arguments);
    expect(await useTool(secret, "read_rows", list.arguments)).toMatchObject({
      data: [{ ...sample, weight: "1.5000" }, row],
    });
  });

  it("a connected client is shown with its person and scopes, and revoked", async () => {
    const { database } = journey.service.test;
    const client = {
      ...{ id: "https://agent.example/client.json", name: "Night <b>agent</b>", uri: null },
      ...{ redirect: "http://127.0.0.1/callback", kind: "DOCUMENT" },
    };
    const [token] = await database.query<{ id: string }>(
      `insert into system.tokens (user_id, name, plane, lifetime_days, expires_at, client, scopes)
       select id, 'Night agent', 'api', 90, system.clock() + interval '90 days', $1::json, '{read,write}'
       from system.users where email = 'keeper@example.com' returning id`,
      [JSON.stringify(client)],
    );
    const { page } = await journey.open();
    await enterAs(page, administrator, "/admin/mcp/clients");
    const entry = page.getByRole("listitem").filter({ hasText: "Night <b>agent</b>" });
    await entry.getByText("https://agent.example/client.json").waitFor();
    for (const text of ["Writes", "Keeper"]) await entry.getByText(text).waitFor();
    await entry.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await entry.getByText("Revoked").waitFor();
    const [{ state } = { state: "" }] = [
      (await journey.service.administer("GET", `/tokens/${token?.id}`)) as { state: string },
    ];
    expect(state).toBe("revoked");
  });
});
