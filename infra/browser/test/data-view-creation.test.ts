// Tier: long. Starts a browser; of this page, `all` has the screens.
import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { prepareDepot } from "../src/data-rows.ts";
import { type JobViews, prepareJobs } from "../src/data-views.ts";
import { enterAs } from "../src/people.ts";
import { prepareJourney } from "./journey.ts";

describe.runIf(hasChromium())("rows that begin in a layout", () => {
  const journey = prepareJourney();
  let views: JobViews;
  beforeAll(async () => {
    await prepareDepot(journey.service);
    views = await prepareJobs(journey.service);
  });
  const query = async <Row>(text: string) =>
    (await journey.service.test.database.query(text)) as Row[];
  const open = async (name: string, search = "", session = views.session) => {
    const { page } = await journey.open();
    await page.setViewportSize({ width: 1440, height: 900 });
    await enterAs(page, session, `/app/data-views/${views.ids[name]}${search}`);
    return page;
  };

  it("a card begins at the foot of its column by the keyboard, and an undo says where a card is", async () => {
    const page = await open("Board");
    const column = page.locator(`[data-column='"DOING"']`);
    await page.getByText(/^\d+ cards by Stage$/).waitFor();
    await column.getByRole("button", { name: "New card in DOING" }).focus();
    await page.keyboard.press("Enter");
    const form = page.getByRole("complementary", { name: "New row" });
    await form.getByRole("textbox", { name: "Title" }).fill("Fit a tow bar");
    await page.keyboard.press("Control+s");
    await form.waitFor({ state: "detached" });
    await expect.poll(() => page.locator(":focus").textContent()).toContain("Fit a tow bar");
    await column.getByText("Fit a tow bar", { exact: true }).waitFor();
    expect(await query("select stage from depot.jobs where title = 'Fit a tow bar'")).toEqual([
      { stage: "DOING" },
    ]);
    await page.keyboard.press("Alt+ArrowLeft");
    await expect
      .poll(() => query("select stage from depot.jobs where title = 'Fit a tow bar'"))
      .toEqual([{ stage: "NEW" }]);
    await page.getByText("Fit a tow bar is now in NEW.").waitFor({ state: "attached" });
    await page.keyboard.press("Control+z");
    await page.getByText("Undone. Fit a tow bar is now in DOING.").waitFor({ state: "attached" });
    await page.keyboard.press("Control+Shift+z");
    await page.getByText("Redone. Fit a tow bar is now in NEW.").waitFor({ state: "attached" });
  });

  it("nobody begins a row without the grant, and no card in a closed column", async () => {
    const page = await open("Board");
    await page.locator("[data-card]").first().waitFor();
    expect(await page.getByRole("button", { name: "New card in DONE" }).count()).toBe(0);
    const other = await open("Board", "", views.limited);
    await other.locator("[data-card]").first().waitFor();
    expect(await other.getByRole("button", { name: /^New card/ }).count()).toBe(0);
    await other.goto(`/app/data-views/${views.ids.Days}`);
    await other.locator("[data-calendar]").waitFor();
    expect(await other.getByRole("button", { name: /^New entry/ }).count()).toBe(0);
  });

  it("the rows without a value stand in a column that says None", async () => {
    const page = await open("By vehicle");
    await query("update depot.jobs set vehicle_id = null where id = 2");
    await page.reload();
    await page.getByRole("region", { name: /^None, \d+ cards?$/ }).waitFor({ state: "attached" });
    await page.getByText(/^\d+ cards by Vehicle$/).waitFor();
  });

  it("a week has its hours: events at their time, side by side where they overlap, and a line for now", async () => {
    await query(
      `insert into depot.jobs (title, starts_at, ends_at) values
        ('Early one', '2027-03-10T08:00+01', '2027-03-10T10:00+01'),
        ('Early two', '2027-03-10T09:00+01', '2027-03-10T09:30+01'),
        ('Whole days', '2027-03-10T00:00+01', '2027-03-12T00:00+01')`,
    );
    const page = await open("Hours", "?from=2027-03-10&span=week");
    const day = page.locator('[data-day="2027-03-10"]');
    const box = async (title: string) => {
      const found = await day.locator("[data-event]").filter({ hasText: title }).boundingBox();
      if (found === null) throw new Error(`${title} is not shown`);
      return found;
    };
    await day.getByText("Early two").waitFor();
    const [one, two] = [await box("Early one"), await box("Early two")];
    expect(two.x).toBeGreaterThanOrEqual(one.x + one.width);
    expect(one.height).toBeGreaterThan(3 * two.height);
    expect(two.y).toBeGreaterThan(one.y + one.height / 3);
    expect(await day.getByText("Whole days").count()).toBe(0);
    await page
      .getByRole("list", { name: /^All day, Wednesday.? 10 March 2027$/ })
      .getByText("Whole days")
      .waitFor();
    expect(await page.locator("[data-now]").count()).toBe(0);
    await page.getByRole("button", { name: "Today", exact: true }).click();
    await page.locator("[data-now]").waitFor({ state: "attached" });
  });

  it("an entry begins in an hour of a week by the arrows, and on a day of a month by the mouse", async () => {
    const page = await open("Hours", "?from=2027-03-17&span=week");
    await page.getByRole("button", { name: "New entry on Monday 15 March at 09:00" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    const form = page.getByRole("complementary", { name: "New row" });
    const startsAt = form.getByRole("textbox", { name: "Starts at" });
    expect(await startsAt.inputValue()).toBe("2027-03-16 10:00");
    await form.getByRole("textbox", { name: "Title" }).fill("From the arrows");
    await page.keyboard.press("Control+s");
    await form.waitFor({ state: "detached" });
    await expect.poll(() => page.locator(":focus").textContent()).toContain("From the arrows");
    const utc = (name: string) => `to_char(${name} at time zone 'UTC', 'DD HH24:MI') as ${name}`;
    expect(
      await query(
        `select ${utc("starts_at")}, ${utc("ends_at")} from depot.jobs where title = 'From the arrows'`,
      ),
    ).toEqual([{ starts_at: "16 09:00", ends_at: "16 10:00" }]);
    await page.goto(`/app/data-views/${views.ids.Days}?from=2027-03-01`);
    const cell = page.locator('[data-day="2027-03-18"]');
    await cell.hover();
    await cell.getByRole("button", { name: "New entry on Thursday 18 March" }).click();
    expect(await form.getByRole("textbox", { name: "Due" }).inputValue()).toBe("2027-03-18");
    await form.getByRole("textbox", { name: "Title" }).fill("From the mouse");
    await page.keyboard.press("Control+s");
    await cell.getByText("From the mouse").waitFor();
  });
});
