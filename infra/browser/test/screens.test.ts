// Tiers: all, long. Starts a browser; every screen in a long run.

import { isLongRun } from "@rowhouse/testing";
import type { Browser, BrowserContextOptions, Page, ViewportSize } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadAxe } from "../src/axe.ts";
import { closeWindows, hasChromium, openChromium } from "../src/chromium.ts";
import { forgottenTexts, usePseudoLocale } from "../src/pseudo-locale.ts";
import { unreachableControls } from "../src/reach.ts";
import type { Screen } from "../src/screen.ts";
import { prepareScreens } from "../src/screens.ts";
import { type BrowserService, providerRecord, startBrowserService } from "../src/service.ts";
import { openPage } from "../src/watched-page.ts";

/**
 * Variants of screens, which the usual run leaves out: most of their controls are those of the screens beside them.
 * `npm run test:long` inspects them too, and every screen with axe-core in dark and at a zoom of 200 % and 400 %.
 */
const variants = [
  /^(?:people|structure|access|sql|settings|audit|files|workflow|palette|register|dashboard-builder)-.*(?:empty|system|sessions|permissions|keys|indexes|checks|soon|stored|found|missing|deactivate|delete|move|tables|overfull|nothing|sound|no-preview|refused|searched|row-permitted)/,
  /^(?:rows-(?:empty|no-match|missing|wide|odd)|data-view-(?:empty|missing|cards-o|month-o)|dashboard-(?:empty|overfull)|filter-closed-o|import-mapped)/,
  /^(?:account-(?:tokens-|security-failed)|mcp-calls-|consent-(?:overfull|refused)|reset-broken|complete-linked|readings-none|audit-filtered)/,
  /^(?:workflow-(?:runs-filtered|editor-code-fault|versions-again)|structure-from-file-create|settings-template-add)/,
  /^(?:access-grant(?:-lost)?|account-(?:new-token|revoke-token|sessions)|people-(?:invite-failed|managed.*|new-token|tokens|user-tokens|role-settings))$/,
  /^(?:builder-kanban|dashboard-(?:builder-text|builder-settings|chart-as-table|limited|rows)|data-view-(?:board-menu|board-overfull|week|degraded))$/,
  /^(?:files-(?:chooser|list|picture|quarantined|text-public)|filter-(?:closed|field|operands|search|search-closed|text-fault)|form-row|import-faults-overfull)$/,
  /^(?:home-(?:empty|overfull|first-steps-overfull|readings)|navigation-filtered-overfull|readings-(?:boards|delete)|reference-open|rows-(?:every-type|grouped|hostile-overfull|view))$/,
  /^(?:complete-(?:canceled|refused|unknown|unverified)|consent-not-permitted|forgot-sent|mcp-(?:changed|clients-revoke|off)|settings-(?:document-add|template)|sign-in-failed|sql-(?:fault|plan|write))$/,
  /^structure-(?:draft|from-file|junction|map-list|presentation|text-search|view|new-view)$/,
  /^(?:access-view-as|account-tokens|builder-(?:empty|form)|dashboard-(?:builder-)?parameters|data-view-cards|files-(?:field|grid-columns|uploads)|filter-(?:fault|new))$/,
  /^(?:home-account|people-(?:new-provider|new-user|role)|readings-list|rows-(?:filtered|history)|settings-(?:document|templates)|shortcuts|status)$/,
  /^(?:structure-new-table|workflow-(?:editor-add|run-start|secrets))$/,
  /^workflow-(?:editor-faults|editor-publish|new-failed|run-again|run-compared|run-failed|settings|test-result|versions)$/,
  /^managed-(?:access|roles|.+-unlocked|grant|mail|table-.+|view|document|provider|settings|workflow.*|data-view|dashboard)$/,
  /^(?:access-(?:cell-menu|copy|explain-row-hidden|head-menu|many|newcomer-folded)|builder-lost|data-view-week-full)$/,
  /^(?:administration-untried-server|sql-(?:typical|untried-server)|settings-section|people-invitations-link)$/,
  /^(?:configuration-(?:import-(?:faults|no-zip|overfull)|none|overfull|same|set-back)|import-(?:ambiguous|forms|skipped)-overfull)$/,
  /^(?:files-(?:start|stop|unused)|first-steps-connect|structure-(?:file-types|new-reference)|workflow-(?:graph-diff|new-example))$/,
];

