// Tier: long. Starts a browser; of this page, `all` has the screens.
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { type AccessHarbor, poolTables, prepareAccess } from "../src/access-screens.ts";
import { hasChromium } from "../src/chromium.ts";
import { enterAs } from "../src/people.ts";
import { prepareJourney, tabTo } from "./journey.ts";
import { delayResponses } from "./slow-page.ts";

describe.runIf(hasChromium())("access in the administration", () => {
  const journey = prepareJourney();
  let harbor: AccessHarbor;

  beforeAll(async () => {
    harbor = await prepareAccess(journey.service);
  });

  async function openAt(path: string): Promise<Page> {
    const { page } = await journey.open();
    await enterAs(page, harbor.administrator, path);
    await page.locator("main h1").waitFor();
    return page;
  }

  it("a method is exposed in the matrix by the keyboard alone, and the filters are in the address", async () => {
    const page = await openAt("/admin/access");
    await tabTo(page, "searchbox", "Name contains");
    await page.keyboard.insertText("harbor.cranes");
    const grid = page.getByRole("grid", { name: "Access" });
    await page.waitForURL(/search=harbor\.cranes/);
    await focusMatrix(page);
    await page.keyboard.press("ArrowRight");
    expect(await activeLabel(page)).toBe("harbor.cranes · POST is hidden");
    await page.keyboard.press("Space");
    await grid.getByRole("gridcell", { name: "harbor.cranes · POST is exposed" }).waitFor();
    await expect
      .poll(async () => (await harbor.resource("cranes")).exposedMethods)
      .toEqual(["GET", "POST"]);
    await page.reload();
    await grid.getByRole("gridcell", { name: "harbor.cranes · POST is exposed" }).waitFor();
    expect(await page.getByRole("row").count()).toBe(3);
  });

  it("a cell says what its grant covers, and a grant without its column is named with what it lost", async () => {
    const page = await openAt("/admin/access?schema=harbor");
    const cell = (name: string) => page.getByRole("gridcell", { name, exact: true });
    await cell("harbor.cranes · Porters · read: some fields").waitFor();
    await cell("harbor.loads · Porters · read: row filter, some fields").waitFor();
    await cell("harbor.loads · Porters · change: no grant").waitFor();
    await cell("harbor.ramps · Porters · read: all rows and fields").waitFor();
    await cell(
      "harbor.ramps · Porters · delete: all rows and fields · granted, but the method is hidden",
    ).waitFor();
    await cell("harbor.scales · Porters · read: not effective").waitFor();
    await page.getByText("Row filter: retired").waitFor();
    await page.getByRole("link", { name: "Porters may read rows of harbor.scales" }).waitFor();
  });

  it("a grant with a row filter is created by the keyboard alone, and says how many rows it matches", async () => {
    const page = await openAt(`/admin/access?search=harbor.loads&role=${harbor.packersId}`);
    const grid = page.getByRole("grid", { name: "Access" });
    await grid.getByRole("gridcell").first().waitFor();
    await tabTo(page, "combobox", "Role");
    await focusMatrix(page);
    await goTo(page, "harbor.loads · Packers · read: no grant");
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Read all rows" }).waitFor();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Packers may read rows of harbor.loads" }).waitFor();
    await page.getByText("Matches 12 of 12 rows now").waitFor();
    await tabTo(page, "button", "Filter");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Filter" }).waitFor();
    await tabTo(page, "combobox", "Field");
    await page.keyboard.insertText("owner");
    await page.keyboard.press("Enter");
    await tabTo(page, "combobox", "Comparison");
    await page.keyboard.type("is");
    await tabTo(page, "textbox", "Value");
    await page.keyboard.insertText("dock");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Matches 4 of 12 rows now").waitFor();
    await tabTo(page, "checkbox", "All fields, also those added later");
    await page.keyboard.press("Space");
    await tabTo(page, "checkbox", "secret");
    await page.keyboard.press("Space");
    await page.getByText("3 of 4 fields").waitFor();
    await tabTo(page, "button", "Create");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Save" }).waitFor();
    const [grant] = await harbor.grantsOf(harbor.packersId);
    expect(grant).toMatchObject({
      action: "READ",
      fields: ["id", "owner", "weight"],
      rowFilter: { owner: { _eq: "dock" } },
    });
    expect(new URL(page.url()).pathname).toBe(`/admin/access/grants/${grant?.id}`);
  });

  it("a fault of the service stands at its part, and what was chosen stays", async () => {
    const { id } = await harbor.resource("loads");
    const page = await openAt(
      `/admin/access/grants/new?role=${harbor.roleId}&resource=${id}&action=READ`,
    );
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByRole("button", { name: "Text" }).click();
    // Text that replaces colored text in one step inherits its color as an inline style, which the policy refuses.
    await page.getByRole("textbox", { name: "Filter as JSON" }).focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.keyboard.insertText('{"nothing": {"_eq": 1}}');
    await page.keyboard.press("Control+Enter");
    await page.getByRole("alert").filter({ hasText: "Unknown field" }).waitFor();
    await page.getByRole("button", { name: "Remove the filter" }).click();
    await page.getByRole("button", { name: "Create" }).click();
    await page
      .getByText("The role already has a grant for this action; change that grant")
      .waitFor();
  });

  it("two administrators change one grant, and each part that both changed is chosen", async () => {
    const page = await openAt(`/admin/access/grants/${harbor.grants.cranes}`);
    await page.getByRole("checkbox", { name: "price" }).check();
    await page.getByRole("checkbox", { name: "name" }).uncheck();
    await journey.service.administer("PATCH", `/grants/${harbor.grants.cranes}`, {
      fields: ["id"],
      rowFilter: { id: { _lt: 5 } },
    });
    await page.getByRole("button", { name: "Save" }).click();
    const dialog = page.getByRole("dialog", { name: "Somebody else has changed this grant" });
    await dialog.getByText('["id","price"]').waitFor();
    await dialog.getByText('["id"]', { exact: true }).waitFor();
    await dialog.getByRole("button", { name: "Keep mine" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(
      await journey.service.administer("GET", `/grants/${harbor.grants.cranes}`),
    ).toMatchObject({ fields: ["id", "price"], rowFilter: { id: { _lt: 5 } } });
  });

  it("a grant is deleted after the dialog has named its members, and another page of it says that it is gone", async () => {
    const page = await openAt(`/admin/access/grants/${harbor.grants.ramps}`);
    const other = await openAt(`/admin/access/grants/${harbor.grants.ramps}`);
    await other.getByRole("button", { name: "Save" }).waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete this grant?" });
    await dialog.getByText("Affects 1 member").waitFor();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.waitForURL(/\/admin\/access$/);
    expect((await harbor.grantsOf(harbor.roleId)).map(({ id }) => id)).not.toContain(
      harbor.grants.ramps,
    );
    await other.getByRole("button", { name: "Save" }).click();
    await other.getByText("Another administrator has deleted this grant meanwhile.").waitFor();
  });

  it("nine quick clicks are stored by one request on a slow network, and leaving meanwhile asks first", async () => {
    await harbor.createPool();
    const page = await openAt("/admin/access?schema=pool&hidden=open");
    const grid = page.getByRole("grid", { name: "Access" });
    await grid.getByRole("gridcell").first().waitFor();
    await delayResponses(page, 1500);
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "PATCH") sent.push(new URL(request.url()).pathname);
    });
    const clicked = poolTables
      .slice(0, 3)
      .flatMap((name) =>
        ["GET", "POST", "PATCH"].map((method) => `pool.${name} · ${method} is hidden`),
      );
    // However busy the machine of the test is, they follow each other at once.
    await grid.evaluate((element, names) => {
      for (const name of names) {
        element.querySelector<HTMLElement>(`[role=gridcell][aria-label^="${name}"]`)?.click();
      }
    }, clicked);
    await grid
      .getByRole("gridcell", { name: /PATCH is exposed · being saved$/ })
      .first()
      .waitFor();
    const questions: string[] = [];
    page.on("dialog", (dialog) => {
      questions.push(`${dialog.type()} ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.getByRole("link", { name: "Overview" }).click();
    await expect
      .poll(() => questions)
      .toEqual(["confirm Changes are still being saved. Leave anyway?"]);
    await page.evaluate(() => location.reload());
    await expect.poll(() => questions.map((one) => one.split(" ")[0])).toContain("beforeunload");
    await grid
      .getByRole("gridcell", { name: /being saved$/ })
      .first()
      .waitFor({ state: "detached" });
    expect(sent).toEqual(["/admin/api/resources"]);
    await delayResponses(page, 0);
    await page.reload();
    await grid.getByRole("gridcell").first().waitFor();
    for (const name of poolTables.slice(0, 3)) {
      expect((await harbor.resource(name, "pool")).exposedMethods).toEqual([
        "GET",
        "POST",
        "PATCH",
      ]);
    }
  });

  it("a click that cannot be stored is put back and said", async () => {
    const page = await openAt("/admin/access?schema=harbor");
    const grid = page.getByRole("grid", { name: "Access" });
    const shut = grid.getByRole("gridcell", { name: "harbor.cranes · DELETE is hidden" });
    await shut.waitFor();
    await page.route("**/admin/api/resources", (route) =>
      route.request().method() === "PATCH"
        ? route.fulfill({
            status: 409,
            json: { errors: [{ code: "CONFLICT", message: "The table is locked" }] },
          })
        : route.continue(),
    );
    await shut.click();
    await page
      .getByRole("alert")
      .filter({ hasText: "1 change is not saved and is put back: The table is locked" })
      .waitFor();
    await shut.waitFor();
    expect((await harbor.resource("cranes")).exposedMethods).not.toContain("DELETE");
  });

  it("tables that nothing exposes are folded, and all of them are exposed for reading by one press", async () => {
    await harbor.createPool();
    await harbor.hidePool();
    const page = await openAt("/admin/access?schema=pool&hidden=folded");
    const fold = page.getByRole("button", { name: "14 hidden tables" });
    await fold.waitFor();
    expect(await page.getByRole("grid").count()).toBe(0);
    await fold.click();
    await page.waitForURL(/hidden=open/);
    expect(await page.getByRole("rowheader").count()).toBe(14);
    await page.getByRole("button", { name: "Expose all for reading" }).click();
    await fold.waitFor({ state: "detached" });
    expect((await harbor.pool()).map(({ exposedMethods }) => exposedMethods)).toEqual(
      poolTables.map(() => ["GET"]),
    );
  });

  it("rows are selected by keys and by a range, and a role gets several actions on them at once", async () => {
    await harbor.createPool();
    const page = await openAt(`/admin/access?schema=pool&hidden=open&role=${harbor.packersId}`);
    await page.getByRole("grid", { name: "Access" }).getByRole("gridcell").first().waitFor();
    const bar = page.getByRole("region", { name: "Selection" });
    await page.getByRole("checkbox", { name: "Select pool.table_02" }).click();
    await page
      .getByRole("checkbox", { name: "Select pool.table_05" })
      .click({ modifiers: ["Shift"] });
    await bar.getByText("4 tables selected").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Shift+Space");
    await bar.getByText("5 tables selected").waitFor();
    expect(await page.locator('[role=row][aria-selected="true"]').count()).toBe(5);
    await tabTo(page, "button", "Reading and writing");
    await page.keyboard.press("Enter");
    await expect
      .poll(async () => (await harbor.resource("table_06", "pool")).exposedMethods)
      .toEqual(["GET", "POST", "PATCH", "DELETE"]);
    await tabTo(page, "button", "Grant…");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Grant on 5 tables" });
    await dialog.getByRole("checkbox", { name: "Create new rows" }).check();
    await dialog.getByLabel("Rows", { exact: true }).selectOption({ label: "only their own rows" });
    await dialog.getByText("Left out, because").getByText("pool.table_03").waitFor();
    await dialog.getByRole("button", { name: "Set 4 grants" }).click();
    await dialog.waitFor({ state: "detached" });
    const made = await harbor.grantsOn(harbor.packersId, "pool");
    expect(made.map(({ action }) => action).toSorted()).toEqual([
      "CREATE",
      "CREATE",
      "READ",
      "READ",
    ]);
    expect(made.find(({ action }) => action === "READ")).toMatchObject({
      rowFilter: { owner_id: { _eq: "$USER.id" } },
    });
    expect(made.find(({ action }) => action === "CREATE")).toMatchObject({
      presets: { owner_id: "$USER.id" },
    });
  });

  it("the menu of a cell grants, copies and revokes, by a right click and by the keyboard", async () => {
    await harbor.createPool();
    const page = await openAt(`/admin/access?schema=pool&hidden=open&role=${harbor.packersId}`);
    const cell = (name: string) => page.getByRole("gridcell", { name: new RegExp(`^${name}`) });
    await cell("pool.table_01 · Packers · change: no grant").click({ button: "right" });
    // Two columns refer to an account, so each is offered.
    const own = page.getByRole("menuitem", { name: "Change only their own rows" });
    await own.filter({ hasText: "owner_id" }).waitFor();
    await own.filter({ hasText: "checker_id" }).click();
    await cell("pool.table_01 · Packers · change: row filter").waitFor();
    await focusMatrix(page);
    await page.keyboard.press("Shift+F10");
    await page.getByRole("menuitem", { name: "Copy to…" }).click();
    const dialog = page.getByRole("dialog", { name: "Copy this grant" });
    await dialog.getByRole("checkbox", { name: "Read rows" }).check();
    await dialog.getByRole("checkbox", { name: "pool.table_07" }).check();
    // No column of that table has this name.
    await dialog.getByRole("button", { name: "Set 3 grants" }).click();
    await dialog
      .getByRole("alert")
      .filter({ hasText: "No grant was changed: pool.table_07 · Change: Unknown field" })
      .waitFor();
    await dialog.getByRole("checkbox", { name: "pool.table_07" }).uncheck();
    await dialog.getByRole("button", { name: "Set 1 grant" }).click();
    await cell("pool.table_01 · Packers · read: row filter").waitFor();
    await cell("pool.table_01 · Packers · read: row filter").click();
    await page.getByRole("menuitem", { name: "Revoke" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await cell("pool.table_01 · Packers · read: no grant").waitFor();
  });

  it("the head of an action grants it on all shown tables that have no grant, by one request, by the keyboard alone", async () => {
    await harbor.createPool();
    const page = await openAt(
      `/admin/access?schema=pool&search=table_1&hidden=open&role=${harbor.packersId}`,
    );
    await page.getByRole("grid", { name: "Access" }).getByRole("gridcell").first().waitFor();
    await tabTo(page, "combobox", "Role");
    await focusMatrix(page);
    await page.keyboard.press("ArrowUp");
    for (let press = 0; press < 7; press += 1) await page.keyboard.press("ArrowRight");
    expect(await activeLabel(page)).toBe("Delete for Packers on all shown tables");
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Delete all rows" }).waitFor();
    await page.keyboard.press("Enter");
    await page
      .getByRole("gridcell", { name: /^pool.table_14 · Packers · delete: all rows and fields/ })
      .waitFor();
    const made = await harbor.grantsOn(harbor.packersId, "pool");
    expect(made.filter(({ action }) => action === "DELETE")).toHaveLength(5);
  });

  it("a response is explained stage by stage, with the grants, the conditions and the SQL", async () => {
    const page = await openAt("/admin/access/explain");
    await tabTo(page, "combobox", "Person");
    await page.keyboard.insertText("porter@");
    await page.getByRole("option", { name: "porter@example.com" }).waitFor();
    await page.keyboard.press("Enter");
    await tabTo(page, "combobox", "Table or view");
    await page.keyboard.insertText("loads");
    await page.getByRole("option", { name: "harbor.loads" }).waitFor();
    await page.keyboard.press("Enter");
    await tabTo(page, "button", "Explain");
    await page.keyboard.press("Enter");
    await page.getByText("permitted", { exact: true }).waitFor();
    expect(await page.locator("ol").first().getByText("passed").count()).toBe(6);
    await page.getByText('{"owner":{"_eq":"dock"}}').first().waitFor();
    await page.getByText("Hidden fields").waitFor();
    expect(await page.locator("pre").textContent()).toContain('"harbor"."loads"');
    // One row is chosen by its title, and another by its key.
    await tabTo(page, "combobox", "Row", "Shift+Tab");
    await page.keyboard.insertText("3");
    await page.getByRole("option", { name: /dock\s*3/ }).waitFor();
    await page.keyboard.press("Enter");
    await tabTo(page, "button", "Explain");
    await page.keyboard.press("Enter");
    await page.getByText("matches the row", { exact: true }).waitFor();
    await page.waitForURL(/loads%2F3|loads\/3/);
    await page.getByText("As a request to the API").click();
    await tabTo(page, "textbox", "Path");
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("/api/harbor/table/loads?fields=secret");
    await page.keyboard.press("Enter");
    await page.getByText("refused here").waitFor();
    await page.getByText("No grant for READ lists it on harbor.loads").first().waitFor();
    await page.getByText("The person receives 400:").waitFor();
  });

  it("a list is seen as a person beside one's own, and what they may not know is nowhere on their side", async () => {
    const page = await openAt(`/admin/access/view-as?user=${harbor.porterId}`);
    await page.getByText("You see what Gro (porter@example.com) sees.").waitFor();
    const theirs = page.getByRole("region", { name: "As Gro" }).first();
    await theirs.getByRole("link", { name: "harbor.loads" }).click();
    await page.getByText("8 rows of yours are missing, 1 field in all rows.").waitFor();
    const own = page.getByRole("region", { name: "You" }).first();
    expect(await own.textContent()).toContain("canary-secret-3");
    expect(await own.locator("[data-missing=true]").count()).toBe(8);
    const side = await theirs.evaluate((element) => element.outerHTML);
    expect(side).toContain("dock");
    expect(side).not.toContain("canary");
    expect(side).not.toContain("secret");
    expect(await theirs.locator("tbody tr").count()).toBe(4);
    const log = (await journey.service.administer(
      "GET",
      `/audit-log?search=permission.preview&targetId=${harbor.porterId}`,
    )) as unknown[];
    expect(log.length).toBeGreaterThan(0);
  });

  it("a refusal is seen as a set of roles receives it", async () => {
    const page = await openAt(
      `/admin/access/view-as?roles=${harbor.packersId}&path=/api/harbor/table/scales`,
    );
    await page.getByText("You see what Packers sees.").waitFor();
    await page.getByText("The service answers 404:").waitFor();
    await page.getByText("NOT_FOUND: Not found").waitFor();
  });

  it("a matrix of 300 tables and 50 roles draws the cells that are seen alone", async () => {
    await harbor.createMany();
    const page = await openAt("/admin/access?hidden=open");
    const grid = page.getByRole("grid", { name: "Access" });
    await grid.getByRole("gridcell").first().waitFor();
    expect(Number(await grid.getAttribute("aria-rowcount"))).toBeGreaterThan(300);
    expect(Number(await grid.getAttribute("aria-colcount"))).toBeGreaterThan(200);
    await grid.focus();
    await page.keyboard.press("Control+End");
    await expect.poll(() => activeLabel(page)).toMatch(/^yard\.table 300 · role 50 · delete/);
    expect(await grid.getByRole("gridcell").count()).toBeLessThan(3000);
    expect(await grid.evaluate((element) => element.scrollTop > 0 && element.scrollLeft > 0)).toBe(
      true,
    );
  });
});

/** Presses Tab until the matrix has the focus. */
async function focusMatrix(page: Page): Promise<void> {
  const grid = page.getByRole("grid", { name: "Access" });
  for (let press = 0; press < 10; press += 1) {
    if (await grid.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("The keyboard does not reach the matrix");
}

/** Moves right in the matrix until a cell is active. */
async function goTo(page: Page, label: string): Promise<void> {
  for (let press = 0; press < 12; press += 1) {
    if ((await activeLabel(page)) === label) return;
    await page.keyboard.press("ArrowRight");
  }
  throw new Error(`The keyboard does not reach ${label}`);
}

/** The label of the cell that the keys of the matrix act on. */
function activeLabel(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const id = document.activeElement?.getAttribute("aria-activedescendant") ?? "";
    return document.getElementById(id)?.getAttribute("aria-label") ?? null;
  });
}
