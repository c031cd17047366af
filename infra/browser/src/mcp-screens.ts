import type { Page } from "playwright-core";
import { openAdministration } from "./administration-screens.ts";
import type { People } from "./people.ts";
import type { Screen } from "./screen.ts";
import type { BrowserService } from "./service.ts";

interface Token {
  readonly id: string;
  readonly userId: string;
}

/** The screens of the MCP server: off, typical and overfull. */
export async function mcpScreens(service: BrowserService, people: People): Promise<Screen[]> {
  const { administer } = service;
  await administer("PATCH", "/settings", { "mcp.enabled": true, "mcp.oauth": true });
  const typical = await addConsent(service, {
    email: "ada@example.com",
    client: "Claude Code",
    scopes: ["read", "write"],
  });
  const overfull = await addConsent(service, {
    email: "wolfeschlegelsteinhausenbergerdorff@example.com",
    client: `<b>${"Agent of the night shift ".repeat(3)}</b>`,
    scopes: ["read", "write", "workflows"],
  });
  await addCalls(service, typical, 12, "fleet.vehicles");
  await addCalls(
    service,
    overfull,
    120,
    `"a schema with a long name, in spaces".${"x".repeat(63)}`,
  );
  const at = (path: string) => (page: Page) =>
    openAdministration(page, people.administrator, `/admin/mcp${path}`);
  const calls = (path: string) => async (page: Page) => {
    await at(`/calls${path}`)(page);
    await page.locator("main table, main p").first().waitFor();
  };
  /** The answers of an installation whose server is off; the others of this run need it. */
  const whileOff = (show: (page: Page) => Promise<void>) => async (page: Page) => {
    await page.route("**/admin/api/settings", async (route) => {
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: { key: string; value: unknown }[] };
      const own = data.map((one) => (one.key === "mcp.enabled" ? { ...one, value: false } : one));
      await route.fulfill({ response, json: { data: own } });
    });
    await show(page);
  };
  return [
    { name: "mcp-off", show: whileOff(at("")) },
    { name: "mcp", show: at("") },
    {
      name: "mcp-changed",
      show: async (page) => {
        await at("")(page);
        const boxes = page.locator("main form input[type=checkbox]");
        for (const index of [2, 4]) await boxes.nth(index).check();
        await page.locator("main form button[type=submit]").waitFor();
      },
    },
    { name: "mcp-clients", show: at("/clients") },
    {
      name: "mcp-clients-revoke",
      show: async (page) => {
        await at("/clients")(page);
        await page.locator("main li button").first().click();
        await page.getByRole("dialog").waitFor();
      },
    },
    { name: "mcp-calls", show: calls(`?tokenId=${typical.id}`) },
    { name: "mcp-calls-overfull", show: calls(`?tokenId=${overfull.id}`) },
    { name: "mcp-calls-empty", show: calls("?tool=no_such_tool") },
  ];
}

/** Adds the token that a consent makes. */
async function addConsent(
  { test: { database } }: BrowserService,
  person: { readonly email: string; readonly client: string; readonly scopes: readonly string[] },
): Promise<Token> {
  const client = {
    ...{ id: "https://agent.example/client.json", name: person.client, uri: null },
    ...{ redirect: "http://127.0.0.1/callback", kind: "DOCUMENT" },
  };
  const [token] = await database.query<Token>(
    `insert into system.tokens (user_id, name, plane, lifetime_days, expires_at, last_used_at, client, scopes)
     select id, left($2::text, 100), 'api', 90, system.clock() + interval '90 days', system.clock(), $3::json,
       string_to_array($4::text, ',') from system.users where email = $1::text
     returning id, user_id as "userId"`,
    [person.email, person.client, JSON.stringify(client), person.scopes.join(",")],
  );
  if (token === undefined) throw new Error(`No user has the address ${person.email}`);
  return token;
}

/** Records calls of a token, every seventh of them refused. */
async function addCalls(
  { test: { database } }: BrowserService,
  token: Token,
  count: number,
  resource: string,
): Promise<void> {
  await database.query(
    `insert into system.mcp_calls (called_at, user_id, token_id, client_name, method, tool, outcome, code, duration_ms,
       row_count, byte_count, resource)
     select timestamptz '2026-03-01 08:00Z' + n * interval '41 seconds', $1::text::uuid, t.id, t.client ->> 'name',
       case when n = 1 then 'tools/list' else 'tools/call' end,
       case when n = 1 then null when n % 7 = 0 then 'update_rows' when n % 3 = 0 then 'aggregate_rows' else 'read_rows' end,
       case when n % 7 = 0 then 'REFUSED' else 'SUCCEEDED' end, case when n % 7 = 0 then 'ACTION_DENIED' end, 3 + n % 90,
       case when n > 1 then n % 51 end, n * 4096, case when n > 1 then $4::text end
     from system.tokens t, generate_series(1, $3::text::integer) n where t.id = $2::text::uuid`,
    [token.userId, token.id, String(count), resource],
  );
}
