import type { Page } from "playwright-core";
import { prepareJobs } from "./data-views.ts";
import { enterAs } from "./people.ts";
import type { Screen } from "./screen.ts";
import type { BrowserService } from "./service.ts";

const october = "?from=2026-10-01";
const shown = "[data-rows], [data-card], [data-calendar], main h1";

export async function dataViewScreens(service: BrowserService): Promise<Screen[]> {
  const { ids, session, limited } = await prepareJobs(service);
  const at =
    (name: string, search = "", as = session, wait = shown) =>
    async (page: Page) => {
      await enterAs(page, as, `/app/data-views/${ids[name]}${search}`);
      await page.locator(wait).first().waitFor();
      await page.waitForLoadState("networkidle");
    };
  const where = encodeURIComponent(JSON.stringify({ stage: { _eq: "NEW" } }));
  return [
    { name: "data-view-table", show: at("Table", "", session, "[data-rows]") },
    { name: "data-view-cards", show: at("Cards", `?where=${where}`, session, "[data-rows]") },
    { name: "data-view-board", show: at("Board", "", session, "[data-card]") },
    {
      name: "data-view-board-menu",
      isOneWidth: true,
      show: async (page) => {
        await at("Board", "", session, "[data-card]")(page);
        await page.locator("[data-card] button[aria-haspopup=menu]").first().click();
        await page.getByRole("menu").waitFor();
      },
    },
    { name: "data-view-month", show: at("Days", october, session, "[data-calendar]") },
    {
      name: "data-view-week",
      show: at("Hours", `${october}&span=week`, session, "[data-calendar]"),
    },
    {
      name: "data-view-week-full",
      show: async (page) => {
        const work = [9, 9.5, 9.5, 9.75, 13, 13.5, 22.5].map((hour, index) => {
          const from = new Date(Date.UTC(2027, 2, 10) + (hour - 1) * 3_600_000);
          return `('Overlap ${index}', '${from.toISOString()}', '${from.toISOString()}'::timestamptz + interval '90 minutes')`;
        });
        await service.test.database.query(
          `insert into depot.jobs (title, starts_at, ends_at) select * from (values ${work.join()},
             ('A fair of three days', '2027-03-09T00:00Z', '2027-03-12T00:00Z')) as given (title, a, b)
           where not exists (select from depot.jobs where title = 'Overlap 0')`.replace(
            "select * from",
            "select title, a::timestamptz, b::timestamptz from",
          ),
        );
        await at("Hours", "?from=2027-03-10&span=week", session, "[data-calendar]")(page);
      },
    },
    {
      name: "data-view-new-row",
      show: async (page) => {
        await at("Board", "", session, "[data-card]")(page);
        await page.locator("[data-new-card]").first().click();
        await page.getByRole("complementary").waitFor();
      },
    },
    { name: "data-view-degraded", show: at("Hidden groups", "", limited, "[data-rows]") },
    { name: "data-view-empty", show: at("Nothing", "", session, "[data-board]") },
    { name: "data-view-board-overfull", show: at("Bad board", "", session, "[data-card]") },
    { name: "data-view-cards-overfull", show: at("Bad cards", "", session, "[data-rows]") },
    { name: "data-view-month-overfull", show: at("Bad days", october, session, "[data-calendar]") },
    {
      name: "data-view-missing",
      show: async (page) => {
        await enterAs(page, session, "/app/data-views/00000000-0000-4000-8000-000000000000");
        await page.locator("h1").waitFor();
      },
    },
  ];
}
