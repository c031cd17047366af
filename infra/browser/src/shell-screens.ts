import type { Page } from "playwright-core";
import { enterAs, openAs, type People } from "./people.ts";
import type { Screen } from "./screen.ts";

/** The screens of the frame: palette, shortcuts, navigation. */
export function shellScreens(people: People): Screen[] {
  const palette = (session: string, typed: string) => async (page: Page) => {
    await openAs(page, session, "/app");
    await page.keyboard.press("Control+k");
    await page.locator("dialog input").fill(typed);
    await page.locator("dialog input").waitFor();
  };
  return [
    { name: "palette", show: palette(people.typical, "") },
    { name: "palette-searched", show: palette(people.typical, "tri") },
    { name: "palette-nothing", show: palette(people.empty, "no such thing") },
    { name: "palette-overfull", show: palette(people.overfull, "n") },
    {
      name: "shortcuts",
      show: async (page) => {
        await openAs(page, people.typical, "/app");
        await page.keyboard.press("?");
        await page.locator("dialog h2").waitFor();
      },
    },
    {
      name: "navigation-filtered-overfull",
      isOneWidth: true,
      show: async (page) => {
        await openAs(page, people.overfull, "/app");
        const menu = page.locator("button[aria-expanded]:visible").first();
        if ((page.viewportSize()?.width ?? 0) < 768) await menu.click();
        await page.locator("nav input:visible").fill("1");
      },
    },
    {
      name: "renewal",
      show: async (page) => {
        const ended = JSON.parse(people.typical) as { token: string };
        const session = JSON.stringify({ ...ended, token: `rhs_${"0".repeat(36)}` });
        await enterAs(page, session, "/app");
        await page.locator("dialog").waitFor();
      },
    },
    {
      name: "home-first-steps-overfull",
      show: async (page) => {
        await openAs(page, people.administrator, "/app");
        await page.locator("main ol").waitFor();
      },
    },
    {
      name: "navigation",
      isOneWidth: true,
      show: async (page) => {
        await openAs(page, people.typical, "/app");
        const menu = page.locator("button[aria-expanded]:visible").first();
        if ((page.viewportSize()?.width ?? 0) < 768) await menu.click();
        await page.locator("nav a:visible").first().waitFor();
      },
    },
  ];
}
