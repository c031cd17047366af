// Tier: long. Starts a browser; of this page, `all` has the screens.
import { readFile } from "node:fs/promises";
import type { Browser, Download, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadAxe } from "../src/axe.ts";
import {
  type Boards,
  boardCanaries,
  boardIsRead,
  openBoard,
  prepareBoards,
} from "../src/boards.ts";
import { closeWindows, hasChromium, openChromium } from "../src/chromium.ts";
import { type BrowserService, startBrowserService } from "../src/service.ts";
import { openPage } from "../src/watched-page.ts";

/** A parameter of the open address. */
function parameterOf(page: Page, name: string): unknown {
  return JSON.parse(new URL(page.url()).searchParams.get(name) ?? "null");
}

function panelOf(page: Page, title: string) {
  return page.getByRole("article", { name: title, exact: true });
}

async function choose(page: Page, title: string, entry: string): Promise<void> {
  await panelOf(page, title)
    .getByRole("button", { name: `More for ${title}` })
    .click();
  await page.getByRole("menuitem", { name: entry }).click();
}

async function contentOf(download: Promise<Download>): Promise<Buffer> {
  return readFile(await (await download).path());
}

/** The number of rows that the page of a mark says it has. */
async function rowCountOf(page: Page): Promise<string> {
  await page.locator("[data-rows]").first().waitFor();
  return (await page.locator("footer [role=status]").first().textContent()) ?? "";
}

