import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
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
    await page.getByRole("link", { name: "Name and rights" }).click();
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