const isComplete = isLongRun();
const isAdministration =
  /^(?:administration|configuration|dashboard-builder|managed|people|structure|access|sql|settings|sealed|audit|mcp|reference|workflow)/;

describe.runIf(hasChromium())("every screen", () => {
  let service: BrowserService;
  let browser: Browser;
  let screens: Screen[];

  beforeAll(async () => {
    [service, browser] = await Promise.all([startBrowserService(), openChromium()]);
    const role = (await service.administer("POST", "/roles", { name: "Readers" })) as {
      id: string;
    };
    await service.administer("POST", "/auth-providers", providerRecord(service.provider, role.id));
    const all = await prepareScreens(service);
    screens = all.filter(({ name }) => isComplete || !variants.some((some) => some.test(name)));
  }, 600_000);
  afterAll(async () => {
    await closeWindows(browser);
    await service.stop();
  });

  const wide = { width: 1280, height: 800 };
  // The CSS pixels of the same window at a zoom of 200 % and of 400 %.
  const zoomed = { width: 640, height: 400 };
  const narrow = { width: 320, height: 640 };

  /**
   * Screens that are inspected at a time: while one loads, another is inspected. Each lane has a browser context of its own,
   * whose cache has the files of the pages, and shows each screen in a new tab. Tabs that are open together would hand
   * their sessions to each other.
   */
  const lanes = 3;
  const eachScreen = async (
    some: readonly Screen[],
    options: BrowserContextOptions,
    inspect: (screen: Screen, page: Page) => Promise<void>,
  ) => {
    const rest = [...some];
    const lane = async () => {
      const { openTab, faults, close } = await openPage(browser, service.url, options);
      for (let screen = rest.shift(); screen !== undefined; screen = rest.shift()) {
        const page = await openTab();
        await inspect(screen, page);
        await page.close();
        expect([screen.name, ...faults]).toEqual([screen.name]);
      }
      await close();
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  };

  const setTheme = async (page: Page, theme: "light" | "dark") => {
    await page.emulateMedia({ colorScheme: theme });
    await page.locator(`html[data-theme=${theme}]`).waitFor();
  };

  it.each([
    ["of the sign-in and the workspace", false],
    ["of the administration", true],
  ])(
    "%s is accessible, nothing is out of reach, also at a zoom of 400 %, and all texts are of the catalogs; in a long run in dark and at a zoom of 200 % too",
    async (_part, isManaged) => {
      const options = { colorScheme: "light", viewport: wide } as const;
      const part = screens.filter(({ name }) => isAdministration.test(name) === isManaged);
      expect(part.length).toBeGreaterThan(10);
      await eachScreen(part, options, async ({ name, show, isOneWidth = false }, page) => {
        const faults: Record<string, readonly string[]> = {};
        // A person zooms into the page that is open; some screens have other controls then.
        const resize = async (viewport: ViewportSize) => {
          await page.setViewportSize(viewport);
          // What floats follows its anchor in the next frame.
          await page.evaluate(
            () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
          );
          if (isOneWidth) await show(page);
        };
        await usePseudoLocale(page);
        await show(page);
        faults.texts = name.includes("overfull") ? [] : await forgottenTexts(page);
        let inspect = await loadAxe(page);
        faults.reach = await unreachableControls(page);
        faults.light = await inspect();
        if (isComplete) {
          await setTheme(page, "dark");
          // The same elements in other colors.
          faults.dark = await inspect(["color-contrast"]);
          await resize(zoomed);
          faults.zoomedReach = await unreachableControls(page);
          if (isOneWidth) inspect = await loadAxe(page);
          faults.zoomedDark = await inspect();
        }
        await resize(narrow);
        faults.narrowReach = await unreachableControls(page);
        if (isComplete) {
          if (isOneWidth) inspect = await loadAxe(page);
          faults.narrowDark = await inspect(["color-contrast"]);
          await setTheme(page, "light");
          faults.narrowLight = await inspect();
        }
        const found = Object.entries(faults).filter(([, some]) => some.length > 0);
        expect.soft([name, ...found]).toEqual([name]);
      });
    },
    1_200_000,
  );
});
