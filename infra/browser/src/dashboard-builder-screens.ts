import type { Page } from "playwright-core";
import { enterAs } from "./people.ts";
import type { Screen } from "./screen.ts";
import type { BrowserService } from "./service.ts";
import { prepareShop, shopBoard } from "./shop.ts";

/** The screens of the builder of dashboards: empty, with a panel of every kind, and overfull. */
export async function dashboardBuilderScreens(service: BrowserService): Promise<Screen[]> {
  const shop = await prepareShop(service);
  const typical = await shop.createBoard(shopBoard(shop, "Orders"));
  const long = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft ";
  const full = shopBoard(shop, long.repeat(2).slice(0, 100));
  const overfull = await shop.createBoard({
    ...full,
    panels: Array.from({ length: 40 }, (_, index) => ({
      ...full.panels[index % full.panels.length],
      id: `panel-${index}`,
      title: `${long} ${index}`,
      layout: { x: (index % 4) * 3, y: Math.floor(index / 4) * 4, w: 3, h: 4 },
    })),
  });
  const open = async (page: Page, path: string, ready: string) => {
    await enterAs(page, shop.administrator, path);
    // A narrow window shows the form of a panel in place of the board.
    await page.locator(ready).first().waitFor({ state: "attached" });
  };
  const board =
    (id: string, query = "") =>
    async (page: Page) => {
      await open(page, `/admin/dashboards/${id}${query}`, "[data-board]");
      // Charts and texts load their libraries with the first of them.
      await page.locator("[data-chart] svg").first().waitFor({ state: "attached" });
      await page
        .locator("[data-panel] h3, [data-panel] strong")
        .first()
        .waitFor({ state: "attached" });
    };
  return [
    {
      name: "dashboard-builder-empty",
      show: (page) => open(page, "/admin/dashboards/new", "main li"),
    },
    { name: "dashboard-builder", show: board(typical) },
    { name: "dashboard-builder-panel", isOneWidth: true, show: board(typical, "?panel=months") },
    { name: "dashboard-builder-text", isOneWidth: true, show: board(typical, "?panel=text") },
    {
      name: "dashboard-builder-parameters",
      isOneWidth: true,
      show: board(typical, "?pane=parameters"),
    },
    { name: "dashboard-builder-settings", isOneWidth: true, show: board(typical, "?pane=board") },
    { name: "dashboard-builder-overfull", show: board(overfull) },
  ];
}
