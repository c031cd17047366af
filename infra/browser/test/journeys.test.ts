// Tier: all. Starts a browser.
import { describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { newPassword, prepareJourney, tabTo } from "./journey.ts";

describe.runIf(hasChromium())("in a browser", () => {
  const journey = prepareJourney();
  const { open, invite, createPerson, signInAt } = journey;

  it("the link that the first start prints signs the administrator in, once", async () => {
    const { page } = await open();
    await page.goto(journey.service.firstLink);
    await page.getByRole("heading", { name: "Welcome, Administrator" }).waitFor();
    expect(page.url()).toBe(`${journey.service.url}/app`);
    await page.getByRole("navigation").getByRole("link", { name: "API reference" }).waitFor();
    const other = await open();
    await other.page.goto(journey.service.firstLink);
    await other.page.getByText("This sign-in took too long").waitFor();
  });

  it("an invitation leads from the mail over a password to the workspace", async () => {
    const { page } = await open();
    await invite("nora@example.com");
    const link = await journey.service.linkTo("nora@example.com");
    expect(link).toMatch(/\/admin\/auth\/invitation#token=rhl_\w{36}$/);
    await page.goto(link);
    await page.getByRole("heading", { name: "Accept your invitation" }).waitFor();
    await page.getByLabel("Password", { exact: true }).fill("short");
    await page.getByText("7 more characters").waitFor();
    await page.getByLabel("Password", { exact: true }).fill("password123456");
    await page.getByText("too common").waitFor();
    await page.getByLabel("Password", { exact: true }).fill(newPassword);
    await page.getByText("This password can be used.").waitFor();
    await page.getByRole("button", { name: "Create account and sign in" }).click();
    await page.getByRole("heading", { name: "Welcome, Nora" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/app");
    await page.getByRole("heading", { name: "Nothing yet" }).waitFor();
  });

  it("a forgotten password leads over the mail to a new one and to the workspace, by the keyboard alone", async () => {
    await createPerson("kim@example.com", "paper boats sail uphill");
    const { page } = await open();
    const keys = page.keyboard;
    await page.goto("/");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await tabTo(page, "link", "Forgot your password?");
    await keys.press("Enter");
    await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
    await keys.type("kim@example.com");
    await keys.press("Enter");
    await page.getByRole("heading", { name: "Check your mail" }).waitFor();
    await page.goto(await journey.service.linkTo("kim@example.com"));
    await page.getByRole("heading", { name: "Set a new password" }).waitFor();
    expect(page.url()).toBe(`${journey.service.url}/admin/auth/reset`);
    await tabTo(page, "textbox", "Password");
    await keys.insertText(newPassword);
    await keys.press("Enter");
    await page.getByText("Your new password is set.").waitFor();
    await tabTo(page, "textbox", "Email");
    await keys.type("kim@example.com");
    await keys.press("Tab");
    await tabTo(page, "textbox", "Password");
    await keys.insertText(newPassword);
    await keys.press("Enter");
    await page.getByRole("heading", { name: "Welcome, Nora" }).waitFor();
  });

  it("a provider signs a new person in, and returns to the page that they asked for", async () => {
    const { page } = await open({ alsoOrigins: [journey.service.provider.issuer] });
    await page.goto("/app?from=a-link");
    await page.getByRole("link", { name: "Continue with Example ID" }).click();
    await page.locator("input[name=login]").fill("ada");
    await page.locator("input[name=password]").fill("any");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "Welcome, Ada" }).waitFor();
    const { pathname, search, hash } = new URL(page.url());
    expect([pathname, search, hash]).toEqual(["/app", "?from=a-link", ""]);
  });

  it("an invitation and a provider can be used by the keyboard alone, in German", async () => {
    await invite("otto@example.com");
    const options = { locale: "de-DE", alsoOrigins: [journey.service.provider.issuer] };
    const { page } = await open(options);
    const keys = page.keyboard;
    await page.goto(await journey.service.linkTo("otto@example.com"));
    await page.getByRole("heading", { name: "Einladung annehmen" }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("de");
    await tabTo(page, "textbox", "Name");
    await keys.type("Otto");
    await tabTo(page, "textbox", "Passwort");
    await keys.insertText(newPassword);
    await page.getByText("Dieses Passwort ist geeignet.").waitFor();
    await keys.press("Enter");
    await page.getByRole("heading", { name: "Willkommen, Otto" }).waitFor();
    await tabTo(page, "button", "Konto von Otto");
    await keys.press("Enter");
    await tabTo(page, "button", "Abmelden");
    await keys.press("Enter");
    await page.getByRole("heading", { name: "Anmelden" }).waitFor();
    await tabTo(page, "link", "Weiter mit Example ID");
    await keys.press("Enter");
    await page.locator("input[name=login]").waitFor();
    await page.locator("input[name=login]").focus();
    await keys.type("berta");
    await keys.press("Tab");
    await keys.type("any");
    await keys.press("Enter");
    await page.getByRole("button", { name: "Continue" }).focus();
    await keys.press("Enter");
    await page.getByRole("heading", { name: "Willkommen, berta" }).waitFor();
  });

  it("each refusal of a provider has its own sentence and a way back", async () => {
    const sentences = new Set<string>();
    const errors = ["expired", "provider_failed", "canceled", "unverified", "not_allowed"];
    for (const error of [
      ...errors,
      "account_exists",
      "unknown_provider",
      "rate_limited",
      "unavailable",
      "something new",
    ]) {
      const { page } = await open();
      await page.goto(`/admin/auth/complete#error=${encodeURIComponent(error)}`);
      // A sign-in that the person canceled is no fault.
      const notice = page.getByRole(error === "canceled" ? "status" : "alert");
      sentences.add((await notice.textContent()) ?? "");
      await page.getByRole("link", { name: "Back to sign-in" }).click();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
    }
    // A reason that the page does not know is shown as `unavailable`.
    expect(sentences.size).toBe(9);
  });

  it("a link's secret leaves the address before the first request, and works once", async () => {
    await createPerson("once@example.com", "paper boats sail uphill");
    await fetch(`${journey.service.url}/api/auth/password/forgot`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email: "once@example.com" }),
    });
    const link = await journey.service.linkTo("once@example.com");
    const secret = new URL(link).hash.replace("#token=", "");
    const { page } = await open();
    const seen: string[] = [];
    page.on("request", (request) => {
      seen.push(request.url(), JSON.stringify(request.headers()));
      if (request.resourceType() === "fetch") seen.push(`at ${page.url()}`);
    });
    await page.goto(link);
    await page.getByLabel("Password", { exact: true }).fill(newPassword);
    await page.getByText("This password can be used.").waitFor();
    expect(seen.filter((text) => text.includes("token=") && text !== link)).toEqual([]);
    expect(await page.evaluate(() => JSON.stringify([history.length, localStorage]))).not.toContain(
      secret,
    );
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByText("Your new password is set.").waitFor();
    await page.goto(link);
    await page.getByLabel("Password", { exact: true }).fill(newPassword);
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByRole("heading", { name: "This link does not work" }).waitFor();
    await page.goto("/admin/auth/reset");
    await page.getByRole("heading", { name: "This link does not work" }).waitFor();
  });

  it("a wrong password and an unknown address get the same sentence, and what was typed stays", async () => {
    await createPerson("sam@example.com", "paper boats sail uphill");
    const { page } = await open();
    const sentences: string[] = [];
    for (const email of ["sam@example.com", "nobody@example.com"]) {
      await page.goto("/admin/auth/sign-in");
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password", { exact: true }).fill("not the password");
      await page.getByRole("button", { name: "Sign in" }).click();
      sentences.push((await page.getByRole("alert").textContent()) ?? "");
      expect(await page.getByLabel("Email").inputValue()).toBe(email);
      expect(await page.getByLabel("Password", { exact: true }).inputValue()).not.toBe("");
    }
    const failure =
      "Wrong email or password, or this account has no access yet. If the password is right, ask an administrator.";
    expect(sentences).toEqual([failure, failure]);
  });

  it("a password is hidden, can be pasted, and is named for password managers", async () => {
    const { page } = await open();
    await page.goto("/admin/auth/sign-in");
    await page.getByLabel("Email").fill("paper boats sail uphill");
    await page.getByLabel("Email").press("Control+a");
    await page.keyboard.press("Control+c");
    const password = page.getByLabel("Password", { exact: true });
    await password.press("Control+v");
    expect(await password.inputValue()).toBe("paper boats sail uphill");
    expect(await password.getAttribute("type")).toBe("password");
    expect(await password.getAttribute("autocomplete")).toBe("current-password");
  });

  it("a new tab opens where its person is signed in, and a sign-out reaches every tab", async () => {
    await createPerson("tabs@example.com", newPassword);
    const { page, openTab } = await open();
    await signInAt(page, "tabs@example.com");
    await page.goto("/app?second");
    const second = await openTab();
    await second.goto("/app");
    await second.getByRole("heading", { name: "Welcome, Nora" }).waitFor();
    expect(await second.evaluate(() => localStorage.getItem("rowhouse.session"))).toBeNull();
    await second.getByRole("button", { name: "Account of Nora" }).click();
    await second.getByRole("button", { name: "Sign out" }).click();
    for (const tab of [page, second]) {
      await tab.getByRole("heading", { name: "Sign in" }).waitFor();
      expect(await tab.evaluate(() => sessionStorage.getItem("rowhouse.session"))).toBeNull();
    }
    await page.goBack();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await page.locator("body").textContent()).not.toContain("Nora");
  });

  it("only a person who stays signed in leaves a session in the browser", async () => {
    await createPerson("kept@example.com", newPassword);
    const { page } = await open();
    await signInAt(page, "kept@example.com", true);
    const { length } = await page.evaluate(() => localStorage.getItem("rowhouse.session") ?? "");
    expect(length).toBeGreaterThan(0);
    await page.evaluate(() => sessionStorage.clear());
    await page.reload();
    await page.getByRole("heading", { name: "Welcome, Nora" }).waitFor();
  });

  it("a return address of another origin is ignored", async () => {
    await createPerson("back@example.com", newPassword);
    for (const path of ["//evil.example", "https://evil.example", "/\\evil.example", "/api/auth"]) {
      const { page } = await open();
      await page.goto(`/admin/auth/sign-in?return_to=${encodeURIComponent(path)}`);
      await page.getByLabel("Email").fill("back@example.com");
      await page.getByLabel("Password", { exact: true }).fill(newPassword);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Welcome, Nora" }).waitFor();
      expect(page.url()).toBe(`${journey.service.url}/app`);
    }
  });
});
