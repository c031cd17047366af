import { accessSync, constants, existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/**
 * Chromium as Debian installs it; ROWHOUSE_CHROMIUM names another one. The shell has no window to draw: with the same pages it
 * uses less than half of the browser's processor time.
 */
const installed = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"] as const;
const executablePath =
  process.env.ROWHOUSE_CHROMIUM ?? installed.find((path) => existsSync(path)) ?? installed[1];

const args = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Returns whether a Chromium is installed. With ROWHOUSE_REQUIRE_CHROMIUM=1 its absence is an error. */
export function hasChromium(): boolean {
  try {
    accessSync(executablePath, constants.X_OK);
    return true;
  } catch {
    if (process.env.ROWHOUSE_REQUIRE_CHROMIUM === "1") {
      throw new Error(`${executablePath} does not exist, and ROWHOUSE_REQUIRE_CHROMIUM is 1`);
    }
    console.warn(`${executablePath} does not exist: the tests in a browser are SKIPPED`);
    return false;
  }
}

let running: Promise<Browser> | undefined;

/** Returns the browser of this process, which ends with it. */
export async function openChromium(): Promise<Browser> {
  running ??= chromium.launch({ executablePath, args });
  const browser = await running;
  if (browser.isConnected()) return browser;
  running = undefined;
  return openChromium();
}

/** Closes the windows of a file's tests. */
export async function closeWindows(browser: Browser | undefined): Promise<void> {
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
}
