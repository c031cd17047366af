import { accessSync, constants } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Chromium as Debian installs it; ROWHOUSE_CHROMIUM names another one. */
const executablePath = process.env.ROWHOUSE_CHROMIUM ?? "/usr/bin/chromium";

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

/** Starts a browser. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({ executablePath, args });
}
