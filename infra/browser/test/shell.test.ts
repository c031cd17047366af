// Tier: long. Starts a browser; of this page, `all` has the screens.
import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { prepareJourney, tabTo } from "./journey.ts";
import { delayResponses, holdRequests, slowDown } from "./slow-page.ts";

describe.runIf(hasChromium())("the frame of the workspace", () => {
  const journey = prepareJourney();
  const { open, createPerson, signInAt } = journey;

  beforeAll(async () => {
    await journey.service.test.database.query(`
      create schema fleet;
      create table fleet.vehicles (id int primary key, plate text);
      create table fleet."Müller / Söhne" (id int primary key);
      create view fleet.overview as select id from fleet.vehicles;
      create schema many;
    `);
    await exposeAndGrant("fleet");
  });

  it("the palette leads from a few letters to a table, a view and an action, by the keyboard alone", async () => {
    await createPerson("keys@example.com");
    const { page } = await open();
    await signInAt(page, "keys@example.com");
    const { keyboard } = page;
    await keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: "Open or do" });
    await field.waitFor();
    // Accents and the order of words do not matter.
    await keyboard.type("sohne mul");
    await page.getByRole("option", { name: "Müller / Söhne" }).waitFor();
    expect(await field.getAttribute("aria-activedescendant")).toBe(
      await page.getByRole("option", { name: "Müller / Söhne" }).getAttribute("id"),
    );
    await keyboard.press("Enter");
    await page.waitForURL("**/app/data/fleet/table/M%C3%BCller%20%2F%20S%C3%B6hne");
    await keyboard.press("Control+k");
    await keyboard.type("overview");
    await page.getByRole("option", { name: "overview" }).waitFor();
    await keyboard.press("Enter");
    await page.waitForURL("**/app/data/fleet/view/overview");
    await keyboard.press("Control+k");
    await keyboard.type("dark");
    await page.getByRole("option", { name: "Theme: Dark" }).waitFor();
    await keyboard.press("Enter");
    await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
    await keyboard.press("Control+k");
    await field.waitFor();
    await keyboard.type("home");
    await page.getByRole("option", { name: "Home" }).waitFor();
    await keyboard.press("ArrowDown");
    await keyboard.press("ArrowUp");
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "Welcome, Nora" }).waitFor();
  });

  it("Enter directly after the last letter runs the command that the letters find", async () => {
    await createPerson("fast@example.com");
    const { page } = await open();
    await signInAt(page, "fast@example.com");
    await page.keyboard.press("Control+k");
    await page.getByRole("option", { name: "Theme: Dark" }).waitFor();
    await slowDown(page, 20);
    await page.keyboard.type("dark\n");
    await slowDown(page, 1);
    await page.getByRole("combobox", { name: "Open or do" }).waitFor({ state: "detached" });
    await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
    expect(new URL(page.url()).pathname).toBe("/app");
  });

  it("letters directly after the palette's first opening arrive in it on a slow network", async () => {
    await createPerson("far@example.com");
    const { page } = await open();
    await signInAt(page, "far@example.com");
    await delayResponses(page, 1000);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("dark\n");
    await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  });

  it("the chosen option of the palette remains the chosen one while further commands load", async () => {
    await createPerson("loading@example.com");
    const { page } = await open();
    await signInAt(page, "loading@example.com");
    const load = await holdRequests(page, "**/app/api/navigation");
    await page.reload();
    await page.getByRole("button", { name: "Search Ctrl K" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("option", { name: "Home" }).waitFor();
    await page.keyboard.press("ArrowDown");
    const chosen = page.getByRole("option", { selected: true });
    const before = await chosen.textContent();
    load();
    await page.getByRole("option", { name: "vehicles" }).waitFor();
    expect(await chosen.textContent()).toBe(before);
  });

  it("Enter directly after a menu has opened chooses its first entry", async () => {
    await createPerson("menu@example.com");
    const { page } = await open();
    await signInAt(page, "menu@example.com");
    await page.goto("/app/data/fleet/table/vehicles");
    await page.getByRole("button", { name: "Export" }).focus();
    const download = page.waitForEvent("download");
    await slowDown(page, 20);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await slowDown(page, 1);
    expect((await download).suggestedFilename()).toBe("vehicles.csv");
  });

  it("Escape closes the palette and returns the focus", async () => {
    await createPerson("escape@example.com");
    const { page } = await open();
    await signInAt(page, "escape@example.com");
    await tabTo(page, "button", "Search Ctrl K");
    await page.keyboard.press("Enter");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("combobox").waitFor({ state: "detached" });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Search Ctrl K");
  });

  it("shortcuts of a single key are listed, can be switched off, and stay off after a reload", async () => {
    await createPerson("single@example.com");
    const { page } = await open();
    await signInAt(page, "single@example.com");
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
    await tabTo(page, "checkbox", "Shortcuts of a single key");
    await page.keyboard.press("Space");
    await page.keyboard.press("Escape");
    await page.reload();
    await page.getByRole("heading", { name: "Welcome, Nora" }).waitFor();
    await page.keyboard.press("?");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    expect(await page.getByRole("dialog").count()).toBe(1);
    await page.keyboard.type("shortcuts");
    await page.getByRole("option", { name: "Keyboard shortcuts" }).click();
    await page.getByRole("checkbox", { checked: false }).waitFor();
  });

  it("density and language are chosen beside the theme, and remain in this browser", async () => {
    await createPerson("density@example.com");
    const { page } = await open();
    await signInAt(page, "density@example.com");
    await page.getByRole("button", { name: "Account of Nora" }).click();
    await page.getByLabel("Rows").selectOption("Comfortable");
    const rowHeight = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--row"));
    expect(await rowHeight()).toBe("36px");
    await page.getByLabel("Language").selectOption("Deutsch");
    await page.getByRole("heading", { name: "Willkommen, Nora" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Willkommen, Nora" }).waitFor();
    expect(await rowHeight()).toBe("36px");
  });

  it("theme and density follow a person to another browser", async () => {
    await createPerson("follows@example.com");
    const { page } = await open({ colorScheme: "light" });
    await signInAt(page, "follows@example.com");
    await page.getByRole("button", { name: "Account of Nora" }).click();
    const kept = page.waitForResponse(
      (answer) => answer.request().method() === "PATCH" && answer.url().includes("/preferences"),
    );
    await page.getByLabel("Theme").selectOption("Dark");
    expect((await kept).status()).toBe(200);
    const other = await open({ colorScheme: "light" });
    await signInAt(other.page, "follows@example.com");
    await other.page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  });

  it("an administrator gets first steps, whose state is that of the data, and can hide them", async () => {
    const { page } = await open();
    await page.goto(journey.service.firstLink);
    const list = page.getByRole("region", { name: "First steps" });
    await list.getByText("Add a role · done").waitFor();
    expect(await list.getByText("Create a token · done").count()).toBe(0);
    await list.getByRole("button", { name: "Hide" }).click();
    await list.waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("heading", { name: "Tables and views" }).waitFor();
    expect(await list.count()).toBe(0);
    await page.evaluate(() => localStorage.removeItem("rowhouse.preferences"));
    await page.reload();
    await list.getByRole("link", { name: "Your tokens" }).click();
    await page.getByRole("button", { name: "New token" }).click();
    await page.getByLabel("Name").fill("first");
    await page.getByRole("button", { name: "Create token" }).click();
    await page.getByRole("button", { name: "Done" }).click();
    await page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: "Home" })
      .click();
    await page.getByRole("heading", { name: "Welcome, Administrator" }).waitFor();
    await list.getByText("Create a token · done").waitFor();
  });

  it("the sidebar groups tables by schema, folds a group away and remembers it", async () => {
    await createPerson("groups@example.com");
    const { page } = await open();
    await signInAt(page, "groups@example.com");
    const navigation = page.getByRole("navigation");
    await navigation.getByRole("link", { name: "vehicles" }).click();
    await page.waitForURL("**/app/data/fleet/table/vehicles");
    await page.goBack();
    await navigation.getByRole("button", { name: "fleet" }).click();
    await page.reload();
    await navigation.getByRole("button", { name: "fleet", expanded: false }).waitFor();
    expect(await navigation.getByRole("link", { name: "vehicles" }).count()).toBe(0);
  });

  it("with a thousand tables the sidebar finds one, and a narrow window has it as a drawer", async () => {
    // In parts, each within the statement timeout of a busy machine.
    for (let first = 1; first <= 1000; first += 100) {
      await journey.service.test.database.query(`
        do $$ begin
          for number in ${first}..${first + 99} loop
            execute format('create table many."table %s" (id int)', number);
          end loop;
        end $$`);
    }
    await exposeAndGrant("many");
    await createPerson("many@example.com");
    const { page } = await open();
    await signInAt(page, "many@example.com");
    const navigation = page.getByRole("navigation");
    await navigation.getByRole("link", { name: "table 1000" }).waitFor();
    expect(await page.getByRole("table").getByRole("row").count()).toBe(51);
    await navigation.getByRole("searchbox", { name: "Find a table" }).fill("table 77");
    expect(await navigation.getByRole("link", { name: "table" }).count()).toBe(11);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole("button", { name: "Open navigation" }).click();
    const drawer = page.getByRole("dialog", { name: "Main" });
    await drawer.getByRole("searchbox").fill("table 999");
    await drawer.getByRole("link", { name: "table 999" }).click();
    await page.waitForURL("**/app/data/many/table/table%20999");
    await drawer.waitFor({ state: "detached" });
  });

  async function exposeAndGrant(schema: string): Promise<void> {
    const { database } = journey.service.test;
    await journey.service.administer("GET", "/resources?limit=1");
    await database.query(
      "update system.resources set exposed_methods = '{GET}' where schema_name = $1",
      [schema],
    );
    await database.query(
      `insert into system.grants (role_id, resource_id, action, all_fields)
       select $1::uuid, id, 'READ', true from system.resources where schema_name = $2`,
      [journey.roleId, schema],
    );
  }
});
