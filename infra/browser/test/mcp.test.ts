import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { enter, enterAs } from "../src/people.ts";
import { prepareJourney, tabTo } from "./journey.ts";

interface Named {
  readonly id: string;
  readonly isAdministrators: boolean;
}

describe.runIf(hasChromium())("the pages of the MCP server", () => {
  const journey = prepareJourney();
  let administrator = "";

  beforeAll(async () => {
    const { service } = journey;
    const roles = (await service.administer("GET", "/roles")) as Named[];
    const own = roles.find(({ isAdministrators }) => isAdministrators);
    administrator = await enter(service, "keeper@example.com", "Keeper", own?.id ?? "");
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
