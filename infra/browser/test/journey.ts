import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { closeWindows, openChromium } from "../src/chromium.ts";
import { type BrowserService, providerRecord, startBrowserService } from "../src/service.ts";
import { openPage, type WatchedPage } from "../src/watched-page.ts";

export const newPassword = "violet anchors drift slowly";

/** What the tests of a file share: a service with a role and a provider, a browser, and people. */
export interface Journey {
  readonly service: BrowserService;
  /** A role that may use the API. */
  readonly roleId: string;
  /**
   * Opens a page with a storage of its own. Its faults fail the test.
   *
   * @param at another address of the service than the usual one
   */
  open(options?: Parameters<typeof openPage>[2], at?: string): Promise<WatchedPage>;
  invite(email: string): Promise<unknown>;
  /** Creates a person with the role by an invitation, and returns their session. */
  createPerson(email: string, password?: string): Promise<string>;
  /** Signs a person in on the page. */
  signInAt(page: Page, email: string, isKept?: boolean): Promise<void>;
}

/** Starts the service and the browser for the tests of a file, and ends them. */
export function prepareJourney(start = startBrowserService): Journey {
  let service: BrowserService | undefined;
  let browser: Browser | undefined;
  let opened: WatchedPage[] = [];
  let roleId = "";
  const started = (): BrowserService => {
    if (service === undefined) throw new Error("The service starts in beforeAll");
    return service;
  };
  beforeAll(async () => {
    [service, browser] = await Promise.all([start(), openChromium()]);
    const role = (await service.administer("POST", "/roles", { name: "Readers" })) as {
      id: string;
    };
    roleId = role.id;
    await service.administer("POST", "/auth-providers", providerRecord(service.provider, roleId));
  });
  afterEach(async () => {
    const faults = opened.flatMap((one) => one.faults);
    await Promise.all(opened.map((one) => one.close()));
    opened = [];
    expect(faults).toEqual([]);
  });
  afterAll(async () => {
    await closeWindows(browser);
    await service?.stop();
  });
  const invite = (email: string) =>
    started().administer("POST", "/invitations", { email, name: "Nora", roleIds: [roleId] });
  return {
    get service() {
      return started();
    },
    get roleId() {
      return roleId;
    },
    open: async (options = {}, at = started().url) => {
      if (browser === undefined) throw new Error("The browser starts in beforeAll");
      const watched = await openPage(browser, at, options);
      opened.push(watched);
      return watched;
    },
    invite,
    createPerson: async (email, password = newPassword) => {
      await invite(email);
      const token = new URL(await started().linkTo(email)).hash.replace("#token=", "");
      const answer = await fetch(`${started().url}/api/auth/invitations/accept`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ token, password }),
      });
      expect(answer.status).toBe(200);
      return ((await answer.json()) as { data: { token: string } }).data.token;
    },
    signInAt: async (page, email, isKept = false) => {
      await page.goto("/admin/auth/sign-in");
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password", { exact: true }).fill(newPassword);
      if (isKept) await page.getByLabel("Stay signed in on this device").check();
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "Welcome, Nora" }).waitFor();
    },
  };
}

/** Presses Tab, or Shift and Tab, until an element has the focus. */
export async function tabTo(
  page: Page,
  role:
    | "link"
    | "textbox"
    | "button"
    | "checkbox"
    | "combobox"
    | "radio"
    | "searchbox"
    | "switch"
    | "tab",
  name: string,
  key: "Tab" | "Shift+Tab" = "Tab",
): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: true });
  for (let press = 0; press < 80; press += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`The keyboard does not reach ${role} ${name}`);
}
