// Tier: long. Starts a browser.
import { refreshTokenGrant } from "openid-client";
import type { Page } from "playwright-core";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { type Program, startProgram } from "../src/oauth-program.ts";
import { newPassword, prepareJourney, tabTo } from "./journey.ts";

describe.runIf(hasChromium())("programs that work in the name of a person", () => {
  const journey = prepareJourney();
  const { open, createPerson, signInAt } = journey;
  const programs: Program[] = [];

  beforeAll(async () => {
    const { administer, test } = journey.service;
    await administer("PATCH", `/roles/${journey.roleId}`, { tokenCreation: true });
    await test.database.query(
      "insert into system.settings (key, value) values ('mcp.enabled', 'true'), ('mcp.oauth', 'true'), ('mcp.dynamic_registration', 'true'), ('mcp.access', '\"READ_WRITE\"')",
    );
  });
  afterEach(async () => {
    for (const program of programs.splice(0)) await program.stop();
  });

  it("a person signs in, allows reading and writing by the keyboard alone, and ends the access on the page of tokens", async () => {
    await createPerson("allows@example.com");
    const program = await start("Row reader");
    const { page } = await openFor(program);
    await page.goto((await program.ask()).href);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await tabTo(page, "textbox", "Email");
    await page.keyboard.insertText("allows@example.com");
    await tabTo(page, "textbox", "Password");
    await page.keyboard.insertText(newPassword);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Allow access?" }).waitFor();
    await page.getByText("Row reader", { exact: true }).waitFor();
    await page.getByText("A program on this device").waitFor();
    await page.getByText("allows@example.com").waitFor();
    await page.keyboard.press("Tab");
    await focusSwitch(page, "Create, change and delete rows");
    await page.keyboard.press("Space");
    const more = page.locator("summary");
    while (!(await more.evaluate((element) => element === document.activeElement))) {
      await page.keyboard.press("Tab");
    }
    expect(await more.textContent()).toMatch(/for 30 days$/);
    await page.keyboard.press("Enter");
    await tabTo(page, "textbox", "Name of this access");
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("reader at home");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${program.redirectUri}?*`);
    const tokens = await program.exchange();
    expect(tokens.scope?.split(" ")).toEqual(["read", "write"]);
    expect(await statusAtMcp(tokens.access_token)).toBe(200);
    expect(await statusOf("/api/auth/me", tokens.access_token)).toBe(401);

    await page.goto("/app/account/tokens");
    const entry = page.getByRole("listitem").filter({ hasText: "reader at home" });
    await entry.getByText("Row reader may: read rows · write rows").waitFor();
    expect(await entry.getByRole("button", { name: /New secret/ }).count()).toBe(0);
    await entry.getByRole("button", { name: "Revoke: reader at home" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await entry.getByText("Revoked").waitFor();
    expect(await statusAtMcp(tokens.access_token)).toBe(401);
    await expect(
      refreshTokenGrant(program.configuration, tokens.refresh_token ?? ""),
    ).rejects.toMatchObject({ error: "invalid_grant" });
  });

  it("a person who denies leads the program to access_denied, and there is no token", async () => {
    await createPerson("denies@example.com");
    const program = await start("Denied program");
    const { page } = await openFor(program);
    await signInAt(page, "denies@example.com");
    await page.goto((await program.ask()).href);
    await page.getByRole("button", { name: "Deny" }).click();
    await page.waitForURL(`${program.redirectUri}?*`);
    expect(program.answers[0]?.searchParams.get("error")).toBe("access_denied");
    expect(program.answers[0]?.searchParams.has("code")).toBe(false);
    // The page of the question is not behind the program's own.
    await page.goBack();
    await page.getByRole("heading", { name: "Welcome, Nora" }).waitFor();
    await page.goto("/app/account/tokens");
    await page.getByText("No token yet.").waitFor();
  });

  it("a state arrives as the program wrote it, whatever it looks like and whether or not the person signs in first", async () => {
    await createPerson("states@example.com");
    const program = await start("Stateful");
    const { page } = await openFor(program);
    const states = ["1e5", "00123", '"quoted"', '{"a":[1]}', "a b+c%20d&e=f", "null", "ü→\u202e"];
    for (const [index, state] of states.entries()) {
      const address = await program.ask({ state });
      await page.goto(address.href);
      if (index === 0) await signInHere(page, "states@example.com");
      // A reload asks the same.
      if (index === 1) await page.reload();
      await page.getByRole("button", { name: "Deny" }).click();
      await page.waitForURL(`${program.redirectUri}?*`);
      expect(program.answers.at(-1)?.searchParams.get("state")).toBe(state);
    }
  });

  it("a provider signs a person in on the way to the question, also for a request of 4,000 characters", async () => {
    const program = await start("Talkative");
    const { issuer } = journey.service.provider;
    const { page } = await open({ alsoOrigins: [program.origin, issuer] });
    const state = `${"state.".repeat(300)}ü`;
    const others = new URLSearchParams({ note: "long.".repeat(380) });
    const address = `${(await program.ask({ state })).href}&${others}`;
    expect(new URL(address).pathname.length + new URL(address).search.length).toBeGreaterThan(4000);
    await page.goto(address);
    await page.getByRole("link", { name: "Continue with Example ID" }).click();
    await page.locator("input[name=login]").fill("talker");
    await page.locator("input[name=password]").fill("any");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "Allow access?" }).waitFor();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.waitForURL(`${program.redirectUri}?*`);
    expect(program.answers[0]?.searchParams.get("state")).toBe(state);
    expect((await program.exchange()).scope).toBe("read");
  });

  it("a request that no program of that name can have made is explained, and leads nowhere", async () => {
    await createPerson("nowhere@example.com");
    const program = await start("Real program");
    const { page } = await openFor(program);
    await signInAt(page, "nowhere@example.com");
    const wrong: Readonly<Record<string, string>>[] = [
      { client_id: "rhc_000000000000000000000000000000" },
      { redirect_uri: `${program.redirectUri}/more` },
      { redirect_uri: `${program.origin}.example.com/back` },
      { redirect_uri: "javascript:alert(1)" },
    ];
    for (const parameters of wrong) {
      await page.goto((await program.ask(parameters)).href);
      await page.getByRole("heading", { name: "This request cannot be answered" }).waitFor();
      expect(await page.locator("main a").count()).toBe(1);
    }
    const twice = await program.ask();
    await page.goto(`${twice.href}&client_id=another`);
    await page.getByText("The address names a parameter twice.").waitFor();
    expect(program.answers).toEqual([]);
    // A fault of a known program goes back to it.
    await page.goto((await program.ask({ code_challenge_method: "plain" })).href);
    await page.waitForURL(`${program.redirectUri}?*`);
    expect(program.answers[0]?.searchParams.get("error")).toBe("invalid_request");
  });

  it("a hostile name of a program is shown as text, beside the sentence that nobody has checked it", async () => {
    await createPerson("hostile@example.com");
    const name = "<img src=x onerror=alert(1)> Warehouse\u202e itself";
    const program = await start(name);
    const { page } = await openFor(program);
    await signInAt(page, "hostile@example.com");
    await page.goto((await program.ask()).href);
    await page.getByText("Nobody has checked this name").waitFor();
    await page.getByText("<img src=x onerror=alert(1)>", { exact: false }).first().waitFor();
    expect(await page.locator("main img").count()).toBe(0);
    expect(await page.title()).toBe("Allow access? · Rowhouse");
  });

  it("the account is changed before the answer, and a session that ended asks for the password first", async () => {
    await createPerson("first@example.com");
    await createPerson("second@example.com");
    const program = await start("Two people");
    const { page } = await openFor(program);
    await signInAt(page, "first@example.com");
    await page.goto((await program.ask()).href);
    await page.getByRole("button", { name: "Use another account" }).click();
    await signInHere(page, "second@example.com");
    await page.getByText("second@example.com").waitFor();
    await journey.service.test.database.query(
      "delete from system.sessions s using system.users u where u.id = s.user_id and u.email = 'second@example.com'",
    );
    await page.getByRole("button", { name: "Allow" }).click();
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.getByLabel("Password", { exact: true }).fill(newPassword);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${program.redirectUri}?*`);
    expect((await program.exchange()).scope).toBe("read");
    await page.goto("/app/account/tokens");
    await page.getByText("Two people").first().waitFor();
  });

  it("a name that another token has is refused at its field, and nothing else is lost", async () => {
    const session = await createPerson("taken@example.com");
    await createToken(session, "laptop");
    const program = await start("Named");
    const { page } = await openFor(program);
    await signInAt(page, "taken@example.com");
    await page.goto((await program.ask()).href);
    await page.getByRole("switch", { name: "Start workflows" }).waitFor();
    await page.getByRole("switch", { name: "Create, change and delete rows" }).click();
    await page.locator("summary").click();
    await page.getByLabel("Name of this access").fill("laptop");
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText("One of your tokens has this name.").waitFor();
    await page.getByLabel("Name of this access").fill("laptop's program");
    await page.getByRole("button", { name: "Allow" }).click();
    await page.waitForURL(`${program.redirectUri}?*`);
    expect((await program.exchange()).scope).toBe("read write");
  });

  it("the copied MCP calls of rows, of one row and of a table return what the pages show, and there are none while the server is off", async () => {
    const session = await createPerson("calls@example.com");
    await createStands();
    const secret = await createToken(session, "agent");
    const { page } = await open({ permissions: ["clipboard-read", "clipboard-write"] });
    await signInAt(page, "calls@example.com");
    const where = JSON.stringify({ name: { _neq: "Cider" } });
    const query = new URLSearchParams({ where, order_by: "-fee", fields: "name,fee" });
    await page.goto(`/app/data/booth/table/stands?${query}`);
    await page.locator("[data-rows]").first().waitFor();
    const list = await copied(page, "Copy as MCP call");
    expect((await callTool(secret, list)).data).toEqual([
      { name: 'Tea, with "cake"', fee: "9007199254740993.0100" },
      { name: "Bread", fee: "12.5000" },
    ]);

    await page.goto("/app/data/booth/table/stands?group=name");
    await page.getByRole("button", { name: "Bread" }).waitFor();
    expect(JSON.parse(await copied(page, "Copy as MCP call")).params).toEqual({
      name: "aggregate_rows",
      arguments: {
        ...{ schema: "booth", name: "stands" },
        ...{ aggregate: ["count(*)"], groupBy: ["name"], orderBy: ["name"] },
      },
    });

    await page.goto("/app/records/booth/table/stands/2");
    await page.getByRole("heading", { level: 1 }).waitFor();
    const one = await callTool(secret, await copied(page, "Copy as MCP call"));
    expect(JSON.stringify(one)).toContain('"Bread"');
    expect(JSON.stringify(one)).not.toContain("Cider");

    await page.goto("/app");
    const all = await callTool(secret, await copied(page, "Copy as MCP call: Stands"));
    expect(all.data).toHaveLength(3);

    await setMcp(false);
    await page.reload();
    await page.getByRole("button", { name: "Copy as curl: stands" }).waitFor();
    expect(await page.getByRole("button", { name: /MCP/ }).count()).toBe(0);
    await setMcp(true);
  });

  async function start(name: string): Promise<Program> {
    const program = await startProgram(journey.service.url, { name });
    programs.push(program);
    return program;
  }

  const openFor = ({ origin }: Program) => open({ alsoOrigins: [origin] });

  async function signInHere(page: Page, email: string): Promise<void> {
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(newPassword);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Allow access?" }).waitFor();
  }

  async function focusSwitch(page: Page, name: string): Promise<void> {
    const wanted = page.getByRole("switch", { name });
    for (let press = 0; press < 20; press += 1) {
      if (await wanted.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`The keyboard does not reach ${name}`);
  }

  async function statusOf(path: string, secret: string): Promise<number> {
    const headers = { Authorization: `Bearer ${secret}` };
    return (await fetch(`${journey.service.url}${path}`, { headers })).status;
  }

  async function createToken(session: string, name: string): Promise<string> {
    const answer = await fetch(`${journey.service.url}/api/auth/tokens`, {
      method: "POST",
      headers: { Authorization: `Bearer ${session}`, "Content-Type": "application/json" },
      body: JSON.stringify({ name, plane: "api" }),
    });
    return ((await answer.json()) as { data: { secret: string } }).data.secret;
  }

  async function setMcp(isOn: boolean): Promise<void> {
    await journey.service.administer("PATCH", "/settings", { "mcp.enabled": isOn });
  }

  async function createStands(): Promise<void> {
    const { administer, test } = journey.service;
    await test.database.query(`
      create schema booth;
      create table booth.stands (id int primary key, name text not null, fee numeric(24, 4) not null);
      insert into booth.stands values (1, 'Tea, with "cake"', 9007199254740993.01), (2, 'Bread', 12.5), (3, 'Cider', 0);
    `);
    const [resource] = (await administer("GET", "/resources?schema=booth")) as { id: string }[];
    await administer("PATCH", `/resources/${resource?.id}`, { exposedMethods: ["GET"] });
    const grant = {
      roleId: journey.roleId,
      resourceId: resource?.id,
      action: "READ",
      fields: null,
    };
    await administer("POST", "/grants", grant);
  }

  /** Presses a button that copies, and returns what it has copied. */
  async function copied(page: Page, button: string): Promise<string> {
    await page.getByRole("button", { name: button, exact: true }).click();
    await page.getByText("Copied", { exact: true }).waitFor({ state: "attached" });
    return page.evaluate(() => navigator.clipboard.readText());
  }

  async function askMcp(secret: string, message: string): Promise<Response> {
    return fetch(`${journey.service.url}/mcp`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${secret}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      },
      body: message,
    });
  }

  /** Lists the tools, as clients of the revision of 2025 may without a session. */
  const statusAtMcp = async (secret: string): Promise<number> =>
    (await askMcp(secret, JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }))).status;

  /** Sends a copied message as it is, and returns what the tool has returned. */
  async function callTool(secret: string, message: string): Promise<{ readonly data?: unknown }> {
    const answer = await askMcp(secret, message);
    const text = (await answer.text()).replace(/^[\s\S]*?^data: (?=\{)/m, "");
    const { result } = JSON.parse(text) as { result: { structuredContent: object } };
    return result.structuredContent;
  }
});
