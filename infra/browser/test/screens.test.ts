import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessibilityFaults } from "../src/axe.ts";
import { hasChromium, startChromium } from "../src/chromium.ts";
import type { Screen } from "../src/screen.ts";
import { prepareScreens } from "../src/screens.ts";
import { type BrowserService, providerRecord, startBrowserService } from "../src/service.ts";
import { openPage } from "../src/watched-page.ts";

describe.runIf(hasChromium())("every screen", () => {
  let service: BrowserService;
  let browser: Browser;
  let screens: Screen[];

  beforeAll(async () => {
    [service, browser] = await Promise.all([startBrowserService(), startChromium()]);
    const role = (await service.administer("POST", "/roles", { name: "Readers" })) as {
      id: string;
    };
    await service.administer("POST", "/auth-providers", providerRecord(service.provider, role.id));
    screens = await prepareScreens(service);
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  const wide = { width: 1280, height: 800 };
  // 320 CSS pixels are 1280 at a zoom of 400 %.
  const narrow = { width: 320, height: 640 };

  /** Screens that are inspected at a time: while one loads, another is inspected. */
  const lanes = 3;
  const eachScreen = async (
    some: readonly Screen[],
    inspect: (screen: Screen) => Promise<void>,
  ) => {
    const rest = [...some];
    const lane = async () => {
      for (let screen = rest.shift(); screen !== undefined; screen = rest.shift()) {
        await inspect(screen);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  };

  it.each([wide, narrow])(
    "is accessible and clean on %o, light and dark, and nothing is cut off",
    async (viewport) => {
      await eachScreen(screens, async ({ name, show }) => {
        const options = { colorScheme: "light", viewport } as const;
        const { page, faults, close } = await openPage(browser, service.url, options);
        await show(page);
        const overflow = await page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement;
          return scrollWidth - clientWidth;
        });
        const light = await accessibilityFaults(page);
        await page.emulateMedia({ colorScheme: "dark" });
        await page.locator("html[data-theme=dark]").waitFor();
        // The same elements in other colors.
        const dark = await accessibilityFaults(page, ["color-contrast"]);
        expect([name, light, dark, [...faults], overflow]).toEqual([name, [], [], [], 0]);
        await close();
      });
    },
  );

  it("shows texts of the catalogs only: in the pseudo-locale each is in brackets", async () => {
    // Names and paths of the person's own data, and the names of languages.
    const own =
      /^(?:English|Deutsch|[a-z+]|[€\d.,]+|\W|.*(?:@|\/api\/).*|fleet|vehicles|trips|workshop_visits|numbered \d+|Gro|Ada Dahl|Iris Lund|Example ID|laptop|nightly import|Chrome, Linux|node)$/i;
    const usual = screens.filter((one) => !one.name.includes("overfull"));
    await eachScreen(usual, async ({ name, show }) => {
      // Tabs of one browser hand their sessions to each other.
      const { page, close } = await openPage(browser, service.url);
      await page.addInitScript(() => localStorage.setItem("rowhouse.language", "en-XA"));
      await show(page);
      const texts = await page.evaluate(() => {
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        const found: string[] = [];
        while (walker.nextNode() !== null) {
          const { parentElement, textContent } = walker.currentNode;
          if (parentElement?.closest("noscript, script, style") !== null) continue;
          // Names and values of the person's data set their own direction.
          if (
            parentElement?.closest('[dir="auto"], bdi, code, .cm-editor, [role="gridcell"]') !==
            null
          )
            continue;
          found.push((textContent ?? "").trim());
        }
        const own = new Set(
          [...document.querySelectorAll('[dir="auto"], bdi')].map((element) =>
            (element.textContent ?? "").trim(),
          ),
        );
        const named = [...document.querySelectorAll("[aria-label], [placeholder]")];
        return [
          ...found,
          ...named.flatMap((element) => [
            element.getAttribute("aria-label") ?? "",
            element.getAttribute("placeholder") ?? "",
          ]),
          document.title,
        ].filter((text) => text !== "" && !own.has(text));
      });
      const forgotten = texts.filter((text) => !/⟦.*⟧/s.test(text) && !own.test(text));
      expect([name, forgotten]).toEqual([name, []]);
      expect(texts.length).toBeGreaterThan(3);
      await close();
    });
  });
});
