// Tier: long. Starts a browser.
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { newPassword, prepareJourney, tabTo } from "./journey.ts";

describe.runIf(hasChromium())("a session that ends", () => {
  const journey = prepareJourney();
  const { open, createPerson, signInAt } = journey;

  it("asks for the password over the page, by the keyboard alone, and stays at the same address", async () => {
    await createPerson("ended@example.com");
    const { page } = await open();
    await signInAt(page, "ended@example.com");
    await endSessions("ended@example.com");
    await page.goto("/app?tab=2");
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.keyboard.insertText("not the password");
    await page.keyboard.press("Enter");
    await dialog.getByText("Wrong email or password, or").waitFor();
    await tabTo(page, "textbox", "Password");
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(newPassword);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Nothing yet" }).waitFor();
    expect(new URL(page.url()).search).toBe("?tab=2");
  });

  it("a sign-in in one tab continues the others", async () => {
    await createPerson("both@example.com");
    const { page, openTab } = await open();
    await signInAt(page, "both@example.com");
    const second = await openTab();
    await second.goto("/app");
    await second.getByRole("heading", { name: "Welcome, Nora" }).waitFor();
    await endSessions("both@example.com");
    await second.reload();
    await page.reload();
    await page.getByRole("dialog").waitFor();
    await enter(second, newPassword);
    for (const tab of [page, second]) {
      await tab.getByRole("dialog").waitFor({ state: "detached" });
      await tab.getByRole("heading", { name: "Nothing yet" }).waitFor();
    }
  });

  it("a provider continues it in another tab", async () => {
    const { page, openTab } = await open({ alsoOrigins: [journey.service.provider.issuer] });
    await page.goto("/app");
    await page.getByRole("link", { name: "Continue with Example ID" }).click();
    await signInAtProvider(page, "carla");
    await page.getByRole("heading", { name: "Welcome, carla" }).waitFor();
    const session = await page.evaluate(() => sessionStorage.getItem("rowhouse.session") ?? "{}");
    const { user } = JSON.parse(session) as { user: { email: string } };
    await endSessions(user.email);
    await page.reload();
    const link = page.getByRole("link", { name: "Continue with Example ID in a new tab" });
    const address = await link.getAttribute("href");
    // The provider knows the browser, so a tab of it needs no password.
    const second = await openTab();
    await second.goto(address ?? "");
    await second.getByRole("heading", { name: "Welcome, carla" }).waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  it("another person cannot continue it, and starts over without anything of the first", async () => {
    await createPerson("first@example.com");
    await createPerson("second@example.com");
    const { page } = await open();
    await signInAt(page, "first@example.com");
    await endSessions("first@example.com");
    await page.goto("/app?first");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Email").fill("second@example.com");
    await enter(page, newPassword);
    await dialog.getByText("second@example.com has signed in, but this page is").waitFor();
    await dialog.getByRole("button", { name: "Start over as the other person" }).click();
    await page.waitForURL(`${journey.service.url}/app`);
    await page.getByRole("button", { name: "Account of Nora" }).click();
    await page.getByText("second@example.com").waitFor();
    expect(await page.locator("body").textContent()).not.toContain("first@example.com");
  });

  it("signing out instead leads to the sign-in", async () => {
    await createPerson("instead@example.com");
    const { page } = await open();
    await signInAt(page, "instead@example.com");
    await endSessions("instead@example.com");
    await page.reload();
    await page.getByRole("button", { name: "Sign out instead" }).click();
    await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
  });

  it("a session that ends while a record is edited is renewed in place, and the save is repeated", async () => {
    const { service, roleId } = journey;
    const { database } = service.test;
    await database.query("create table notes (id int primary key, text text)");
    await database.query("insert into notes values (1, 'before')");
    const [notes] = (await service.administer("GET", "/resources?search=notes")) as {
      readonly id: string;
    }[];
    const address = `/resources/${notes?.id}`;
    await service.administer("PATCH", address, { exposedMethods: ["GET", "PATCH"] });
    for (const action of ["READ", "UPDATE"]) {
      const grant = { roleId, resourceId: notes?.id, action, fields: null };
      await service.administer("POST", "/grants", grant);
    }
    await createPerson("writer@example.com");
    const { page } = await open();
    await signInAt(page, "writer@example.com");
    await page.goto(
      `/app/data/public/table/notes?open=${encodeURIComponent('["public/table/notes/1"]')}`,
    );
    const text = page.getByRole("form", { name: "Values" }).getByRole("textbox", { name: "text" });
    await text.fill("typed before the end");
    await endSessions("writer@example.com");
    await page.keyboard.press("Control+s");
    await page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
    expect(await text.inputValue()).toBe("typed before the end");
    await enter(page, newPassword);
    await page.getByRole("button", { name: "Save" }).waitFor({ state: "detached" });
    expect(await text.inputValue()).toBe("typed before the end");
    expect(await database.query("select text from notes")).toEqual([
      { text: "typed before the end" },
    ]);
  });

  async function enter(page: Page, password: string): Promise<void> {
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Password", { exact: true }).fill(password);
    await dialog.getByRole("button", { name: "Continue", exact: true }).click();
  }

  async function signInAtProvider(page: Page, login: string): Promise<void> {
    await page.locator("input[name=login]").fill(login);
    await page.locator("input[name=password]").fill("any");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Continue" }).click();
  }

  function endSessions(email: string) {
    return journey.service.test.database.query(
      "delete from system.sessions s using system.users u where u.id = s.user_id and u.email = $1",
      [email],
    );
  }
});
