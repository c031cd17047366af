import type { Page } from "playwright-core";
import { openBoard, prepareBoards } from "./boards.ts";
import { enterAs } from "./people.ts";
import type { Screen } from "./screen.ts";
import type { BrowserService } from "./service.ts";

export async function dashboardScreens(service: BrowserService): Promise<Screen[]> {
  const boards = await prepareBoards(service);
  const open =
    (id: string, query = "") =>
    (page: Page) =>
      openBoard(page, boards.session, id, query);
  const year = encodeURIComponent(
    JSON.stringify({ period: { from: "2026-01-01", until: "2027-01-01" }, status: ["ON_TRIP"] }),
  );
  return [
    { name: "dashboard", show: open(boards.fleet) },
    { name: "dashboard-parameters", show: open(boards.fleet, `?parameters=${year}`) },
    { name: "dashboard-empty", show: open(boards.empty) },
    { name: "dashboard-hostile-overfull", show: open(boards.hostile) },
    { name: "dashboard-overfull", show: open(boards.overfull) },
    {
      name: "dashboard-limited",
      show: (page) => openBoard(page, boards.limited, boards.fleet),
    },
    {
      name: "dashboard-chart-as-table",
      show: async (page) => {
        await open(boards.fleet)(page);
        await page.locator("article button[aria-haspopup=menu]").nth(2).click();
        await page.getByRole("menuitem").nth(1).click();
        await page.locator("article table").first().waitFor();
      },
    },
    {
      name: "dashboard-rows",
      show: async (page) => {
        const mark = encodeURIComponent(JSON.stringify({ status: "ON_TRIP" }));
        await enterAs(
          page,
          boards.session,
          `/app/dashboards/${boards.fleet}/panels/states/rows?mark=${mark}`,
        );
        await page.locator("[data-rows]").first().waitFor();
      },
    },
  ];
}
