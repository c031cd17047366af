// Tier: long. Starts a browser; of this page, `all` has the screens.
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { newPassword, prepareJourney, tabTo } from "./journey.ts";

describe.runIf(hasChromium())("the account pages", () => {
  const journey = prepareJourney();
  const { open, createPerson, signInAt } = journey;

  beforeAll(() =>
    journey.service.administer("PATCH", `/roles/${journey.roleId}`, { tokenCreation: true }),
  );

  it("the password is changed by the keyboard alone, and the other sessions end", async () => {
    const other = await createPerson("password@example.com");
    const { page } = await open();
    await signInAt(page, "password@example.com");
    await openByPalette(page, "security");
    await tabTo(page, "textbox", "Current password");
    await page.keyboard.insertText("not the password");
    await tabTo(page, "textbox", "New password");
    await page.keyboard.insertText("password@example.com");
    await page.getByText("Add more than your name").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("This is not your current password.").waitFor();
    await tabTo(page, "textbox", "New password");
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("green lanterns hum at dusk");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(newPassword);
    await page.keyboard.press("Enter");
    await page.getByText("Your password is changed.").waitFor();
    expect(await statusOf("/api/auth/me", other)).toBe(401);
    expect(await logIn("password@example.com", newPassword)).toBe(401);
    expect(await logIn("password@example.com", "green lanterns hum at dusk")).toBe(200);
  });

  it("a token is created and copied by the keyboard alone, and its secret is shown once", async () => {
    await createPerson("token@example.com");
    const { page } = await open({ permissions: ["clipboard-read", "clipboard-write"] });
    await signInAt(page, "token@example.com");
    await openByPalette(page, "tokens");
    await tabTo(page, "button", "New token");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "New token" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("Use 1 to 100 characters.").waitFor();
    await tabTo(page, "textbox", "Name");
    await page.keyboard.insertText("laptop");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Secret of laptop" });
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await tabTo(page, "button", "Copy");
    await page.keyboard.press("Enter");
    await dialog.getByText("Copied").waitFor();
    const secret = await page.evaluate(() => navigator.clipboard.readText());
    expect(secret).toMatch(/^rhp_\w{36}$/);
    expect(await statusOf("/api/auth/me", secret)).toBe(200);
    await tabTo(page, "button", "Done");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    expect(await page.content()).not.toContain(secret);
    await page.reload();
    await page.getByText("laptop").waitFor();
    await page.getByText("last used").waitFor();
  });

  it("a token gets a new secret, is suspended, activated and revoked, and each dialog says what happens", async () => {
    await createPerson("life@example.com");
    const { page } = await open();
    await signInAt(page, "life@example.com");
    await page.goto("/app/account/tokens");
    await page.getByRole("button", { name: "New token" }).click();
    await page.getByLabel("Name").fill("robot");
    await page.getByLabel("Expires after").selectOption("7 days");
    await page.getByRole("button", { name: "Create token" }).click();
    const first = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByText("Expires in 7 days").waitFor();
    await page.getByRole("button", { name: "New secret: robot" }).click();
    await page.getByLabel("The old secret works for").selectOption("1 hour");
    await page.getByRole("dialog").getByRole("button", { name: "New secret" }).click();
    const second = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByText("The previous secret works until").waitFor();
    expect([await statusOf("/api/auth/me", first), await statusOf("/api/auth/me", second)]).toEqual(
      [200, 200],
    );
    await act(page, "Suspend", "Its next request is rejected. You can activate it again.");
    await page.getByText("Suspended").waitFor();
    expect(await statusOf("/api/auth/me", second)).toBe(401);
    await act(page, "Activate", "Its requests are accepted again");
    await page.getByText("Active", { exact: true }).waitFor();
    await act(page, "Revoke", "A revoked token stays revoked.");
    await page.getByText("Revoked").waitFor();
    expect(await statusOf("/api/auth/me", second)).toBe(401);
  });

  it("a session of another device is ended by the keyboard alone", async () => {
    const other = await createPerson("sessions@example.com");
    const { page } = await open();
    await signInAt(page, "sessions@example.com");
    await openByPalette(page, "sessions");
    await page.getByText("This session").waitFor();
    await page.getByText("Chrome, Linux").waitFor();
    await tabTo(page, "button", "End session: node");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "End this session?" }).waitFor();
    await tabTo(page, "button", "End session");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "End session: node" }).waitFor({ state: "detached" });
    expect(await statusOf("/api/auth/me", other)).toBe(401);
    await page.getByRole("heading", { name: "Sessions" }).waitFor();
  });

  it("all other sessions end at once", async () => {
    await createPerson("others@example.com");
    for (let time = 0; time < 2; time += 1) await logIn("others@example.com", newPassword);
    const { page } = await open();
    await signInAt(page, "others@example.com");
    await page.goto("/app/account/sessions");
    await page.getByRole("button", { name: "End all others" }).click();
    await page.getByRole("dialog", { name: "End 3 sessions?" }).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "End session" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(
      await page
        .getByRole("main")
        .getByText(/^Signed in /)
        .count(),
    ).toBe(1);
  });

  it("a new address gets a mail, and its link makes it the account's", async () => {
    await createPerson("old@example.com");
    const { page } = await open();
    await signInAt(page, "old@example.com");
    await page.goto("/app/account/security");
    await page.getByRole("main").getByText("old@example.com").waitFor();
    const form = page.locator("form").filter({ hasText: "New address" });
    await form.getByLabel("New address").fill("no address");
    await form.getByLabel("Password, to confirm").fill(newPassword);
    await form.getByRole("button", { name: "Send the link" }).click();
    await form.getByText("Enter an email address").waitFor();
    await form.getByLabel("New address").fill("new@example.com");
    await form.getByRole("button", { name: "Send the link" }).click();
    await form.getByText("A mail with a link is on its way to new@example.com").waitFor();
    await page.goto(await journey.service.linkTo("new@example.com"));
    await page.getByRole("button", { name: "Confirm address" }).click();
    await page.getByRole("heading", { name: "Address confirmed" }).waitFor();
    await page.getByRole("link", { name: "Open the workspace" }).click();
    await page.getByRole("button", { name: "Account of Nora" }).click();
    await page.getByText("new@example.com").waitFor();
    expect(await logIn("old@example.com", newPassword)).toBe(401);
    expect(await logIn("new@example.com", newPassword)).toBe(200);
  });

  it("a session that ends in the middle of a form loses nothing: the request repeats after the password", async () => {
    await createPerson("middle@example.com");
    const { page } = await open();
    await signInAt(page, "middle@example.com");
    await page.goto("/app/account/profile");
    await page.getByLabel("Name").fill("Nora Berg");
    await page.getByLabel("Time zone").fill("Mars/Olympus");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("No such time zone.").waitFor();
    await page.getByLabel("Time zone").fill("America/Lima");
    await journey.service.test.database.query(
      "delete from system.sessions s using system.users u where u.id = s.user_id and u.email = 'middle@example.com'",
    );
    await page.getByRole("button", { name: "Save" }).click();
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.getByLabel("Password", { exact: true }).fill(newPassword);
    await page.keyboard.press("Enter");
    await page.getByText("Saved").waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe("Nora Berg");
    await page.getByRole("button", { name: "Account of Nora Berg" }).waitFor();
    await page.reload();
    await page.getByLabel("Time zone").waitFor();
    expect(await page.getByLabel("Time zone").inputValue()).toBe("America/Lima");
  });

  it("the language of the profile is that of the pages and stays with the account", async () => {
    await createPerson("deutsch@example.com");
    const { page } = await open();
    await signInAt(page, "deutsch@example.com");
    await page.goto("/app/account/profile");
    await page.getByRole("main").getByLabel("Language").selectOption("Deutsch");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Profil" }).waitFor();
    await page.getByText("Gespeichert").waitFor();
  });

  it("a provider is linked to the account and unlinked again", async () => {
    await createPerson("link@example.com");
    const { page } = await open({ alsoOrigins: [journey.service.provider.issuer] });
    await signInAt(page, "link@example.com");
    await page.goto("/app/account/security");
    await page.getByRole("button", { name: "Link Example ID" }).click();
    await page.locator("input[name=login]").fill("linda");
    await page.locator("input[name=password]").fill("any");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "Account linked" }).waitFor();
    await page.goto("/app/account/security");
    await page.getByText("Linked since").waitFor();
    await page.getByRole("button", { name: "Unlink Example ID" }).click();
    await page.getByText("Example ID no longer signs you in.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Unlink" }).click();
    await page.getByText("Not linked").waitFor();
  });

  it("linking needs a recent sign-in, and the page says so", async () => {
    await createPerson("stale@example.com");
    const { page } = await open();
    await signInAt(page, "stale@example.com");
    await journey.service.test.database.query(
      "update system.sessions s set created_at = s.created_at - interval '1 hour' from system.users u where u.id = s.user_id and u.email = 'stale@example.com'",
    );
    await page.goto("/app/account/security");
    await page.getByRole("button", { name: "Link Example ID" }).click();
    await page.getByText("This needs a sign-in of the last 15 minutes.").waitFor();
  });

  async function openByPalette(page: Page, typed: string): Promise<void> {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Open or do" }).waitFor();
    await page.keyboard.type(typed);
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/app/account/${typed}`);
    await page.getByRole("main").getByRole("heading", { level: 2 }).first().waitFor();
  }

  async function act(page: Page, action: string, effect: string): Promise<void> {
    await page.getByRole("button", { name: `${action}: robot` }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(effect).waitFor();
    await dialog.getByRole("button", { name: action }).click();
    await dialog.waitFor({ state: "detached" });
  }

  async function statusOf(path: string, secret: string): Promise<number> {
    const headers = { Authorization: `Bearer ${secret}` };
    return (await fetch(`${journey.service.url}${path}`, { headers })).status;
  }

  async function logIn(email: string, password: string): Promise<number> {
    const answer = await fetch(`${journey.service.url}/api/auth/login`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email, password }),
    });
    return answer.status;
  }
});
