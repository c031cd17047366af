// Tier: long. Starts a browser.
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { administratorsId, enter, enterAs } from "../src/people.ts";
import { prepareJourney } from "./journey.ts";

const rowCount = 300_000;

describe.runIf(hasChromium())("a place in a long list", () => {
  const journey = prepareJourney();
  let session = "";

  beforeAll(async () => {
    const { service } = journey;
    await service.test.database.query(
      `create table public.readings (id bigint primary key, taken date, note text);
       insert into public.readings select n * 10, nullif(date '2000-01-01' + (n / 100)::int, date '2000-01-02'), 'Reading ' || n
         from generate_series(1, ${rowCount}) n;
       create index on public.readings (taken)`,
    );
    const [table] = (await service.administer("GET", "/resources?search=readings")) as {
      readonly id: string;
    }[];
    await service.administer("PATCH", `/resources/${table?.id}`, {
      exposedMethods: ["GET", "POST", "PATCH", "DELETE"],
    });
    session = await enter(service, "reader@example.com", "Rea", await administratorsId(service));
  });

  const open = async (search = ""): Promise<Page> => {
    const { page } = await journey.open({ viewport: { width: 1280, height: 800 } });
    await enterAs(page, session, `/app/data/public/table/readings${search}`);
    await page.getByRole("grid").waitFor();
    return page;
  };
  const firstRow = (page: Page) => page.locator('[data-row="0"]');
  const status = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

  it("is reached by the number of a row, and the rows before it and the start from there", async () => {
    const page = await open();
    await status(page, "100 of 300,000 rows");
    await page.keyboard.press("g");
    const dialog = page.getByRole("dialog", { name: "Go to a row" });
    await dialog.getByLabel("Row number").fill("300001");
    await dialog.getByText("(300,000)").waitFor();
    await dialog.getByLabel("Row number").fill("150,001");
    await page.keyboard.press("Enter");
    await firstRow(page).getByText("Reading 150001", { exact: true }).waitFor();
    expect(await firstRow(page).getAttribute("aria-rowindex")).toBe("150002");
    await status(page, "150,001–150,100 of 300,000 rows");
    // Every view is a link.
    await page.reload();
    await firstRow(page).getByText("Reading 150001", { exact: true }).waitFor();
    await page.getByRole("button", { name: "100 rows before" }).click();
    await firstRow(page).getByText("Reading 149901", { exact: true }).waitFor();
    await page.getByRole("button", { name: "From the start" }).click();
    await firstRow(page).getByText("Reading 1", { exact: true }).waitFor();
    await page.goBack();
    await firstRow(page).getByText("Reading 149901", { exact: true }).waitFor();
    // Another order begins at its start.
    await page.goto("/app/data/public/table/readings?from=100&order_by=-id");
    await firstRow(page).getByText("Reading 299901", { exact: true }).waitFor();
  });

  it("is reached by a key that need not exist, and by the end", async () => {
    const page = await open();
    await status(page, "100 of 300,000 rows");
    await page.getByRole("button", { name: "Go to" }).click();
    const dialog = page.getByRole("dialog", { name: "Go to a row" });
    await dialog.getByRole("textbox", { name: "ID" }).fill("1234565");
    await dialog.getByRole("button", { name: "Show" }).click();
    await firstRow(page).getByText("Reading 123457", { exact: true }).waitFor();
    await page.keyboard.press("g");
    await dialog.getByRole("button", { name: "To the end" }).click();
    await firstRow(page).getByText("Reading 299901", { exact: true }).waitFor();
    await status(page, "299,901–300,000 of 300,000 rows");
  });

  it("is reached by a value of the column of the order, in both directions and with nulls", async () => {
    const page = await open("?order_by=-taken");
    await status(page, "100 of 300,000 rows");
    await page.keyboard.press("g");
    const dialog = page.getByRole("dialog", { name: "Go to a row" });
    await dialog.getByRole("textbox", { name: "Taken" }).fill("2005-06-01");
    await page.keyboard.press("Enter");
    await firstRow(page).getByText("1 Jun 2005").waitFor();
    const [before] = (await journey.service.test.database.query(
      "select count(*)::int as count from public.readings where taken > '2005-06-01' or taken is null",
    )) as { readonly count: number }[];
    await status(page, new RegExp(`^${((before?.count ?? 0) + 1).toLocaleString("en-US")}–`));
  });
});
