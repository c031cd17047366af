import type { Page, Route } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { openRows } from "../src/data-screens.ts";
import { enter } from "../src/people.ts";
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
      await service.test.database.query(tables);
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
      await firstCell(page, "0", "1000").waitFor();
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
  });
}
