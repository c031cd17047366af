// Tier: long. Starts a browser.
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { loadAxe } from "../src/axe.ts";
import { hasChromium } from "../src/chromium.ts";
import { enterAs } from "../src/people.ts";
import { unreachableControls } from "../src/reach.ts";
import { prepareShop, type Shop, shopBoard } from "../src/shop.ts";
import { prepareJourney, tabTo } from "./journey.ts";

describe.runIf(hasChromium())("the builder of dashboards", () => {
  const journey = prepareJourney();
  let shop: Shop;

  beforeAll(async () => {
    shop = await prepareShop(journey.service);
  });

  async function openAt(
    path: string,
    options: Parameters<typeof journey.open>[0] = {},
  ): Promise<Page> {
    const viewport = { width: 1440, height: 900 };
    const { page } = await journey.open({ viewport, ...options });
    await enterAs(page, shop.administrator, path);
    await page.locator("main h1:visible").waitFor();
    return page;
  }

  async function saved(page: Page): Promise<string> {
    await page.waitForURL(/\/admin\/dashboards\/[0-9a-f-]{36}/);
    await page
      .getByRole("status")
      .filter({ hasText: /^Saved$/ })
      .waitFor();
    return new URL(page.url()).pathname.split("/").at(-1) ?? "";
  }

  it("an administrator has a real board within three presses, and a second table is one more", async () => {
    const page = await openAt("/admin/dashboards/new");
    await page.getByRole("listitem").filter({ hasText: "Sum of Total by Placed at" }).waitFor();
    await page.getByRole("button", { name: /^Add all 7 panels$/ }).click();
    const figure = page.getByRole("article", { name: "Number of Orders", exact: true });
    await figure.getByText("600", { exact: true }).waitFor();
    await page.locator("[data-chart] svg").first().waitFor();
    await page.getByRole("button", { name: "Create" }).click();
    const board = await shop.readBoard(await saved(page));
    expect(board.name).toBe("Orders");
    expect(board.parameters).toMatchObject([{ name: "period", kind: "PERIOD" }]);
    expect(board.panels.map(({ kind }) => kind)).toEqual([
      ...["FIGURE", "FIGURE", "CHART", "CHART", "CHART", "CHART", "LIST"],
    ]);
    expect(await (await loadAxe(page))()).toEqual([]);
  });

  it("a chart proposes itself from the columns that are chosen, and the person takes another", async () => {
    const page = await openAt("/admin/dashboards/new");
    await page.getByRole("button", { name: "Add a panel" }).click();
    await page.getByRole("menuitem", { name: "Chart" }).click();
    const form = page.getByRole("complementary", { name: "Panel" });
    await choose(page, "Table or view", "shop.orders");
    await choose(page, "Columns", "Placed at");
    await pressed(page, "Line");
    await choose(page, "Columns", "State");
    await pressed(page, "Stacked bars");
    await page.locator("[data-chart] svg").waitFor();
    await form.getByRole("button", { name: "Remove Placed at" }).click();
    await pressed(page, "Bars");
    await form.getByRole("button", { name: "Donut" }).click();
    await pressed(page, "Donut");
    await form.getByRole("textbox", { name: "Title" }).fill("States");
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Proposals");
    await page.getByRole("button", { name: "Create" }).click();
    const { panels } = await shop.readBoard(await saved(page));
    expect(panels).toMatchObject([
      {
        title: "States",
        definition: { aggregate: ["count(*)"], groupBy: ["state"] },
        presentation: { chart: "donut" },
      },
    ]);
  });

  it("a mouse moves and resizes panels, others make room, and Escape takes a drag back", async () => {
    const id = await shop.createBoard(shopBoard(shop, "Moved"));
    const page = await openAt(`/admin/dashboards/${id}`);
    const place = (name: string) =>
      page.locator(`[data-panel="${name}"]`).evaluate((element) => {
        const { gridColumn, gridRow } = getComputedStyle(element);
        return `${gridColumn} | ${gridRow}`;
      });
    await page.locator("[data-chart] svg").first().waitFor();
    const handle = page.getByRole("button", { name: "Move Figure of orders" });
    await drag(page, handle, 0, 200, true);
    expect(await place("count")).toBe("1 / span 3 | 1 / span 3");
    await drag(page, handle, 0, 200);
    expect(await place("count")).toBe("1 / span 3 | 4 / span 3");
    expect(await place("text")).toBe("1 / span 3 | 1 / span 3");
    const corner = page.locator('[data-panel="states"] [class*=nwse]');
    await drag(page, corner, 180, 0);
    expect(await place("states")).toMatch(/^1 \/ span [67] \| 7 \/ span 6$/);
    expect(await place("pivot")).toBe("5 / span 8 | 13 / span 6");
    await page.keyboard.press("Control+z");
    expect(await place("pivot")).toBe("5 / span 8 | 7 / span 6");
    await page.getByRole("button", { name: "Save" }).click();
    await saved(page);
    const { panels } = await shop.readBoard(id);
    expect(panels.find((panel) => panel.id === "count")?.layout).toEqual({
      x: 0,
      y: 3,
      w: 3,
      h: 3,
    });
  });

  it("the keyboard alone moves, resizes, copies, deletes and restores panels, and all is announced", async () => {
    const id = await shop.createBoard(shopBoard(shop, "Keys"));
    const page = await openAt(`/admin/dashboards/${id}`);
    await tabTo(page, "button", "Move Figure of orders");
    await page.keyboard.press("Shift+ArrowDown");
    await announced(page, "Figure of orders: column 1, row 1, 3 columns wide, 4 rows high.");
    await page.keyboard.press("ArrowDown");
    await announced(page, "Figure of orders: column 1, row 2, 3 columns wide, 4 rows high.");
    await page.keyboard.press("ArrowLeft");
    await announced(page, "Figure of orders cannot go further in this direction.");
    await tabTo(page, "button", "Duplicate Figure of orders");
    await page.keyboard.press("Enter");
    await page.getByRole("complementary", { name: "Panel" }).waitFor();
    await tabTo(page, "button", "Delete the panel");
    await page.keyboard.press("Enter");
    await page.getByRole("status").filter({ hasText: "Figure of orders was deleted." }).waitFor();
    await tabTo(page, "button", "Delete List of orders");
    await page.keyboard.press("Enter");
    await page.getByRole("status").filter({ hasText: "List of orders was deleted." }).waitFor();
    await page.keyboard.press("Control+z");
    await page.getByRole("article", { name: "List of orders" }).waitFor();
    await page.keyboard.press("Control+s");
    await saved(page);
    await expect.poll(async () => (await shop.readBoard(id)).panels.length).toBe(6);
    const figure = (await shop.readBoard(id)).panels.find((panel) => panel.id === "count");
    expect(figure?.layout).toEqual({ x: 0, y: 1, w: 3, h: 4 });
  });

  it("the preview as a person of the role shows only theirs, and so does the board that they open", async () => {
    const id = await shop.createBoard({ ...shopBoard(shop, "Shared"), roleIds: [] });
    const page = await openAt(`/admin/dashboards/${id}?as=user:${shop.sellerId}`);
    const chart = {
      ...{ id: "regions", title: "Regions", kind: "CHART", resourceId: shop.ordersId },
      layout: { x: 0, y: 0, w: 6, h: 4 },
      definition: { aggregate: ["count"], groupBy: ["region"] },
      presentation: { version: 1, chart: "bar" },
    };
    const secret = {
      ...{ id: "margin", title: "Margin", kind: "FIGURE", resourceId: shop.ordersId },
      layout: { x: 6, y: 0, w: 3, h: 4 },
      definition: { aggregate: ["sum(margin)"] },
    };
    await journey.service.administer("PATCH", `/dashboards/${id}`, { panels: [chart, secret] });
    const bodies: string[] = [];
    page.on("response", (response) => {
      if (response.url().endsWith("/dashboards/preview")) {
        // The browser keeps no body that the page has left behind.
        void response.text().then(
          (text) => bodies.push(text),
          () => {},
        );
      }
    });
    await page.reload();
    const regions = page.getByRole("article", { name: "Regions" });
    await regions.getByText("north").first().waitFor();
    await page
      .getByRole("article", { name: "Margin" })
      .getByText("You may not read the data of this panel.")
      .waitFor();
    await expect.poll(() => bodies.length).toBeGreaterThan(0);
    expect(bodies.join()).not.toContain("canary");
    await page.getByRole("button", { name: "Settings" }).click();
    await choose(page, "Add a role", "Sales");
    await page.getByRole("button", { name: "Save" }).click();
    await saved(page);
    expect((await shop.readBoard(id)).roleIds).toEqual([shop.salesId]);
    const { page: own } = await journey.open();
    await enterAs(own, shop.seller, `/app/dashboards/${id}`);
    await own.getByText("You may not read the data of this panel.").waitFor();
    await own.getByText("north").first().waitFor();
    expect(await own.content()).not.toContain("canary");
  });

  it("parameters are added, renamed and bound, and a fault of the service stands at its control", async () => {
    const id = await shop.createBoard({ ...shopBoard(shop, "Parameters"), refreshSeconds: null });
    const page = await openAt(`/admin/dashboards/${id}?pane=parameters`);
    const pane = page.getByRole("complementary", { name: "Parameters" });
    await pane.getByRole("button", { name: "Value of a column" }).click();
    const added = pane.getByRole("region", { name: "Value of a column" });
    await added.getByRole("textbox", { name: "Name in links" }).fill("Not a name");
    await choose(page, "Table or view", "shop.orders");
    await choose(page, "Choices", "state");
    await page.getByRole("button", { name: "Save" }).click();
    await added.getByText("Must be lower-case letters, digits and underscores").waitFor();
    await added.getByRole("textbox", { name: "Name in links" }).fill("state");
    await added.getByRole("textbox", { name: "Label" }).fill("State");
    await page
      .locator('[data-panel="states"]')
      .getByRole("button", { name: "Chart of orders", exact: true })
      .click();
    await choose(page, "State", "state");
    await page.getByRole("button", { name: "Save" }).click();
    await saved(page);
    const board = await shop.readBoard(id);
    expect(board.parameters.map(({ name }) => name)).toEqual(["period", "state"]);
    expect(board.panels.find((panel) => panel.id === "states")).toMatchObject({
      bindings: [
        { parameter: "period", field: "placed_at" },
        { parameter: "state", field: "state" },
      ],
    });
  });

  it("a phone builds by numbers and buttons, and the form of a panel is a page", async () => {
    const id = await shop.createBoard(shopBoard(shop, "Phone"));
    const page = await openAt(`/admin/dashboards/${id}`, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    });
    await page.getByRole("button", { name: "Set up List of orders" }).click();
    const form = page.getByRole("complementary", { name: "Panel" });
    await form.getByRole("spinbutton", { name: "Width in columns" }).fill("5");
    await form.getByRole("spinbutton", { name: "Row from the top" }).fill("1");
    expect(await unreachableControls(page)).toEqual([]);
    await form.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await saved(page);
    const list = (await shop.readBoard(id)).panels.find((panel) => panel.id === "list");
    expect(list?.layout).toMatchObject({ x: 0, y: 0, w: 5 });
    expect(await (await loadAxe(page))()).toEqual([]);
  });

  it("a board that somebody else has changed is not overwritten, and unsaved changes are asked about", async () => {
    const id = await shop.createBoard(shopBoard(shop, "Two people"));
    const page = await openAt(`/admin/dashboards/${id}?pane=board`);
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Mine");
    await journey.service.administer("PATCH", `/dashboards/${id}`, { name: "Theirs" });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Somebody else has changed this dashboard").waitFor();
    expect((await shop.readBoard(id)).name).toBe("Theirs");
    const asked = new Promise<string>((done) => {
      page.once("dialog", (dialog) => {
        done(dialog.message());
        void dialog.dismiss();
      });
    });
    await page.getByRole("link", { name: "Dashboards" }).last().click();
    expect(await asked).toContain("not saved");
    await page.getByRole("button", { name: "Keep mine" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await saved(page);
    await expect.poll(async () => (await shop.readBoard(id)).name).toBe("Mine");
  });
});

/** Takes an option of a combobox by a part of its text. */
async function choose(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole("combobox", { name: label, exact: true }).last().fill(text);
  // Selects of the browser have options too.
  await page.locator("[role=option]").filter({ hasText: text }).first().click();
}

async function pressed(page: Page, name: string): Promise<void> {
  await page.locator("button[aria-pressed=true]").filter({ hasText: name }).waitFor();
}

async function announced(page: Page, text: string): Promise<void> {
  await page.getByRole("status").filter({ hasText: text }).waitFor();
}

/** Drags with the mouse by some pixels. */
async function drag(
  page: Page,
  what: ReturnType<Page["locator"]>,
  x: number,
  y: number,
  isCanceled = false,
): Promise<void> {
  const box = await what.boundingBox();
  if (box === null) throw new Error("Nothing to drag");
  const start = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(start.x + x / 2, start.y + y / 2, { steps: 4 });
  await page.mouse.move(start.x + x, start.y + y, { steps: 4 });
  if (isCanceled) await page.keyboard.press("Escape");
  await page.mouse.up();
}
