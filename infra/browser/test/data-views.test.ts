// Tier: long. Starts a browser; of this page, `all` has the screens.
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { loadAxe } from "../src/axe.ts";
import { hasChromium } from "../src/chromium.ts";
import { prepareDepot } from "../src/data-rows.ts";
import { canaries, type JobViews, prepareJobs } from "../src/data-views.ts";
import { enter, enterAs } from "../src/people.ts";
import { prepareJourney } from "./journey.ts";

const october = "?from=2026-10-01";

describe.runIf(hasChromium())("the page of a DataView", () => {
  const journey = prepareJourney();
  let views: JobViews;
  beforeAll(async () => {
    await prepareDepot(journey.service);
    views = await prepareJobs(journey.service);
  });
  const query = async <Row>(text: string) =>
    (await journey.service.test.database.query(text)) as Row[];
  const pathOf = (name: string, search = "") => `/app/data-views/${views.ids[name]}${search}`;
  const open = async (
    name: string,
    { search = "", session = views.session, width = 1440 } = {},
  ): Promise<Page> => {
    const { page } = await journey.open({
      viewport: { width, height: 900 },
      acceptDownloads: true,
    });
    await enterAs(page, session, pathOf(name, search));
    await page.getByRole("heading", { level: 1, name }).waitFor();
    return page;
  };
  const column = (page: Page, name: string): Locator => page.locator(`[data-column='"${name}"']`);
  const card = (page: Page, title: string): Locator =>
    page.locator("[data-card]").filter({ hasText: title });
  const stageOf = async (title: string) => {
    const [row] = await query<{ stage: string }>(
      `select stage from depot.jobs where title = '${title}'`,
    );
    return row?.stage;
  };

  it("a table edits a cell in place, sorts, sums up whole columns, and is saved as CSV", async () => {
    const page = await open("Table");
    const grid = page.getByRole("grid", { name: "Table" });
    await grid.getByText("Change tires 1", { exact: true }).waitFor();
    await expect.poll(() => grid.locator("[data-foot]").textContent()).toContain("22875.50");
    expect(await grid.getByText(/^[A-Z]{2}-\d{3}-[A-Z]{2}$/).count()).toBeGreaterThan(5);
    const title = grid.locator('[data-row="0"] [data-column="0"]');
    await title.dblclick();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Renamed here");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Undo" }).waitFor();
    expect(await query("select title from depot.jobs where id = 1")).toEqual([
      { title: "Renamed here" },
    ]);
    await page.getByRole("button", { name: "Undo" }).click();
    await grid.getByText("Change tires 1", { exact: true }).waitFor();
    await grid.getByRole("columnheader", { name: /^Cost/ }).click();
    await grid.getByRole("columnheader", { name: /^Cost/ }).click();
    await expect.poll(() => page.url()).toContain("order_by=-cost");
    await expect.poll(() => title.textContent()).toContain("Paint 60");
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "CSV" }).click(),
    ]);
    const lines = (await readFile(await saved.path(), "utf8")).trim().split(/\r?\n/);
    expect(lines.length).toBe(62);
    expect(lines[1]).toContain("Paint 60");
  });

  it("a card is dragged to another column by the mouse, and taken back by undo", async () => {
    const page = await open("Board");
    const moved = card(page, "Change tires 1");
    await moved.first().waitFor();
    const title = "Change tires 1";
    expect(await stageOf(title)).toBe("DOING");
    await column(page, "DOING").getByText(title, { exact: true }).waitFor();
    await card(page, title)
      .filter({ has: page.getByText(title, { exact: true }) })
      .dragTo(column(page, "NEW").getByRole("list"), { targetPosition: { x: 80, y: 20 } });
    await column(page, "NEW").getByText(title, { exact: true }).waitFor();
    await expect.poll(() => stageOf(title)).toBe("NEW");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => stageOf(title)).toBe("DOING");
    await column(page, "DOING").getByText(title, { exact: true }).waitFor();
  });

  it("a card is moved by the keyboard alone: by Alt and arrows, by its menu, and by its handle", async () => {
    const page = await open("Board");
    const keys = page.keyboard;
    await column(page, "NEW").locator("[data-card-open]").first().waitFor();
    await column(page, "NEW").locator("[data-card-open]").first().focus();
    const title = (await page.locator(":focus bdi").first().textContent()) ?? "";
    await keys.press("Alt+ArrowRight");
    await expect.poll(() => stageOf(title)).toBe("DOING");
    // The focus goes with the card.
    await expect.poll(() => page.locator(":focus").textContent()).toContain(title);
    await keys.press("Control+z");
    await expect.poll(() => stageOf(title)).toBe("NEW");
    await column(page, "NEW").getByText(title, { exact: true }).waitFor();
    await column(page, "NEW")
      .getByRole("button", { name: new RegExp(`^${title}\\b`) })
      .focus();
    await keys.press("Tab");
    await keys.press("Tab");
    await keys.press("Enter");
    await page.getByRole("menuitem", { name: "DOING" }).waitFor();
    await keys.press("Enter");
    await expect.poll(() => stageOf(title)).toBe("DOING");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => stageOf(title)).toBe("NEW");
    await column(page, "NEW")
      .getByRole("button", { name: `Drag ${title}`, exact: true })
      .focus();
    await keys.press("Enter");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("data-column")))
      .toBe('"NEW"');
    await keys.press("Tab");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("data-column")))
      .toBe('"DOING"');
    await keys.press("Enter");
    await expect.poll(() => stageOf(title)).toBe("DOING");
  });

  it("a column that is closed says so before anybody tries, and takes no card", async () => {
    const page = await open("Board");
    await column(page, "DONE").getByText("Closed to you").waitFor();
    expect(await column(page, "DOING").getByText("Closed to you").count()).toBe(0);
    await card(page, "Wash 3").first().waitFor();
    const [row] = await query<{ title: string }>(
      "select title from depot.jobs where stage = 'NEW' and is_open order by rank limit 1",
    );
    const title = row?.title ?? "";
    await column(page, "NEW")
      .getByRole("button", { name: `Move ${title}`, exact: true })
      .click();
    const done = page.getByRole("menuitem", { name: "DONE" });
    expect(await done.getAttribute("aria-disabled")).toBe("true");
    await page.keyboard.press("Escape");
    await card(page, title)
      .first()
      .dragTo(column(page, "DONE").getByRole("list"), { targetPosition: { x: 80, y: 20 } });
    expect(await stageOf(title)).toBe("NEW");
    await column(page, "NEW").getByText(title, { exact: true }).waitFor();
  });

  it("a refused move puts the card back and says why", async () => {
    const page = await open("Board");
    const title = "Inspect 13";
    await column(page, "DOING").getByText(title, { exact: true }).waitFor();
    await column(page, "DOING")
      .getByRole("button", { name: `Move ${title}`, exact: true })
      .click();
    await page.getByRole("menuitem", { name: "BLOCKED" }).click();
    await page.getByRole("alert").first().waitFor();
    await column(page, "DOING").getByText(title, { exact: true }).waitFor();
    expect(await stageOf(title)).toBe("DOING");
  });

  it("a move of a card that another person has changed shows both versions", async () => {
    const page = await open("Board");
    const title = "Clean seats 7";
    const from = await stageOf(title);
    expect(from).toBe("DONE");
    const mine = "Inspect 5";
    await column(page, "DOING").getByText(mine, { exact: true }).waitFor();
    await query(`update depot.jobs set stage = 'NEW' where title = '${mine}'`);
    await column(page, "DOING")
      .getByRole("button", { name: `Move ${mine}`, exact: true })
      .click();
    await page.getByRole("menuitem", { name: "NEW" }).click();
    const dialog = page.getByRole("dialog", { name: "Another person has changed this row" });
    await dialog.waitFor();
    await dialog.getByRole("button", { name: "Keep these" }).click();
    await column(page, "NEW").getByText(mine, { exact: true }).waitFor();
  });

  it("cards stand in the order of a number, which moving within a column sets", async () => {
    const page = await open("Board");
    await column(page, "NEW").locator("[data-card-open]").nth(3).waitFor();
    const titles = () =>
      column(page, "NEW")
        .locator("[data-card-open]")
        .evaluateAll((all) => all.slice(0, 3).map((one) => one.querySelector("bdi")?.textContent));
    const [first, second, third] = await titles();
    await column(page, "NEW").locator("[data-card-open]").first().focus();
    await page.keyboard.press("Alt+ArrowDown");
    await expect.poll(titles).toEqual([second, first, third]);
    await page.reload();
    await column(page, "NEW").locator("[data-card-open]").nth(3).waitFor();
    await expect.poll(titles).toEqual([second, first, third]);
  });

  it("columns of a reference have the names of their rows, and pages of cards load with a press", async () => {
    const page = await open("By vehicle");
    const own = page.getByRole("region", { name: /^[A-Z]{2}-\d{3}-[A-Z]{2}, [1-9]\d? cards$/ });
    const first = own.first();
    await first.waitFor({ state: "attached" });
    await first.scrollIntoViewIfNeeded();
    await first.locator("[data-card]").first().waitFor();
  });

  it("an event is moved by the mouse, by Alt and arrows, and by its menu; whole days stay whole", async () => {
    const page = await open("Days", { search: october });
    await page.locator("[data-calendar]").waitFor();
    const dueOf = async (title: string) => {
      const [row] = await query<{ due: string }>(
        `select due::text from depot.jobs where title = '${title}'`,
      );
      return row?.due;
    };
    const day = (date: string) => page.locator(`[data-day="${date}"]`);
    const title = "Order parts 10";
    await day("2026-10-11").getByText(title, { exact: true }).waitFor();
    await day("2026-10-11")
      .locator("[data-event]")
      .filter({ hasText: title })
      .dragTo(day("2026-10-26"), { targetPosition: { x: 60, y: 90 } });
    await expect.poll(() => dueOf(title)).toBe("2026-10-26");
    await day("2026-10-26")
      .getByRole("button", { name: new RegExp(`^${title}\\b`) })
      .focus();
    await page.keyboard.press("Alt+ArrowLeft");
    await expect.poll(() => dueOf(title)).toBe("2026-10-25");
    await expect
      .poll(() => page.locator(":focus").textContent())
      .toContain(`${title}Sunday, 25 October 2026`);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "A week earlier" }).click();
    await expect.poll(() => dueOf(title)).toBe("2026-10-18");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => dueOf(title)).toBe("2026-10-25");
  });

  it("a moved time keeps its hour of the clock where the clocks change, and the zone is named", async () => {
    await query(
      "insert into depot.jobs (title, starts_at, ends_at) values ('Night shift', '2026-10-24T20:30Z', '2026-10-24T21:30Z')",
    );
    const page = await open("Hours", { search: october });
    await page.locator("[data-calendar]").waitFor();
    await page.getByText("Times are in Europe/Oslo").waitFor();
    const shift = page
      .locator('[data-day="2026-10-24"]')
      .getByRole("button", { name: /^22:30 Night shift/ });
    await shift.focus();
    await page.keyboard.press("Alt+ArrowRight");
    // 22:30 is UTC+2 on the 24th and UTC+1 on the 25th.
    await expect
      .poll(() =>
        query(
          "select to_char(starts_at at time zone 'UTC', 'DD HH24:MI') as at, to_char(ends_at at time zone 'UTC', 'DD HH24:MI') as until from depot.jobs where title = 'Night shift'",
        ),
      )
      .toEqual([{ at: "25 21:30", until: "25 22:30" }]);
    await page
      .locator('[data-day="2026-10-25"]')
      .getByRole("button", { name: /^22:30 Night shift/ })
      .waitFor();
  });

  it("a full day shows how many more events it has, and a phone shows a list of days", async () => {
    await query(
      "insert into depot.jobs (title, due) select 'Full ' || n, '2026-10-14' from generate_series(1, 9) as n",
    );
    const page = await open("Days", { search: october });
    await page.locator("[data-calendar]").waitFor();
    const full = page.locator('[data-day="2026-10-14"]');
    await full.getByRole("button", { name: /^Show \d+ more/ }).click();
    await page.getByRole("dialog").getByText("Full 9", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 390, height: 844 });
    await page
      .getByRole("list", { name: "October 2026" })
      .getByText("Full 9", { exact: true })
      .waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      390,
    );
  });

  it("state is a link: filter, search and record open again from the address", async () => {
    const where = encodeURIComponent(JSON.stringify({ urgent: { _eq: true } }));
    const page = await open("Cards", { search: `?where=${where}` });
    await page.getByText("13 of 13 rows").or(page.getByText("12 of 12 rows")).waitFor();
    await page.getByRole("button", { name: "Stage" }).first().click();
    await page.getByRole("menuitem", { name: "NEW" }).click();
    await expect.poll(() => decodeURIComponent(page.url())).toContain('"stage":{"_eq":"NEW"}');
    await page.locator("[data-rows] li button").first().click();
    await page.getByRole("complementary", { name: "Record" }).waitFor();
    await page.reload();
    await page.getByRole("complementary", { name: "Record" }).waitFor();
  });

  it("a limited person receives nothing hidden, in the document or in any response", async () => {
    const seen: string[] = [];
    for (const name of Object.keys(views.ids).filter((one) => !one.startsWith("Bad"))) {
      const { page } = await journey.open({ viewport: { width: 1440, height: 900 } });
      page.on("response", (answer) => {
        if (!/\/(?:app\/)?api\//.test(answer.url())) return;
        void answer.text().then(
          (text) => seen.push(`${answer.url()} ${text}`),
          () => {},
        );
      });
      await enterAs(page, views.limited, pathOf(name, october));
      await page
        .locator("[data-rows], [data-card], [data-calendar], main h1, [data-board]")
        .first()
        .waitFor();
      await page.waitForLoadState("networkidle");
      seen.push(await page.content());
    }
    for (const canary of canaries) {
      expect(
        seen.filter((text) => text.includes(canary)).map((text) => text.slice(0, 200)),
      ).toEqual([]);
    }
    expect(seen.join("")).toContain("Check brakes");
  });

  it("a view whose key field is hidden is a table for that person, and says so without a name", async () => {
    const page = await open("Hidden groups", { session: views.limited });
    await page.getByText("You see its rows as a table").waitFor();
    await page.getByRole("grid", { name: "Hidden groups" }).waitFor();
  });

  it("nobody without the role learns that a DataView exists", async () => {
    const { page } = await journey.open();
    const [session, missing] = [
      await enter(journey.service, "stranger@example.com", "Gro", journey.roleId),
      "/app/data-views/00000000-0000-4000-8000-000000000000",
    ];
    const texts: string[] = [];
    for (const path of [pathOf("Board"), missing]) {
      await enterAs(page, session, path);
      await page.getByText("There is no such DataView, or it is not open to you.").waitFor();
      texts.push((await page.locator("main").textContent()) ?? "");
    }
    expect(texts[0]).toBe(texts[1]);
  });

  it("hostile rows run nothing and break no layout, in cards, a kanban and a calendar", async () => {
    for (const name of ["Bad cards", "Bad board", "Bad days"]) {
      const page = await open(name, { search: october });
      await page.locator("[data-rows] li, [data-card], [data-event]").first().waitFor();
      await page.waitForLoadState("networkidle");
      expect(await page.evaluate(() => "hacked" in window)).toBe(false);
      expect(await page.locator("main img[src^='http'], main img[src='x']").count()).toBe(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        1440,
      );
    }
  });

  it.each(["Table", "Cards", "Board", "Days"])(
    "%s is accessible, also on a phone and in dark",
    async (name) => {
      const page = await open(name, { search: october });
      await page.locator("[data-rows], [data-card], [data-calendar]").first().waitFor();
      const inspect = await loadAxe(page);
      expect(await inspect()).toEqual([]);
      await page.emulateMedia({ colorScheme: "dark" });
      await page.locator("html[data-theme=dark]").waitFor();
      expect(await inspect(["color-contrast"])).toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await inspect()).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        390,
      );
    },
  );
});
