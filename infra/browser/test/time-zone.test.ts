// Tier: long. Starts a browser.
import { loadFixture } from "@rowhouse/testing";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { enter, enterAs } from "../src/people.ts";
import { prepareJourney } from "./journey.ts";

const visits = "/app/data/clock/table/visits";

describe.runIf(hasChromium())("a person of Berlin in a browser of New York", () => {
  const journey = prepareJourney();
  let session = "";
  let ids: { readonly board: string; readonly calendar: string };
  /** The day that Berlin has now. */
  let day = "";

  beforeAll(async () => {
    const { service } = journey;
    await loadFixture(
      service.test.database,
      `create schema clock;
       create table clock.visits (id int primary key, title text not null, at timestamptz, plain timestamp, day date);
       insert into clock.visits
         select 1, 'Just after midnight', midnight + interval '30 minutes', '2026-10-25 00:30', '2026-10-25'
         from (select date_trunc('day', now(), 'Europe/Berlin') as midnight) t;`,
    );
    const [table] = (await service.administer("GET", "/resources?schema=clock")) as {
      id: string;
    }[];
    const resourceId = table?.id ?? "";
    await service.administer("PATCH", `/resources/${resourceId}`, {
      exposedMethods: ["GET", "POST", "PATCH", "DELETE"],
      history: true,
    });
    const roleIds = [journey.roleId];
    for (const action of ["READ", "CREATE", "UPDATE"]) {
      const grant = { roleId: journey.roleId, resourceId, action, fields: null };
      await service.administer("POST", "/grants", grant);
    }
    const board = (await service.administer("POST", "/dashboards", {
      ...{ name: "Days", roleIds },
      panels: [
        {
          ...{ id: "days", title: "By day", kind: "PIVOT", resourceId },
          layout: { x: 0, y: 0, w: 6, h: 6 },
          definition: { aggregate: ["count"], rows: ["date_trunc(day,at)"] },
          presentation: { version: 1 },
        },
        {
          ...{ id: "list", title: "Visits", kind: "LIST", resourceId },
          layout: { x: 6, y: 0, w: 6, h: 6 },
          definition: { fields: ["title", "at"], orderBy: ["id"], limit: 10 },
        },
      ],
    })) as { id: string };
    const calendar = (await service.administer("POST", "/data-views", {
      ...{ name: "Visits", resourceId, roleIds },
      presentation: { version: 1, layout: "calendar", start: "at", title: "title" },
    })) as { id: string };
    ids = { board: board.id, calendar: calendar.id };
    session = await enter(service, "berta@example.com", "Berta", journey.roleId);
    const { token } = JSON.parse(session) as { token: string };
    const answer = await fetch(`${service.url}/api/auth/me`, {
      method: "PATCH",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ timeZone: "Europe/Berlin" }),
    });
    expect(answer.status).toBe(200);
    const [row] = await query<{ day: string }>(
      "select to_char(at at time zone 'Europe/Berlin', 'YYYY-MM-DD') as day from clock.visits where id = 1",
    );
    day = row?.day ?? "";
  });

  const query = async <Row>(text: string) =>
    (await journey.service.test.database.query(text)) as Row[];
  const open = async (
    path: string,
    options: Parameters<typeof journey.open>[0] = {},
  ): Promise<Page> => {
    const { page } = await journey.open({ timezoneId: "America/New_York", ...options });
    await enterAs(page, session, path);
    return page;
  };
  const shown = (locale = "en-GB") =>
    new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(day));

  it("sees one day in the grid, a day filter, the record, the calendar and the dashboard", async () => {
    const time = `${shown()}, 00:30`;
    const page = await open(`${visits}?where[at][_eq]=$PERIOD.today`);
    await page.getByRole("grid").getByText(time, { exact: true }).waitFor();
    expect(await page.locator("[data-zone]").allTextContents()).toEqual([
      "Times are in Europe/Berlin",
    ]);
    await page.getByRole("grid").getByText("25 Oct 2026, 00:30", { exact: true }).waitFor();
    await page.getByRole("grid").getByText("25 Oct 2026", { exact: true }).waitFor();
    await page.goto("/app/records/clock/table/visits/1");
    const at = page.getByRole("textbox", { name: "At", exact: true });
    await at.waitFor();
    expect(await at.inputValue()).toBe(`${day} 00:30`);
    expect(await page.locator("[data-zone]").allTextContents()).toEqual([
      "Times are in Europe/Berlin",
    ]);
    await page.goto(`/app/data-views/${ids.calendar}`);
    const cell = page.locator(`[data-day="${day}"]`);
    await cell.getByText("00:30").waitFor();
    expect(await cell.locator("[aria-current=date]").count()).toBe(1);
    await page.goto(`/app/dashboards/${ids.board}`);
    await page.getByText(time, { exact: true }).waitFor();
    await page.getByRole("rowheader", { name: shown(), exact: true }).waitFor();
  });

  it("types a time that is stored as the instant of Berlin, and an open form rewrites no other", async () => {
    await query(
      "insert into clock.visits values (2, 'Typed', '2026-10-25T01:30:00.123456Z', null, null)",
    );
    const page = await open("/app/records/clock/table/visits/2");
    const at = page.getByRole("textbox", { name: "At", exact: true });
    // The second half past two of that night: a value that is not edited stays.
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("Typed anew");
    await page.keyboard.press("Control+s");
    await expect
      .poll(() => query("select title from clock.visits where id = 2"))
      .toEqual([{ title: "Typed anew" }]);
    const utc = "to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') as at";
    const read = () => query(`select ${utc} from clock.visits where id = 2`);
    expect(await read()).toEqual([{ at: "2026-10-25 01:30:00.123456" }]);
    await at.fill("2026-07-01 02:31");
    await page.keyboard.press("Control+s");
    await expect.poll(read).toEqual([{ at: "2026-07-01 00:31:00.000000" }]);
    const saved = () =>
      page.getByRole("button", { name: "Save", exact: true }).waitFor({ state: "hidden" });
    await saved();
    // Of a repeated hour the first is taken, and a skipped one is refused.
    await at.fill("2026-10-25 02:31");
    await page.keyboard.press("Control+s");
    await expect.poll(read).toEqual([{ at: "2026-10-25 00:31:00.000000" }]);
    await saved();
    await at.fill("2026-03-29 02:31");
    await page.keyboard.press("Control+s");
    await page.getByText("Clocks in Europe/Berlin skip this time.").waitFor();
    expect(await read()).toEqual([{ at: "2026-10-25 00:31:00.000000" }]);
  });

  /** Holds the writes of a page, and returns what lets them go on. */
  async function holdWrites(page: Page): Promise<() => void> {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/api/**", async (route) => {
      if (route.request().method() !== "GET") await released;
      await route.continue();
    });
    return () => release();
  }

  it("keeps what is typed while a form saves, and saves it next", async () => {
    await query("insert into clock.visits values (3, 'First', '2026-07-01T10:00:00Z', null, null)");
    const page = await open("/app/records/clock/table/visits/3");
    const title = page.getByRole("textbox", { name: "Title", exact: true });
    const at = page.getByRole("textbox", { name: "At", exact: true });
    const answer = await holdWrites(page);
    await title.fill("Second");
    await page.keyboard.press("Control+s");
    await at.fill("2026-07-02 12:00");
    await at.press("Tab");
    answer();
    await expect
      .poll(() => query("select title from clock.visits where id = 3"))
      .toEqual([{ title: "Second" }]);
    await page.getByText("1 change, not saved").waitFor();
    expect(await at.inputValue()).toBe("2026-07-02 12:00");
    await page.keyboard.press("Control+s");
    await expect
      .poll(() =>
        query(
          "select to_char(at at time zone 'UTC', 'MM-DD HH24') as at from clock.visits where id = 3",
        ),
      )
      .toEqual([{ at: "07-02 10" }]);
  });

  it("saves again after a save that was running when the person asked for it", async () => {
    await query("insert into clock.visits values (4, 'First', '2026-07-01T10:00:00Z', null, null)");
    const page = await open("/app/records/clock/table/visits/4");
    const title = page.getByRole("textbox", { name: "Title", exact: true });
    const answer = await holdWrites(page);
    await title.fill("Second");
    await page.keyboard.press("Control+s");
    await title.fill("Third");
    await page.keyboard.press("Control+s");
    answer();
    await expect
      .poll(() => query("select title from clock.visits where id = 4"))
      .toEqual([{ title: "Third" }]);
    await page.getByText("1 change, not saved").waitFor({ state: "detached" });
  });

  it("chooses a region in the profile, which every date and week follows", async () => {
    const page = await open("/app/account");
    const region = page.getByLabel("Region", { exact: true });
    await region.selectOption("US");
    await page.getByText("weeks begin on Sunday").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved").waitFor();
    await page.goto(`${visits}?where[id][_eq]=1`);
    const time = `${shown("en-US")}, 12:30 AM`;
    await page
      .getByRole("grid")
      .getByText(new RegExp(`^${time.replace(" AM", "\\sAM")}$`))
      .waitFor();
    await page.goto(`/app/data-views/${ids.calendar}`);
    await page.locator("thead th").first().getByTitle("Sunday").waitFor();
    await page.goto("/app/account");
    await region.selectOption("");
    await page.getByText("weeks begin on Monday").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved").waitFor();
    await page.goto(`/app/data-views/${ids.calendar}`);
    await page.locator("thead th").first().getByTitle("Monday").waitFor();
  });
});
