// Tier: long. Starts a browser.
import { loadChinook } from "@rowhouse/testing";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { boardIsRead } from "../src/boards.ts";
import { hasChromium } from "../src/chromium.ts";
import { enter, enterAs } from "../src/people.ts";
import { prepareJourney } from "./journey.ts";

interface Named {
  readonly id: string;
  readonly name: string;
}

const widths = [1440, 390];

// A music shop: every layout and a dashboard over its tables, used by a person of one role, and compared with SQL.
describe.runIf(hasChromium())("the workspace over the Chinook sample", () => {
  const journey = prepareJourney();
  const ids: Record<string, string> = {};
  let session = "";

  beforeAll(async () => {
    const { service } = journey;
    await loadChinook(service.test.database);
    const resources = (await service.administer(
      "GET",
      "/resources?schema=public&limit=100",
    )) as readonly Named[];
    const idOf = (name: string) => resources.find((one) => one.name === name)?.id ?? "";
    const roleId = journey.roleId;
    for (const name of ["customer", "employee", "invoice", "track", "genre"]) {
      const exposedMethods = name === "customer" ? ["GET", "PATCH"] : ["GET"];
      await service.administer("PATCH", `/resources/${idOf(name)}`, { exposedMethods });
      const grant = { roleId, resourceId: idOf(name), fields: null };
      await service.administer("POST", "/grants", { ...grant, action: "READ" });
      if (name === "customer") {
        const fields = ["support_rep_id", "phone", "city"];
        await service.administer("POST", "/grants", { ...grant, action: "UPDATE", fields });
      }
    }
    const view = async (name: string, table: string, presentation: object, more: object = {}) => {
      const created = (await service.administer("POST", "/data-views", {
        ...{ name, resourceId: idOf(table), roleIds: [roleId], ...more },
        presentation: { version: 1, ...presentation },
      })) as Named;
      ids[name] = created.id;
    };
    await view(
      "Invoices",
      "invoice",
      {
        layout: "table",
        columns: [
          { field: "invoice_id", pinned: true },
          { field: "customer.last_name" },
          { field: "total", summary: "sum" },
        ],
      },
      {
        fields: ["invoice_id", "invoice_date", "customer.last_name", "total"],
        orderBy: ["invoice_id"],
      },
    );
    await view("Tracks", "track", {
      ...{ layout: "cards", title: "name", subtitle: "composer", badges: ["unit_price"] },
    });
    await view("Customers", "customer", {
      ...{ layout: "kanban", group: "support_rep_id", title: "last_name", fields: ["country"] },
    });
    await view("Days", "invoice", {
      ...{ layout: "calendar", start: "invoice_date", title: "billing_city" },
    });
    await view("Contact", "customer", {
      ...{ layout: "form", use: "EDIT" },
      sections: [{ title: "Where", fields: [{ field: "phone" }, { field: "city" }] }],
    });
    const panel = (id: string, title: string, kind: string, y: number, parts: object) => ({
      ...{ id, title, kind, resourceId: idOf("invoice"), layout: { x: 0, y, w: 12, h: 6 } },
      ...parts,
    });
    const board = (await service.administer("POST", "/dashboards", {
      ...{ name: "Sales", roleIds: [roleId] },
      panels: [
        panel("sum", "Revenue", "FIGURE", 0, { definition: { aggregate: ["sum(total)"] } }),
        panel("years", "By year", "CHART", 6, {
          definition: { aggregate: ["sum(total)"], groupBy: ["date_trunc(year,invoice_date)"] },
          presentation: { version: 1, chart: "line" },
        }),
        panel("countries", "By country", "CHART", 12, {
          definition: {
            ...{ aggregate: ["count"], groupBy: ["billing_country"] },
            ...{ orderBy: ["-count"], limit: 8 },
          },
          presentation: { version: 1, chart: "bar" },
        }),
        panel("pivot", "Countries and years", "PIVOT", 18, {
          definition: {
            ...{ aggregate: ["count"], rows: ["billing_country"] },
            columns: ["date_trunc(year,invoice_date)"],
          },
          presentation: { version: 1, totals: true },
        }),
      ],
    })) as Named;
    ids.Sales = board.id;
    session = await enter(service, "sales@example.com", "Sal", roleId);
  });

  const open = async (name: string, width: number, search = ""): Promise<Page> => {
    const { page } = await journey.open({ viewport: { width, height: 900 } });
    const kind = name === "Sales" ? "dashboards" : "data-views";
    await enterAs(page, session, `/app/${kind}/${ids[name]}${search}`);
    await page.getByRole("heading", { level: 1, name }).waitFor();
    return page;
  };
  const query = async <Row extends object>(text: string) =>
    (await journey.service.test.database.query(text)) as Row[];

  it.each(widths)(
    "a table, cards and a calendar show the rows of the shop at %i pixels",
    async (width) => {
      const table = await open("Invoices", width);
      await table.getByText("Köhler").first().waitFor();
      if (width > 1000) {
        const [row] = await query<{ sum: string }>("select sum(total)::text as sum from invoice");
        await expect.poll(() => table.locator("[data-foot]").textContent()).toContain(row?.sum);
      }
      const cards = await open("Tracks", width);
      await cards.getByText("For Those About To Rock (We Salute You)").first().waitFor();
      const [first] = await query<{ city: string; day: string }>(
        "select billing_city as city, invoice_date::date::text as day from invoice order by invoice_id limit 1",
      );
      const days = await open("Days", width, `?from=${first?.day}`);
      await days
        .getByText(first?.city ?? "")
        .first()
        .waitFor();
    },
  );

  it("a customer is given to another agent by the keyboard, and undo gives them back", async () => {
    const page = await open("Customers", 1440);
    const column = (agent: number) => page.locator(`[data-column="${agent}"]`);
    const card = column(3).locator("[data-card-open]").first();
    // The cards of a column load once it is seen.
    await column(3).scrollIntoViewIfNeeded();
    await card.waitFor();
    const counts = await query<{ id: number; count: number }>(
      "select support_rep_id as id, count(*)::int as count from customer group by 1",
    );
    for (const { id, count } of counts) {
      await column(id).getByText(String(count), { exact: true }).first().waitFor();
    }
    const name = (await card.locator("bdi").first().textContent()) ?? "";
    const agentOf = async () =>
      (
        await journey.service.test.database.query<{ id: number }>(
          "select support_rep_id as id from customer where last_name = $1",
          [name],
        )
      )[0]?.id;
    expect(await agentOf()).toBe(3);
    await card.focus();
    await page.keyboard.press("Alt+ArrowRight");
    await expect.poll(agentOf).toBe(8);
    await page.getByRole("button", { name: "Undo" }).waitFor();
    await page.keyboard.press("Control+z");
    await expect.poll(agentOf).toBe(3);
  });

  it.each(widths)("a customer's phone is changed by the form at %i pixels", async (width) => {
    const page = await open("Contact", width);
    await page.locator("main ul button").first().click();
    const phone = `+49 ${width}`;
    const field = page.getByRole("textbox", { name: "phone" });
    await field.fill(phone);
    await page.keyboard.press("Control+s");
    await expect
      .poll(() => query(`select 1 as found from customer where phone = '${phone}'`))
      .toEqual([{ found: 1 }]);
  });

  it.each(widths)(
    "a dashboard shows the sums and counts of the database at %i pixels",
    async (width) => {
      const page = await open("Sales", width);
      await boardIsRead(page);
      const panel = (title: string) => page.getByRole("article", { name: title, exact: true });
      const [all] = await query<{ sum: string }>("select sum(total)::text as sum from invoice");
      const shown = new Intl.NumberFormat("en").format(all?.sum as `${number}`);
      await panel("Revenue").getByText(shown).first().waitFor();
      const asTable = async (title: string) => {
        await panel(title)
          .getByRole("button", { name: `More for ${title}` })
          .click();
        await page.getByRole("menuitem", { name: "Show as table" }).click();
        return panel(title).getByRole("table");
      };
      const years = await asTable("By year");
      const sums = await query<{ year: string; sum: string }>(
        "select to_char(invoice_date, 'YYYY') as year, sum(total)::text as sum from invoice group by 1",
      );
      for (const { year, sum } of sums) {
        const row = years.getByRole("row").filter({ hasText: year });
        const text = new Intl.NumberFormat("en").format(sum as `${number}`);
        await row.getByText(text).waitFor();
      }
      const countries = await asTable("By country");
      const counts = await query<{ country: string; count: number }>(
        "select billing_country as country, count(*)::int as count from invoice group by 1 order by 2 desc, 1 limit 8",
      );
      for (const { country, count } of counts) {
        const row = countries.getByRole("row").filter({ hasText: country });
        expect(await row.getByRole("cell").last().textContent()).toBe(String(count));
      }
      const total = panel("Countries and years").getByRole("row").last().getByRole("cell").last();
      const [invoices] = await query<{ n: number }>("select count(*)::int as n from invoice");
      expect(await total.textContent()).toBe(String(invoices?.n));
    },
  );
});