describe.runIf(hasChromium())("dashboards", () => {
  let service: BrowserService;
  let browser: Browser;
  let boards: Boards;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startBrowserService(), openChromium()]);
    boards = await prepareBoards(service);
  });
  afterAll(async () => {
    await closeWindows(browser);
    await service.stop();
  });

  it("figures, charts and tables show what the database counts", async () => {
    const { page, faults, close } = await openPage(browser, service.url);
    await openBoard(page, boards.session, boards.fleet);
    const [row] = await service.test.database.query<{ sum: string }>(
      "select sum(purchase_price)::text as sum from freight.vehicles",
    );
    const shown = new Intl.NumberFormat("en", { style: "currency", currency: "EUR" });
    await panelOf(page, "Value")
      .getByText(shown.format(row?.sum as `${number}`))
      .waitFor();
    await panelOf(page, "Trips").getByText("240").waitFor();
    const months = await service.test.database.query<{ text: string; count: number }>(
      `select to_char(date_trunc('month', started_at, 'Europe/Oslo') at time zone 'Europe/Oslo', 'FMMonth YYYY') as text,
         count(*)::int as count from freight.trips where destination = 'Oslo' group by 1 order by 1`,
    );
    await choose(page, "Trips by month", "Show as table");
    const table = panelOf(page, "Trips by month").getByRole("table");
    for (const { text, count } of months) {
      const row = table.getByRole("row").filter({ hasText: text }).filter({ hasText: "Oslo" });
      expect(await row.getByRole("cell").last().textContent()).toBe(String(count));
    }
    const pivot = panelOf(page, "Status by make").getByRole("table");
    expect(await pivot.getByRole("row").last().getByRole("cell").last().textContent()).toBe("40");
    expect(faults).toEqual([]);
    await close();
  });

  it("a press on a value opens its rows, and the link opens them again", async () => {
    const { page, faults, close } = await openPage(browser, service.url);
    await openBoard(page, boards.session, boards.fleet);
    const slice = panelOf(page, "Vehicles by status").locator("[data-mark='0.0'] path");
    const box = await slice.boundingBox();
    if (box === null) throw new Error("The chart has no slice");
    // The middle of the first slice, right of the center.
    await page.mouse.move(box.x + box.width - 8, box.y + box.height / 2);
    await panelOf(page, "Vehicles by status").getByText("Count: 13").waitFor();
    await page.mouse.click(box.x + box.width - 8, box.y + box.height / 2);
    await page.waitForURL(/\/panels\/states\/rows/);
    expect(parameterOf(page, "mark")).toEqual({ status: "AVAILABLE" });
    expect(await rowCountOf(page)).toBe("13 of 13 rows");
    await page.getByRole("listitem").filter({ hasText: "AVAILABLE" }).first().waitFor();
    await page.reload();
    expect(await rowCountOf(page)).toBe("13 of 13 rows");
    await page.goBack();
    await boardIsRead(page);
    expect(faults).toEqual([]);
    await close();
  });

  it("the keyboard alone reads the values of a chart and opens their rows", async () => {
    const { page, faults, close } = await openPage(browser, service.url);
    await openBoard(page, boards.session, boards.fleet);
    const chart = panelOf(page, "Trips by month").getByRole("listbox");
    await chart.focus();
    await page.keyboard.press("Home");
    const said = () => chart.getByRole("option").textContent();
    expect(await said()).toMatch(/^January 2026, Bergen: \d+$/);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    expect(await said()).toMatch(/^February 2026, Lund: \d+$/);
    const count = /\d+$/.exec((await said()) ?? "")?.[0];
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/panels\/months\/rows/);
    expect(parameterOf(page, "mark")).toMatchObject({ destination: "Lund" });
    expect(await rowCountOf(page)).toBe(`${count} of ${count} rows`);
    await page.getByRole("listitem").filter({ hasText: "February 2026" }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it("a table of a chart leads to the same rows", async () => {
    const { page, faults, close } = await openPage(browser, service.url);
    await openBoard(page, boards.session, boards.fleet);
    await choose(page, "Vehicles by status", "Show as table");
    const panel = panelOf(page, "Vehicles by status");
    await panel.getByRole("button", { name: "WORKSHOP" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/panels\/states\/rows/);
    expect(parameterOf(page, "mark")).toEqual({ status: "WORKSHOP" });
    expect(faults).toEqual([]);
    await close();
  });

  it("parameters filter every panel that binds them, and are part of the link", async () => {
    const { page, faults, close } = await openPage(browser, service.url);
    await openBoard(page, boards.session, boards.fleet);
    await page.getByLabel("Period").selectOption({ label: "From … to …" });
    await page.getByLabel("From", { exact: true }).fill("2026-02-01");
    await page.getByLabel("To", { exact: true }).fill("2026-02-28");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => parameterOf(page, "parameters"))
      .toEqual({ period: { from: "2026-02-01", until: "2026-03-01" } });
    const [counted] = await service.test.database.query<{ count: number }>(
      `select count(*)::int from freight.trips
         where started_at >= timestamptz '2026-02-01 00:00 Europe/Oslo' and started_at < timestamptz '2026-03-01 00:00 Europe/Oslo'`,
    );
    await panelOf(page, "Trips").getByText(String(counted?.count), { exact: true }).waitFor();
    await page.getByRole("combobox", { name: "Make" }).fill("vol");
    await page.getByRole("option", { name: "Volvo", exact: true }).click();
    await expect.poll(() => parameterOf(page, "parameters")).toMatchObject({ make: "Volvo" });
    for (const name of ["ON_TRIP", "WORKSHOP"]) {
      await page.getByRole("combobox", { name: "Status" }).fill(name);
      await page.getByRole("option", { name, exact: true }).click();
    }
    await expect
      .poll(() => parameterOf(page, "parameters"))
      .toMatchObject({ status: ["ON_TRIP", "WORKSHOP"] });
    await page.reload();
    await boardIsRead(page);
    await panelOf(page, "Trips").getByText(String(counted?.count), { exact: true }).waitFor();
    await page.getByRole("button", { name: "Remove ON_TRIP" }).click();
    await expect
      .poll(() => parameterOf(page, "parameters"))
      .toMatchObject({ status: ["WORKSHOP"] });
    await page.getByRole("button", { name: "Clear Make" }).click();
    await expect.poll(() => parameterOf(page, "parameters")).toMatchObject({ make: null });
    await page.getByRole("combobox", { name: "Status" }).fill("ON_TRIP");
    await page.getByRole("option", { name: "ON_TRIP", exact: true }).click();
    await page.getByRole("button", { name: "Remove ON_TRIP" }).waitFor();
    // Both before the page shows the first one.
    await page.getByRole("button", { name: /^Remove / }).evaluateAll((buttons) => {
      for (const button of buttons) (button as HTMLElement).click();
    });
    await expect.poll(() => parameterOf(page, "parameters")).toMatchObject({ status: null });
    expect(faults).toEqual([]);
    await close();
  });

  it("Enter directly after the letters of a parameter chooses a value with these letters", async () => {
    const { page, faults, close } = await openPage(browser, service.url);
    await openBoard(page, boards.session, boards.fleet);
    await page.getByRole("combobox", { name: "Make" }).click();
    const options = page.getByRole("listbox", { name: "Make", exact: true }).getByRole("option");
    await options.filter({ hasText: "Volvo" }).waitFor();
    expect(await options.first().textContent()).not.toBe("Volvo");
    await page.keyboard.type("vol\n");
    await expect.poll(() => parameterOf(page, "parameters")).toMatchObject({ make: "Volvo" });
    expect(faults).toEqual([]);
    await close();
  });

  it("a chart is saved as an image, and as a file without formulas and with every digit", async () => {
    const { page, faults, close } = await openPage(browser, service.url);
    await openBoard(page, boards.session, boards.fleet);
    const picture = page.waitForEvent("download");
    await choose(page, "Price by make", "Save as image (PNG)");
    const png = await contentOf(picture);
    expect(png.subarray(1, 4).toString("latin1")).toBe("PNG");
    const colors = await page.evaluate(
      async (bytes) => {
        const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [image.width, image.height];
        const context = canvas.getContext("2d");
        context?.drawImage(image, 0, 0);
        const data = context?.getImageData(0, 0, image.width, image.height).data ?? [];
        const seen = new Set<number>();
        for (let at = 0; at < data.length; at += 4) {
          seen.add(((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0));
        }
        return seen.size;
      },
      [...png],
    );
    // More than the ground: bars, texts and lines.
    expect(colors).toBeGreaterThan(20);
    const file = page.waitForEvent("download");
    await choose(page, "Price by make", "Save as CSV");
    const text = (await contentOf(file)).toString();
    expect(text.split("\r\n")[0]).toBe("\uFEFFMake,Sum of Price");
    expect(text).toContain("\r\nFord,");
    await openBoard(page, boards.session, boards.hostile);
    const hostile = page.waitForEvent("download");
    await page
      .getByRole("button", { name: /^More for/ })
      .first()
      .click();
    await page.getByRole("menuitem", { name: "Save as CSV" }).click();
    expect((await contentOf(hostile)).toString()).toContain(`"'=HYPERLINK(""http://x"")"`);
    expect(faults).toEqual([]);
    await close();
  });

  it("hostile labels, titles and texts run nothing and lead nowhere", async () => {
    const { page, faults, close } = await openPage(browser, service.url);
    await openBoard(page, boards.session, boards.hostile);
    const found = await page.evaluate(() => ({
      images: document.querySelectorAll("main img, main b, main script").length,
      links: [...document.querySelectorAll("main a")].map((link) => link.getAttribute("href")),
      isWide: document.documentElement.scrollWidth > window.innerWidth,
    }));
    expect(found).toEqual({ images: 0, links: ["https://example.com/"], isWide: false });
    expect(faults).toEqual([]);
    await close();
  });

  it("nothing that a limited person may not know is on their board or in its answers", async () => {
    const { page, faults, close } = await openPage(browser, service.url);
    const texts: string[] = [];
    page.on("response", async (answer) => {
      if (answer.url().includes("/app/api/")) texts.push(await answer.text().catch(() => ""));
    });
    await openBoard(page, boards.limited, boards.fleet);
    await panelOf(page, "Value").getByText("You may not read the data of this panel.").waitFor();
    await panelOf(page, "Trips by month").getByRole("listbox").waitFor();
    await page.getByRole("combobox", { name: "Make" }).click();
    const options = page.getByRole("listbox", { name: "Make" }).getByRole("option");
    await options.filter({ hasText: "Volvo" }).waitFor();
    const makes = await options.allTextContents();
    expect(makes.some((name) => name.includes("CANARY"))).toBe(false);
    const mark = encodeURIComponent(JSON.stringify({ status: "WORKSHOP" }));
    const html = [await page.content()];
    await page.goto(`/app/dashboards/${boards.fleet}/panels/states/rows?mark=${mark}`);
    await rowCountOf(page);
    html.push(await page.content());
    expect(texts.length).toBeGreaterThan(3);
    for (const canary of boardCanaries) {
      expect([canary, [...texts, ...html].some((text) => text.includes(canary))]).toEqual([
        canary,
        false,
      ]);
    }
    expect(faults).toEqual([]);
    await close();
  });

  it("on a phone the panels stand in one column in reading order", async () => {
    const viewport = { width: 390, height: 844 };
    const { page, faults, close } = await openPage(browser, service.url, { viewport });
    await openBoard(page, boards.session, boards.fleet);
    const boxes = await page.locator("main article").evaluateAll((panels) =>
      panels.map((panel) => {
        const { left, top, right } = panel.getBoundingClientRect();
        return { title: panel.querySelector("h2")?.textContent, left, top, right };
      }),
    );
    expect(boxes.map(({ title }) => title)).toEqual([
      ...["Trips", "Value", "About", "Trips by month", "Vehicles by status", "Distance a day"],
      ...["Price by make", "Status by make", "Vehicles"],
    ]);
    expect(new Set(boxes.map(({ left }) => left)).size).toBe(1);
    const tops = boxes.map(({ top }) => top);
    expect(tops).toEqual([...tops].sort((one, other) => one - other));
    expect(Math.max(...boxes.map(({ right }) => right))).toBeLessThanOrEqual(390);
    const inspect = await loadAxe(page);
    expect(await inspect()).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });

  it("on paper stand the panels alone, on white also for a person with dark pages", async () => {
    const { page, faults, close } = await openPage(browser, service.url, { colorScheme: "dark" });
    await openBoard(page, boards.session, boards.fleet);
    await page.emulateMedia({ media: "print" });
    const paper = await page.evaluate(() => ({
      navigation: [...document.querySelectorAll("nav")].some((one) => one.checkVisibility()),
      menus: [...document.querySelectorAll("button[aria-haspopup=menu]")].filter((one) =>
        one.checkVisibility(),
      ).length,
      panels: [...document.querySelectorAll("main article")].filter((one) => one.checkVisibility())
        .length,
      surface: getComputedStyle(document.documentElement).getPropertyValue("--surface"),
    }));
    expect(paper).toEqual({ navigation: false, menus: 0, panels: 9, surface: "oklch(100% 0 0)" });
    expect(faults).toEqual([]);
    await close();
  });

  it("a panel that fails is read again alone", async () => {
    const { page, faults, close } = await openPage(browser, service.url);
    await openBoard(page, boards.limited, boards.fleet);
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/app/api/")) asked.push(new URL(request.url()).pathname);
    });
    const panel = panelOf(page, "Value");
    await panel.getByText("You may not read the data of this panel.").waitFor();
    await panel.getByRole("button", { name: "More for Value" }).click();
    await page.getByRole("menuitem", { name: "Refresh this panel" }).click();
    await expect.poll(() => asked).toEqual([`/app/api/dashboards/${boards.fleet}/panels/value`]);
    await panel.getByText("You may not read the data of this panel.").waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it("a board reads itself again by its clock while it is seen", async () => {
    const { page, faults, close } = await openPage(browser, service.url);
    const id = boards.empty;
    await service.administer("PATCH", `/dashboards/${id}`, { refreshSeconds: 10 });
    await page.clock.install();
    let reads = 0;
    page.on("response", (answer) => {
      const { pathname, searchParams } = new URL(answer.url());
      const isBoard = pathname === `/app/api/dashboards/${id}`;
      if (isBoard && !searchParams.has("panels")) reads += 1;
    });
    await openBoard(page, boards.session, id);
    await expect.poll(() => reads).toBe(1);
    await page.clock.runFor(10_500);
    await expect.poll(() => reads).toBe(2);
    await page.evaluate(() => {
      Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await page.clock.runFor(60_000);
    expect(reads).toBe(2);
    expect(faults).toEqual([]);
    await close();
  });
});
