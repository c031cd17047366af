import { loadFixture } from "@rowhouse/testing";
import type { Page, Route } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { openRows } from "../src/data-screens.ts";
import { enter } from "../src/people.ts";
import { openStructure } from "../src/structure-screens.ts";
import type { Journey } from "./journey.ts";

// The index is built after the rows, which takes half the time.
const tables = `
  create schema large;
  create table large.readings as
    select n as id, (n * 7919::bigint % 100003)::int as code, n * 31 % 1000 as place, 'Reading ' || n as note
    from generate_series(1, 3000000) as n;
  alter table large.readings add primary key (id);
  create index on large.readings (code);
  analyze large.readings;
`;
const path = "/app/data/large/table/readings";

/** Adds the tests of a table of three million rows. */
export function testLargeTable(journey: Journey): void {
  describe("of three million rows", () => {
    let session = "";

    beforeAll(async () => {
      const { service, roleId } = journey;
      await loadFixture(service.test.database, tables);
      // A busy machine needs more than the default to order all rows without an index.
      await service.administer("PATCH", "/settings", { "data.statement_timeout_ms": 60_000 });
      const [resource] = (await service.administer("GET", "/resources?schema=large")) as {
        readonly id: string;
      }[];
      const address = `/resources/${resource?.id}`;
      await service.administer("PATCH", address, { exposedMethods: ["GET", "PATCH"] });
      for (const action of ["READ", "UPDATE"]) {
        const grant = { roleId, resourceId: resource?.id, action, fields: null };
        await service.administer("POST", "/grants", grant);
      }
      session = await enter(service, "large@example.com", "Nora", roleId);
    });

    const firstCell = (page: Page, column: string, text: string) =>
      page.locator(`[data-row="0"] [data-column="${column}"]`).getByText(text, { exact: true });
    const status = (page: Page, text: string) => page.getByRole("status").getByText(text).waitFor();
    const isCount = (url: URL) => url.searchParams.get("count") === "exact";

    it("shows rows before they are counted, and counts them once for every order", async () => {
      const { page } = await journey.open();
      const held: Route[] = [];
      let counts = 0;
      await page.route(isCount, (route) => {
        counts += 1;
        held.push(route);
      });
      await openRows(page, session, path);
      await firstCell(page, "3", "Reading 1").waitFor();
      await status(page, "100 rows");
      await expect.poll(() => held.length).toBe(1);
      for (const route of held) await route.continue();
      await status(page, "100 of 3,000,000 rows");
      // By a column with an index, then by one without.
      await page.getByRole("columnheader", { name: "code" }).click();
      await firstCell(page, "0", "100003").waitFor();
      await page.getByRole("columnheader", { name: "place" }).click();
      await firstCell(page, "0", "1000").waitFor({ timeout: 60_000 });
      await status(page, "100 of 3,000,000 rows");
      expect(counts).toBe(1);
    });

    it("shows the last rows first, goes on from there, and changes a row of a filter", async () => {
      const { page } = await journey.open();
      await openRows(page, session, `${path}?order_by=-id`);
      await firstCell(page, "0", "3000000").waitFor();
      await page.getByRole("grid").focus();
      for (const loaded of [200, 300, 400]) {
        await page.keyboard.press("Control+End");
        await status(page, `${loaded} of 3,000,000 rows`);
      }
      const where = encodeURIComponent(JSON.stringify({ place: { _eq: 7 } }));
      await page.goto(`${path}?where=${where}`);
      await status(page, "100 of 3,000 rows");
      await firstCell(page, "3", "Reading 97").dblclick();
      await page.keyboard.press("Control+a");
      await page.keyboard.type("Mended");
      await page.keyboard.press("Enter");
      await page.getByText("Undo").waitFor();
      const changed = "select id from large.readings where note = 'Mended'";
      expect(await journey.service.test.database.query(changed)).toEqual([{ id: 97 }]);
    });

    it("shows the lock and the failing rows of a change, which another administrator makes first", async () => {
      const { service } = journey;
      const { database } = service.test;
      await database.query("update large.readings set note = null where id in (10, 20, 30)");
      const [role] = (await service.administer("GET", "/roles?search=administrators")) as {
        readonly id: string;
      }[];
      const boss = await enter(service, "boss@example.com", "Boss", role?.id ?? "");
      const { page } = await journey.open();
      await openStructure(page, boss, "/admin/structure/large/table/readings");
      await page.getByRole("checkbox", { name: "note is required" }).check();
      await page.getByText("3 rows would fail").waitFor();
      await page.getByText(/^About 3,000,000 rows, lock ACCESS EXCLUSIVE/).waitFor();
      await page.getByRole("link", { name: "Show all 3 in the grid" }).waitFor();
      const apply = page.getByRole("button", { name: "Apply…" });
      expect(await apply.isDisabled()).toBe(true);
      await database.query("update large.readings set note = 'none' where note is null");
      await service.administer("PATCH", "/schema/large/tables/readings", {
        changes: [
          { kind: "changeColumn", column: "note", nullable: false },
          { kind: "addColumn", name: "unit", dataType: "text" },
        ],
      });
      await page.getByRole("button", { name: "Column", exact: true }).click();
      await page.keyboard.type("checked");
      await page.getByRole("button", { name: "Read again" }).click();
      await page.getByText("Draft with 1 change").waitFor();
      await page.getByText('add column "checked" text').waitFor();
      await apply.click();
      await page.getByRole("button", { name: "Apply", exact: true }).click();
      await page.getByText("The changes are made.").waitFor();
      const { columns } = (await service.administer("GET", "/schema/large/tables/readings")) as {
        readonly columns: readonly { readonly name: string; readonly nullable: boolean }[];
      };
      expect(columns.map(({ name, nullable }) => [name, nullable])).toEqual([
        ...[
          ["id", false],
          ["code", true],
          ["place", true],
        ],
        ...[
          ["note", false],
          ["unit", true],
          ["checked", true],
        ],
      ]);
    });
  });
}
