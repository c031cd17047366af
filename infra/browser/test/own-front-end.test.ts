// Tier: long. Starts a browser.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createUser, expose, smallPng } from "@rowhouse/testing";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeWindows, hasChromium, openChromium } from "../src/chromium.ts";
import {
  buildApplication,
  type ServedApplication,
  serveApplication,
} from "../src/own-application.ts";
import { type BrowserService, providerRecord, startBrowserService } from "../src/service.ts";

// Runs the application of docs/own-front-end.md on another origin than the service.

/** Builds the application as its page shows it. */
async function buildExample(url: string): Promise<string> {
  const page = new URL("../../../docs/own-front-end.md", import.meta.url);
  const markdown = await readFile(page, "utf8");
  const [, source = ""] = /^```tsx\n([\s\S]*?)^```$/m.exec(markdown) ?? [];
  const folder = await mkdtemp(join(tmpdir(), "rowhouse-front-end-"));
  try {
    await writeFile(join(folder, "app.tsx"), source);
    return await buildApplication(folder, url);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe.runIf(hasChromium())("the application of the page about own front ends", () => {
  let service: BrowserService;
  let browser: Browser;
  let context: BrowserContext;
  let served: ServedApplication;
  let app = "";
  let roleId = "";
  const faults: string[] = [];
  const visited = new Set<string>();

  beforeAll(async () => {
    service = await startBrowserService();
    const { database } = service.test;
    await expose(database, "system", "files", "GET", "POST");
    const role = (await service.administer("POST", "/roles", { name: "Customers" })) as {
      id: string;
    };
    roleId = role.id;
    const resources = (await service.administer(
      "GET",
      "/resources?schema=system&search=files",
    )) as {
      id: string;
      name: string;
    }[];
    const resourceId = resources.find(({ name }) => name === "files")?.id;
    await service.administer("POST", "/grants", { roleId, resourceId, action: "READ" });
    await service.administer("POST", "/auth-providers", providerRecord(service.provider, roleId));
    await uploadPicture();

    const code = await buildExample(service.url);
    served = await serveApplication(() => code);
    app = served.origin;
    await service.administer("PATCH", "/settings", {
      "security.cors_origins": [app],
      "auth.return_addresses": [`${app}/account`, `${app}/signed-in`],
      "auth.registration_role": roleId,
      "auth.registration_enabled": true,
    });
    browser = await openChromium();
    context = await browser.newContext();
    context.setDefaultTimeout(10_000);
    context.on("page", (page) => {
      page.on("pageerror", (error) => faults.push(error.message));
      page.on("console", (message) => {
        const isRefusal = message.text().startsWith("Failed to load resource");
        if (message.type() === "error" && page.url().startsWith(app) && !isRefusal) {
          faults.push(message.text());
        }
      });
      page.on("framenavigated", (frame) => visited.add(new URL(frame.url()).pathname));
    });
  }, 120_000);
  afterAll(async () => {
    await closeWindows(browser);
    served?.stop();
    await service?.stop();
  });

  async function uploadPicture(): Promise<void> {
    const { database } = service.test;
    const admin = await createUser(database, "pictures@example.com", "Administrators");
    const answer = await fetch(`${service.url}/api/files?name=small.png`, {
      method: "POST",
      headers: { Authorization: `Bearer ${admin.secret}`, "Content-Type": "image/png" },
      body: new Uint8Array(smallPng()),
    });
    expect(answer.status).toBe(201);
  }

  const open = async (url = app): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(url);
    return page;
  };
  const formOf = (page: Page, button: string) =>
    page.locator("form").filter({ has: page.getByRole("button", { name: button, exact: true }) });
  const fill = async (page: Page, button: string, values: Record<string, string>) => {
    const form = formOf(page, button);
    for (const [label, value] of Object.entries(values)) {
      await form.getByLabel(label, { exact: true }).fill(value);
    }
    await form.getByRole("button", { name: button, exact: true }).click();
  };
  const said = (page: Page, text: string) =>
    page.getByRole("status").filter({ hasText: text }).waitFor();
  /** Waits for the list, whose picture the browser has loaded from the other origin. */
  const seesPicture = async (page: Page) => {
    const image = page.getByAltText("small.png");
    await image.waitFor();
    await expect
      .poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth))
      .toBe(2);
  };
  const leave = async (page: Page) => {
    await page.getByRole("button", { name: "Sign out" }).click();
    await formOf(page, "Sign in").waitFor();
  };
  const email = "ada@front-end.example";
  const password = "paper boats sail uphill";

  it("registers a person, confirms the address by the mail, signs in and shows a picture", async () => {
    const page = await open();
    await fill(page, "Register", { Name: "Ada", Email: email, Password: password });
    await said(page, "Look into your mailbox");
    const link = await service.linkTo(email);
    expect(link).toMatch(new RegExp(`^${app}/account#token=\\w+&kind=verify$`));
    const mailed = await open(link);
    expect(mailed.url()).toBe(`${app}/account`);
    await mailed.getByRole("button", { name: "Continue" }).click();
    await said(mailed, "Your address is confirmed");
    await fill(page, "Sign in", { Email: email, Password: password });
    await seesPicture(page);
    await page.reload();
    await seesPicture(page);
    await leave(page);
  });

  it("sets a new password by the mail", async () => {
    const page = await open();
    await fill(page, "Send a link", { Email: email });
    await said(page, "Look into your mailbox");
    const mailed = await open(await service.linkTo(email));
    await fill(mailed, "Continue", { Password: "short" });
    await said(mailed, "A password must have 12 to 256 characters");
    await fill(mailed, "Continue", { Password: "another boat sails uphill" });
    await said(mailed, "Your password is set");
    await fill(page, "Sign in", { Email: email, Password: password });
    await said(page, "Invalid email or password");
    await fill(page, "Sign in", { Email: email, Password: "another boat sails uphill" });
    await seesPicture(page);
    await leave(page);
  });

  it("accepts an invitation", async () => {
    const guest = "guest@front-end.example";
    const returnTo = `${app}/account`;
    await service.administer("POST", "/invitations", { email: guest, roleIds: [roleId], returnTo });
    const page = await open(await service.linkTo(guest));
    await fill(page, "Continue", { Password: password });
    await seesPicture(page);
    await leave(page);
  });

  it("signs in through a provider, in the tab that began it alone", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Continue with Example ID" }).click();
    await page.locator("input[name=login]").fill("grace");
    await page.locator("input[name=password]").fill("any");
    await page.getByRole("button", { name: "Sign-in" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await seesPicture(page);
    expect(new URL(page.url()).pathname).toBe("/");
    await leave(page);

    // An attacker's code, at the page of a victim: without a sign-in of its own, and with one.
    const victim = await open(`${app}/signed-in#code=rhl_stolen`);
    await said(victim, "This sign-in did not begin here");
    await victim.evaluate(() => sessionStorage.setItem("verifier", "v".repeat(43)));
    await victim.goto("about:blank");
    await victim.goto(`${app}/signed-in#code=${await freshCode()}`);
    await said(victim, "invalid, expired or already used");
    expect(await victim.evaluate(() => sessionStorage.getItem("session"))).toBeNull();

    const refused = await open(`${app}/signed-in#error=canceled`);
    await said(refused, "canceled");
  });

  /** A code that is valid for the pages of the service, as an attacker can get one for the own account. */
  async function freshCode(): Promise<string> {
    // Without scripts the page of the service does not use it.
    const other = await browser.newContext({ javaScriptEnabled: false });
    const page = await other.newPage();
    await page.goto(`${service.url}/api/auth/oauth/real`);
    await page.locator("input[name=login]").fill("mallory");
    await page.locator("input[name=password]").fill("any");
    await page.getByRole("button", { name: "Sign-in" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL("**/admin/auth/complete*");
    const code = new URLSearchParams(new URL(page.url()).hash.slice(1)).get("code") ?? "";
    await other.close();
    expect(code).toMatch(/^rhl_/);
    return code;
  }

  it("shows no page of the service meanwhile, and no error in the console", () => {
    expect([...visited].filter((path) => path.startsWith("/admin"))).toEqual([]);
    expect(faults).toEqual([]);
  });
});
