// Tier: long. Starts a browser; of this page, `all` has the screens.
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { grantAccounts } from "../src/people.ts";
import { prepareJourney, tabTo } from "./journey.ts";

type Named = { readonly id: string; readonly name: string };
type User = Named & {
  readonly email: string;
  readonly active: boolean;
  readonly timeZone: string | null;
  readonly roles: readonly Named[];
};

describe.runIf(hasChromium())("the pages of people", () => {
  const journey = prepareJourney();
  const { open, createPerson, signInAt } = journey;
  const administer = (method: string, path: string, data?: unknown) =>
    journey.service.administer(method, path, data);
  let administrators = "";

  beforeAll(async () => {
    const found = (await administer("GET", "/roles?search=administrators")) as Named[];
    administrators = found[0]?.id ?? "";
    await createPerson("boss@example.com");
    const boss = await userOf("boss@example.com");
    await administer("POST", `/roles/${administrators}/members`, { userId: boss.id });
  });

  async function userOf(email: string): Promise<User> {
    const found = (await administer("GET", `/users?search=${email}`)) as User[];
    const user = found.find((one) => one.email === email);
    if (user === undefined) throw new Error(`No user ${email}`);
    return user;
  }

  async function openAs(path?: string): Promise<Page> {
    const { page } = await open();
    await signInAt(page, "boss@example.com");
    if (path !== undefined) await page.goto(path);
    return page;
  }

  async function chooseInBox(page: Page, label: string, text: string): Promise<void> {
    await tabTo(page, "combobox", label);
    await page.keyboard.insertText(text);
    await page.getByRole("option", { name: text }).waitFor();
    await page.keyboard.press("Enter");
  }

  it("a user is created, gets a role and another time zone by the keyboard alone", async () => {
    const page = await openAs();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Open or do" }).waitFor();
    await page.keyboard.type("People");
    await page.getByRole("option", { name: "People" }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/admin/people/users");
    await tabTo(page, "button", "New user");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "New user" }).waitFor();
    await page.keyboard.insertText("iris");
    // Nothing typed is lost by a slip: Escape, and the way back, ask first.
    const asked: string[] = [];
    page.on("dialog", (question) => {
      asked.push(question.message());
      void question.dismiss();
    });
    await page.keyboard.press("Escape");
    await page.goBack();
    await expect
      .poll(() => asked)
      .toEqual([
        "Close, and lose what you have typed?",
        "Leave without saving what you have changed?",
      ]);
    expect(await page.getByRole("textbox", { name: "Email" }).inputValue()).toBe("iris");
    await tabTo(page, "textbox", "Password (optional)");
    await page.keyboard.insertText("password1234");
    await page.keyboard.press("Enter");
    await page.getByText("Enter an email address").waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.insertText("Iris Lund");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("boss@example.com");
    await page.keyboard.press("Enter");
    await page.getByText("Another user has this address.").waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("iris@example.com");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Iris Lund" }).waitFor();
    await page.getByText("Without a role with API access").waitFor();
    await chooseInBox(page, "Add a role", "Readers");
    await page.keyboard.press("Enter");
    await page.getByText("Added: Readers").waitFor();
    for (let press = 0; press < 3; press += 1) await page.keyboard.press("Shift+Tab");
    await tabTo(page, "combobox", "Time zone");
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("Mars/Olympus");
    await page.keyboard.press("Enter");
    await page.getByText("No such time zone.").waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("Europe/Oslo");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Enter");
    await page.getByText("Saved").waitFor();
    const iris = await userOf("iris@example.com");
    expect([iris.name, iris.timeZone, iris.roles.map(({ name }) => name)]).toEqual([
      "Iris Lund",
      "Europe/Oslo",
      ["Readers"],
    ]);
  });

  it("a second administrator's change of the same field is shown before it is replaced, and other fields are kept", async () => {
    await administer("POST", "/users", { email: "ola@example.com", name: "Ola" });
    const { id } = await userOf("ola@example.com");
    const page = await openAs(`/admin/people/users/${id}`);
    await page.getByLabel("Name").fill("Ola Nordmann");
    await administer("PATCH", `/users/${id}`, { name: "Olaf", timeZone: "America/Lima" });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("It is now: Olaf, ola@example.com, America/Lima").waitFor();
    expect((await userOf("ola@example.com")).name).toBe("Olaf");
    expect(await page.getByLabel("Name").inputValue()).toBe("Ola Nordmann");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved").waitFor();
    const ola = await userOf("ola@example.com");
    expect([ola.name, ola.timeZone]).toEqual(["Ola Nordmann", "America/Lima"]);
  });

  it("a change between the comparison and the write is compared as well", async () => {
    const { id } = (await administer("POST", "/users", {
      email: "eva@example.com",
      name: "Eva",
    })) as Named;
    const page = await openAs(`/admin/people/users/${id}`);
    const meanwhile = [{ timeZone: "America/Lima" }, { name: "Eva Berg" }];
    await page.route(`**/admin/api/users/${id}`, async (route) => {
      const next = route.request().method() === "PATCH" ? meanwhile.shift() : undefined;
      if (next !== undefined) await administer("PATCH", `/users/${id}`, next);
      await route.continue();
    });
    await page.getByLabel("Name").fill("Eva Dahl");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("It is now: Eva Berg, eva@example.com, America/Lima").waitFor();
    const eva = await userOf("eva@example.com");
    expect([eva.name, eva.timeZone]).toEqual(["Eva Berg", "America/Lima"]);
    expect(await page.getByLabel("Name").inputValue()).toBe("Eva Dahl");
  });

  it("a deactivated person is signed out, and the page says so beforehand", async () => {
    const session = await createPerson("leaving@example.com");
    const { id } = await userOf("leaving@example.com");
    const page = await openAs(`/admin/people/users/${id}?tab=sessions`);
    await page.getByRole("button", { name: "End session: node" }).waitFor();
    await page.getByRole("button", { name: "Deactivate" }).click();
    const dialog = page.getByRole("dialog", { name: "Deactivate Nora?" });
    await dialog.getByText("Their sessions end and their tokens are refused").waitFor();
    await dialog.getByRole("button", { name: "Deactivate" }).click();
    await page.getByText("Not signed in anywhere.").waitFor();
    await page.getByText("Inactive").waitFor();
    expect(await statusOf(session)).toBe(401);
    expect((await userOf("leaving@example.com")).active).toBe(false);
    await page.getByRole("button", { name: "Activate" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Activate" }).click();
    await page.getByText("Active", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Audit trail" }).click();
    await page.waitForURL(`**/admin/audit?actorUserId=${id}`);
  });

  it("one session of a person ends, then all", async () => {
    const sessions = [await createPerson("roaming@example.com")];
    for (let time = 0; time < 2; time += 1) sessions.push(await logIn("roaming@example.com"));
    const { id } = await userOf("roaming@example.com");
    const page = await openAs(`/admin/people/users/${id}?tab=sessions`);
    await page.getByRole("button", { name: "End session: node" }).first().click();
    await page.getByRole("dialog").getByRole("button", { name: "End session" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect((await administer("GET", `/users/${id}/sessions`)) as Named[]).toHaveLength(2);
    await page.getByRole("button", { name: "End all sessions" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "End all sessions" }).click();
    await page.getByText("Not signed in anywhere.").waitFor();
    expect(await Promise.all(sessions.map(statusOf))).toEqual([401, 401, 401]);
  });

  it("what a person may do is what the service answers, with the roles that allow it", async () => {
    await journey.service.test.database.query(
      "create table ferries (id int primary key, name text, secret text)",
    );
    const [table] = (await administer("GET", "/resources?search=ferries")) as Named[];
    await administer("PATCH", `/resources/${table?.id}`, { exposedMethods: ["GET"] });
    await administer("POST", "/grants", {
      roleId: journey.roleId,
      resourceId: table?.id,
      action: "READ",
      fields: ["id", "name"],
      rowFilter: { id: { _gt: 10 } },
    });
    await createPerson("reader@example.com");
    const { id } = await userOf("reader@example.com");
    const page = await openAs(`/admin/people/users/${id}?tab=permissions`);
    const row = page.getByRole("row", { name: /ferries/ });
    await row.getByText("some rows").waitFor();
    await row.getByText("2 columns").waitFor();
    await row.getByText("Readers").waitFor();
    await page.getByText("May sign in. No role lets them create tokens.").waitFor();
  });

  it("a role has its own matrix, where it gets a right on all shown tables, and a person is invited with it", async () => {
    await journey.service.test.database.query(
      "create schema yard; create table yard.gates (id int primary key); create table yard.keys (id int primary key)",
    );
    const role = (await administer("POST", "/roles", { name: "Watchmen" })) as { id: string };
    const page = await openAs(`/admin/people/roles/${role.id}`);
    await page.getByRole("link", { name: "Rights" }).click();
    await page.getByRole("searchbox", { name: "Name contains" }).fill("yard.");
    const grid = page.getByRole("grid", { name: "Rights" });
    await grid.getByRole("gridcell", { name: "yard.keys · Watchmen · read: no grant" }).waitFor();
    expect(await grid.getByRole("columnheader").count()).toBe(11);
    await grid.focus();
    await page.keyboard.press("Control+a");
    await page.getByText("2 tables selected").waitFor();
    await tabTo(page, "button", "Grant…");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Set 2 grants" }).click();
    await grid.getByRole("gridcell", { name: /^yard.gates · Watchmen · read: all rows/ }).waitFor();
    const grants = (await administer("GET", `/grants?roleId=${role.id}`)) as unknown[];
    expect(grants).toHaveLength(2);
    await page
      .getByRole("navigation", { name: "Watchmen" })
      .locator("[aria-current=page]")
      .getByText("Rights")
      .waitFor();
    await page.getByRole("button", { name: "Invite with this role" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Remove the role Watchmen" }).waitFor();
    await dialog.getByLabel("Email").fill("watch@example.com");
    await dialog.getByLabel("Name").fill("Wim");
    await dialog.getByRole("button", { name: "Send the invitation" }).click();
    await page.getByText("watch@example.com").first().waitFor();
    const [invitation] = (await administer("GET", "/invitations?search=watch@")) as {
      roles: { id: string }[];
    }[];
    expect(invitation?.roles.map(({ id }) => id)).toEqual([role.id]);
  });

  it("a role is created, gets members, is renamed, and is deleted with what it takes along", async () => {
    await createPerson("member@example.com");
    const page = await openAs("/admin/people/roles");
    await page.getByRole("button", { name: "New role" }).click();
    const dialog = page.getByRole("dialog", { name: "New role" });
    await dialog.getByLabel("Name").fill("readers");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByText("Another role has this name.").waitFor();
    await dialog.getByLabel("Name").fill("Dispatchers");
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name: "Dispatchers" }).waitFor();
    await page.getByText("No members yet.").waitFor();
    const { id } = await roleOf("Dispatchers");
    await chooseInBox(page, "Add a person", "member@example.com");
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: /member@example.com/ }).waitFor();
    // Another administrator removes the member first.
    const member = await userOf("member@example.com");
    await administer("DELETE", `/roles/${id}/members/${member.id}`);
    await page.getByRole("button", { name: "Remove Nora" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("This person is not a member any longer.").waitFor();
    await page.keyboard.press("Escape");
    await administer("POST", `/roles/${id}/members`, { userId: member.id });
    await page
      .getByRole("navigation", { name: "Dispatchers" })
      .getByRole("link", { name: "Settings" })
      .click();
    await page.getByLabel("Name").fill("Planners");
    await page.getByLabel("Members may create tokens of their own").check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved").waitFor();
    expect(await administer("GET", `/roles/${id}`)).toMatchObject({
      name: "Planners",
      tokenCreation: true,
      apiAccess: true,
      memberCount: 1,
    });
    await page.getByRole("button", { name: "Delete" }).click();
    const asking = page.getByRole("dialog", { name: "Delete the role Planners?" });
    await asking.getByText("One member loses what it allows.").waitFor();
    await asking.getByText("It has no grants.").waitFor();
    await asking.getByRole("button", { name: "Delete role" }).click();
    await page.waitForURL("**/admin/people/roles");
    await expect(administer("GET", `/roles/${id}`)).rejects.toThrow("404");
  });

  it("a person becomes an administrator only after a question", async () => {
    await createPerson("second@example.com");
    const { id } = await userOf("second@example.com");
    const page = await openAs(`/admin/people/users/${id}`);
    await chooseInBox(page, "Add a role", "Administrators");
    await page.keyboard.press("Enter");
    const asking = page.getByRole("dialog", { name: "Make Nora an administrator?" });
    await asking.getByText("may read and change everything").waitFor();
    expect((await userOf("second@example.com")).roles).toHaveLength(1);
    await asking.getByRole("button", { name: "Make administrator" }).click();
    await page.getByText("Added: Administrators").waitFor();
    expect((await userOf("second@example.com")).roles.map(({ name }) => name)).toContain(
      "Administrators",
    );
  });

  it("a person is invited by the keyboard alone, and the invitation is revoked", async () => {
    const page = await openAs("/admin/people/invitations");
    await page.getByRole("heading", { level: 1, name: "People" }).waitFor();
    await tabTo(page, "button", "Invite a person");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Invite a person" }).waitFor();
    await page.keyboard.insertText("boss@example.com");
    await page.keyboard.press("Enter");
    await page.getByText("Choose at least one role with API access.").waitFor();
    await chooseInBox(page, "Add a role", "Readers");
    await page.getByRole("button", { name: "Remove the role Readers" }).waitFor();
    await tabTo(page, "button", "Send the invitation");
    await page.keyboard.press("Enter");
    await page.getByText("Another user has this address.").waitFor();
    await page.keyboard.press("Shift+Tab");
    await tabTo(page, "textbox", "Email");
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("invited@example.com");
    await page.keyboard.press("Enter");
    await page.getByText("The mail to invited@example.com is on its way.").waitFor();
    await page.keyboard.press("Escape");
    const link = await journey.service.linkTo("invited@example.com");
    expect(link).toContain("/admin/auth/invitation#token=");
    const [invitation] = (await administer("GET", "/invitations?search=invited@")) as {
      state: string;
      roles: Named[];
    }[];
    expect([invitation?.state, invitation?.roles.map(({ name }) => name)]).toEqual([
      "open",
      ["Readers"],
    ]);
    await tabTo(page, "button", "Revoke the invitation of invited@example.com");
    await page.keyboard.press("Enter");
    await page.getByText("Its link stops working at once.").waitFor();
    await tabTo(page, "button", "Revoke invitation");
    await page.keyboard.press("Enter");
    const row = page.getByRole("row", { name: /invited@example.com/ });
    await row.getByText("Revoked").waitFor();
  });

  it("a token is created for a service account and gets a new secret by the keyboard alone", async () => {
    const { id } = (await administer("POST", "/users", {
      email: "robot@example.com",
      name: "Robot",
    })) as Named;
    const page = await openAs("/admin/people/tokens");
    await tabTo(page, "button", "New token");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "New token" }).waitFor();
    await chooseInBox(page, "Owner", "robot@example.com");
    await tabTo(page, "textbox", "Name");
    await page.keyboard.insertText("nightly");
    await page.keyboard.press("Enter");
    await page.getByText("has no role with API access").waitFor();
    await administer("POST", `/roles/${journey.roleId}/members`, { userId: id });
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Secret of nightly" });
    const first = (await dialog.locator("code").textContent()) ?? "";
    expect(await statusOf(first)).toBe(200);
    await tabTo(page, "button", "Done");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await tabTo(page, "button", "New secret: nightly");
    await page.keyboard.press("Enter");
    await page.getByText("The old secret works for as long as you choose.").waitFor();
    await tabTo(page, "combobox", "The old secret works for");
    await page.keyboard.press("Home");
    await tabTo(page, "button", "New secret");
    await page.keyboard.press("Enter");
    const second = (await dialog.locator("code").textContent()) ?? "";
    await tabTo(page, "button", "Done");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    expect(second).not.toBe(first);
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
    expect(await page.content()).not.toContain(second);
  });

  it("a token that another administrator has revoked is not suspended, and the page says why", async () => {
    const boss = await userOf("boss@example.com");
    const { id } = (await administer("POST", "/tokens", {
      ...{ userId: boss.id, name: "shared", plane: "api", lifetime: 7 },
    })) as Named;
    const page = await openAs(`/admin/people/users/${boss.id}?tab=tokens`);
    await page.getByText("Expires in 7 days").waitFor();
    await page.getByRole("button", { name: "Edit: shared" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("common");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Suspend: common" }).click();
    await administer("POST", `/tokens/${id}/revoke`);
    await page.getByRole("dialog").getByRole("button", { name: "Suspend" }).click();
    await page.getByText("The token has changed meanwhile.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("Revoked").waitFor();
    expect(await administer("GET", `/tokens/${id}`)).toMatchObject({
      name: "common",
      state: "revoked",
    });
  });

  it("a provider is added, changed, disabled and deleted", async () => {
    const page = await openAs("/admin/people/providers");
    await page.getByRole("button", { name: "New provider" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(`${journey.service.url}/api/auth/oauth/…/callback`).waitFor();
    await administer("PATCH", "/settings", { "system.public_url": "https://rows.example/" });
    await page.reload();
    await page.getByRole("button", { name: "New provider" }).click();
    await dialog.getByText("https://rows.example/api/auth/oauth/…/callback").waitFor();
    await administer("PATCH", "/settings", { "system.public_url": null });
    await dialog.getByLabel("Key").fill("Office ID");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByText("Use 1 to 40 lower-case letters").waitFor();
    await dialog.getByLabel("Key").fill("office");
    await dialog.getByLabel("Name on the sign-in page").fill("Office");
    await dialog.getByLabel("Client id").fill("rows");
    await dialog.getByLabel("Client secret").fill("a secret of the office");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByText("Enter a URL that begins with https://.").waitFor();
    await dialog.getByLabel("Issuer").fill("https://id.example.com");
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByRole("button", { name: "Edit: Office" }).click();
    await dialog.getByLabel("Allowed domains").fill("example.com, example.org");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("Only addresses of example.com, example.org").waitFor();
    await page.getByRole("button", { name: "Disable: Office" }).click();
    await dialog.getByRole("button", { name: "Disable" }).click();
    await page.getByText("Disabled", { exact: true }).waitFor();
    const read = async () =>
      ((await administer("GET", "/auth-providers?search=office")) as object[])[0];
    expect(await read()).toMatchObject({
      ...{ key: "office", issuer: "https://id.example.com", clientId: "rows", enabled: false },
      allowedDomains: ["example.com", "example.org"],
    });
    await page.getByRole("button", { name: "Delete: Office" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByText("Disabled", { exact: true }).waitFor({ state: "detached" });
    expect(await read()).toBe(undefined);
  });

  it("the trial of a provider's sign-in names whom it signs in, and no session of the browser changes", async () => {
    const { page } = await open({ alsoOrigins: [journey.service.provider.issuer] });
    await signInAt(page, "boss@example.com");
    await page.goto("/admin/people/providers");
    const before = await page.evaluate(() => sessionStorage.getItem("rowhouse.session"));
    const opened = page.context().waitForEvent("page");
    await page.getByRole("link", { name: "Try sign-in: Example ID" }).click();
    const trial = await opened;
    await trial.locator("input[name=login]").fill("clara");
    await trial.locator("input[name=password]").fill("any");
    await trial.keyboard.press("Enter");
    await trial.getByRole("button", { name: "Continue" }).click();
    await trial.getByRole("heading", { name: "The sign-in works" }).waitFor();
    await trial.getByText("It signed in clara").waitFor();
    await trial.getByRole("link", { name: "Back to the providers" }).click();
    await trial.getByRole("link", { name: "Try sign-in: Example ID" }).waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem("rowhouse.session"))).toBe(before);
    await page.getByRole("link", { name: "Users" }).click();
    await page.getByRole("link", { name: "clara" }).click();
    await page.getByRole("link", { name: "Sessions" }).click();
    await page.getByText("Not signed in anywhere.").waitFor();
  });

  it("a person who is no administrator manages accounts by grants on their tables", async () => {
    const { id: roleId } = (await administer("POST", "/roles", { name: "Managers" })) as Named;
    await grantAccounts(journey.service, roleId);
    await createPerson("manager@example.com");
    const manager = await userOf("manager@example.com");
    await administer("POST", `/roles/${roleId}/members`, { userId: manager.id });

    const { page } = await open();
    await signInAt(page, "manager@example.com");
    await page.getByRole("link", { name: "People", exact: true }).click();
    await page.getByRole("searchbox", { name: "Search users" }).fill("boss@");
    await page.getByRole("row", { name: /boss@example.com/ }).waitFor();
    await tabTo(page, "button", "New user");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "New user" });
    await dialog.waitFor();
    await page.keyboard.insertText("BOSS@example.com");
    await page.keyboard.press("Enter");
    await dialog.getByText("Another user has this address.").waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("nina@example.com");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/app\/people\/[0-9a-f-]{36}$/);
    const { id } = await userOf("nina@example.com");
    expect(await page.getByLabel("Time zone").count()).toBe(0);
    await chooseInBox(page, "Add a role", "Administrators");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    expect((await userOf("nina@example.com")).roles).toEqual([]);
    await page.getByRole("combobox", { name: "Add a role" }).fill("");
    await chooseInBox(page, "Add a role", "Readers");
    await page.keyboard.press("Enter");
    await page.getByText("Added: Readers").waitFor();
    await page.getByLabel("Name").fill("Nina");
    await administer("PATCH", `/users/${id}`, { name: "Nina Dahl" });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("It is now: Nina Dahl, nina@example.com").waitFor();
    await page.getByRole("checkbox", { name: "Active" }).uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved").waitFor();
    expect(await userOf("nina@example.com")).toMatchObject({
      ...{ name: "Nina", active: false },
      roles: [{ name: "Readers" }],
    });
    await page.getByRole("button", { name: "Remove the role Readers" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page
      .getByRole("button", { name: "Remove the role Readers" })
      .waitFor({ state: "detached" });
    expect((await userOf("nina@example.com")).roles).toEqual([]);
    // Without the grants, the page is missing on the next visit.
    await administer("DELETE", `/roles/${roleId}/members/${manager.id}`);
    await page.goto("/app/people");
    await page.getByRole("heading", { name: "This page does not exist" }).waitFor();
  });

  async function roleOf(name: string): Promise<Named> {
    const found = (await administer("GET", `/roles?search=${name}`)) as Named[];
    const role = found.find((one) => one.name === name);
    if (role === undefined) throw new Error(`No role ${name}`);
    return role;
  }

  async function statusOf(secret: string): Promise<number> {
    const headers = { Authorization: `Bearer ${secret}` };
    return (await fetch(`${journey.service.url}/api/auth/me`, { headers })).status;
  }

  async function logIn(email: string): Promise<string> {
    const answer = await fetch(`${journey.service.url}/api/auth/login`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email, password: "violet anchors drift slowly" }),
    });
    return ((await answer.json()) as { data: { token: string } }).data.token;
  }
});
