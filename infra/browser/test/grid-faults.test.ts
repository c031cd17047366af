// Tier: long. Starts a browser; of cells, `all` has the grid.
import { signIn } from "@rowhouse/testing";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { depotPath } from "../src/data-screens.ts";
import { cell, prepareDepotJourney } from "./depot-journey.ts";

describe.runIf(hasChromium())("faults of the grid", () => {
  const { journey, open, query, addTables } = prepareDepotJourney();

  const openAsAdministrator = async (path: string): Promise<Page> => {
    const { page } = await journey.open();
    await page.goto("/admin/auth/sign-in");
    await page.getByLabel("Email").fill(signIn.email);
    // Tab leads from the address to the password.
    await page.getByLabel("Email").press("Tab");
    await page.keyboard.type(signIn.password);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/app/);
    await page.goto(path);
    return page;
  };

  const exposeView = async (name: string): Promise<void> => {
    const { service } = journey;
    const path = `/resources?schema=depot&search=${name}`;
    const [view] = (await service.administer("GET", path)) as readonly { readonly id: string }[];
    await service.administer("PATCH", `/resources/${view?.id}`, { exposedMethods: ["GET"] });
  };

  it("a column that cannot be computed is marked, and the others are shown", async () => {
    const many = Array.from({ length: 20 }, (_, number) => `size + ${number} as size_${number}`);
    await addTables(
      `create table depot.boxes (id int primary key, size int, share int);
       insert into depot.boxes select n, n, case when n = 3 then 0 else 1 end from generate_series(1, 5) as n;
       create view depot.shares as select id, ${many.join(", ")}, 10 / share as part, size from depot.boxes`,
      "boxes",
    );
    await exposeView("shares");
    const page = await openAsAdministrator(depotPath("shares", "view"));
    await page.getByText("5 of 5 rows").waitFor();
    expect(await cell(page, 2, 0).textContent()).toBe("3");
    expect(await page.getByRole("alert").count()).toBe(0);
    await page.getByRole("grid").focus();
    await page.keyboard.press("Control+End");
    const sign = page.getByRole("button", { name: /^Part cannot be shown/ });
    await sign.click();
    const menu = page.getByRole("menu");
    await menu.getByText(/a division by zero/).waitFor();
    expect(await menu.getByRole("menuitem", { name: "Open the structure" }).count()).toBe(1);
    await menu.getByRole("menuitem", { name: "Hide this column" }).click();
    await sign.waitFor({ state: "hidden" });
    await page.getByText("5 of 5 rows").waitFor();
    await page.reload();
    await page.getByText("5 of 5 rows").waitFor();
    expect(await sign.count()).toBe(0);
  });

  it("a value of a later page that cannot be computed marks its column, and keeps the rows", async () => {
    await addTables(
      `create table depot.crates (id int primary key, share int, note text);
       insert into depot.crates select n, case when n = 150 then 0 else 1 end, 'n' || n from generate_series(1, 300) as n;
       create view depot.crate_shares as select id, note, 10 / share as part from depot.crates`,
      "crates",
    );
    await exposeView("crate_shares");
    const page = await openAsAdministrator(`${depotPath("crate_shares", "view")}?order_by=id`);
    await page.getByText(/of 300 rows/).waitFor();
    await page.getByRole("grid").focus();
    for (const rows of [200, 300]) {
      await page.keyboard.press("Control+End");
      await page.getByText(new RegExp(`^(?:${rows}|300) of 300 rows$`)).waitFor();
    }
    await page.getByRole("button", { name: /^Part cannot be shown/ }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it("a hidden table is exposed in place by an administrator, and stays hidden to others", async () => {
    await query(
      "create table depot.secret_rows (id int primary key); insert into depot.secret_rows values (1), (2)",
    );
    const page = await openAsAdministrator("/admin/structure/depot/table/secret_rows");
    await page.getByRole("link", { name: "Show rows" }).click();
    await page.getByRole("heading", { name: "This table is hidden from the Data API" }).waitFor();
    await page.getByRole("button", { name: "Expose for reading" }).click();
    await page.getByText("2 of 2 rows").waitFor();
    const other = await open("vehicles");
    await other.goto(depotPath("secret_rows"));
    await other.getByRole("heading", { name: "Nothing to see here" }).waitFor();
  });
});
