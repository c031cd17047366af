// Tier: long. Starts a browser; of this page, `all` has the screens.
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { runSql } from "../src/sql-screens.ts";
import { prepareJourney, tabTo } from "./journey.ts";

describe.runIf(hasChromium())("the SQL console", () => {
  const journey = prepareJourney();
  const { open, createPerson, signInAt } = journey;

  beforeAll(async () => {
    const { service } = journey;
    await createPerson("boss@example.com");
    const [users, roles] = (await Promise.all([
      service.administer("GET", "/users?search=boss@example.com"),
      service.administer("GET", "/roles?search=administrators"),
    ])) as { readonly id: string }[][];
    await service.administer("POST", `/roles/${roles?.[0]?.id}/members`, {
      userId: users?.[0]?.id,
    });
    await service.test.database.query(`
      create schema yard;
      create table yard.boats (id int primary key, name text, price numeric);
      insert into yard.boats values (1, 'Ærø', 12345678901234567890.10), (2, '', null)`);
  });

  async function openConsole(): Promise<Page> {
    const { page } = await open();
    await signInAt(page, "boss@example.com");
    await page.goto("/admin/sql");
    await page.locator(".cm-content").waitFor();
    return page;
  }

  /** The text of the cells of a result. */
  const cellsOf = (page: Page, result: number) =>
    page
      .getByRole("table", { name: `Rows of result ${result}` })
      .locator("td")
      .allTextContents();

  async function countBoats(): Promise<number> {
    const { database } = journey.service.test;
    return (await database.query("select 1 from yard.boats")).length;
  }

  it("statements run, fail at their place, are explained and cancelled by the keyboard alone", async () => {
    const page = await openConsole();
    await runSql(page, "select * from yard.boats order by id; select 1 as one");
    await page.getByText("2 statements in").waitFor();
    expect(await cellsOf(page, 1)).toEqual([
      ...["1", "Ærø", "12345678901234567890.10"],
      ...["2", "empty text", "NULL"],
    ]);
    expect(await cellsOf(page, 2)).toEqual(["1"]);
    await runSql(page, "select 1; select nope from yard.boats");
    await page.getByText('Statement 2: column "nope" does not exist').waitFor();
    await page.getByText("SQLSTATE: 42703").waitFor();
    expect(await page.locator(".cm-lintRange-error").textContent()).toBe("nope");
    await runSql(page, "select name from yard.boats order by price");
    await page.getByRole("table").waitFor();
    await tabTo(page, "button", "Explain");
    await page.keyboard.press("Enter");
    const plan = page.getByRole("region", { name: "Plan" });
    await plan.getByText("costs most").waitFor();
    await plan.getByText("Seq Scan").waitFor();
    await plan.getByText("Sort Key").waitFor();
    await runSql(page, "select pg_sleep(9)");
    await tabTo(page, "button", "Cancel the run");
    await page.keyboard.press("Enter");
    await page.getByText("The run was cancelled. Nothing of it remains.").waitFor();
  });

  it("the selection alone runs, and a statement that changes rows runs only after a question", async () => {
    const page = await openConsole();
    await runSql(page, "delete from yard.boats where id = 2");
    const asking = page.getByRole("dialog", { name: "Run statements that change data?" });
    await asking.getByText("cannot execute DELETE in a read-only transaction").waitFor();
    expect(await countBoats()).toBe(2);
    await tabTo(page, "button", "Cancel");
    await page.keyboard.press("Enter");
    await asking.waitFor({ state: "detached" });
    await page.locator(".cm-content").focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.insertText("; select 7");
    for (let press = 0; press < 8; press += 1) await page.keyboard.press("Shift+ArrowLeft");
    await page.keyboard.press("Control+Enter");
    await page.getByText("1 statement in").waitFor();
    expect(await cellsOf(page, 1)).toEqual(["7"]);
    expect(await countBoats()).toBe(2);
    await page.keyboard.press("Control+End");
    await page.keyboard.press("Control+Enter");
    await asking.waitFor();
    await tabTo(page, "button", "Run and commit");
    await page.keyboard.press("Enter");
    await page.getByText("changes committed").waitFor();
    await page.getByText("1 row changed").waitFor();
    expect(await countBoats()).toBe(1);
  });

  it("names of the catalogue are completed", async () => {
    const page = await openConsole();
    await page.locator(".cm-content").focus();
    await page.keyboard.type("select * from yard.");
    // The list takes no key in its first moments.
    await page.getByRole("option", { name: "boats" }).click();
    await page.locator(".cm-content", { hasText: "yard.boats" }).waitFor();
    await page.keyboard.type(" b where b.pr");
    await page.getByRole("option", { name: "price" }).waitFor();
  });

  it("history, saved statements and the text of the editor stay in the browser of their person", async () => {
    const page = await openConsole();
    await runSql(page, "select 'kept' as word");
    await page.getByText("1 statement in").waitFor();
    await page.getByRole("button", { name: "Saved statements" }).click();
    await page.getByLabel("Save the text of the editor as").fill("Mine");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Delete Mine" }).waitFor();
    await page.keyboard.press("Escape");
    await runSql(page, "select 2 as other");
    await page.getByText("1 statement in").waitFor();
    await page.reload();
    await page.getByText("select 2 as other").waitFor();
    await page.getByRole("button", { name: "History" }).click();
    await page.getByRole("button", { name: "select 'kept' as word" }).click();
    await page.locator(".cm-content", { hasText: "select 'kept' as word" }).waitFor();
    await page.locator(".cm-content").focus();
    await page.keyboard.press("Control+Enter");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save result 1 as CSV" }).click();
    expect(await readFile(await (await download).path(), "utf8")).toBe("word\r\nkept\r\n");
  });

  it("tabs keep their names and texts over a reload, and close after a question only, by the keyboard", async () => {
    const page = await openConsole();
    const editor = page.locator(".cm-content");
    await editor.focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("select 'first'");
    await page.getByRole("button", { name: "New tab" }).press("Enter");
    expect(await page.getByRole("tab").allTextContents()).toEqual(["Query 1", "Query 2"]);
    await editor.focus();
    await page.keyboard.insertText("select 'second'");
    await page.getByRole("tab", { name: "Query 2" }).press("F2");
    await page.getByRole("dialog").getByLabel("Name").fill("Report");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "Report", selected: true }).waitFor();
    await page.reload();
    await page.locator(".cm-content", { hasText: "select 'second'" }).waitFor();
    await page.getByRole("tab", { name: "Report" }).press("ArrowLeft");
    await page.locator(".cm-content", { hasText: "select 'first'" }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Query 1");
    // The selection of a tab is not that of another one: all of the text runs.
    await page.keyboard.press("ArrowRight");
    await editor.focus();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("cell", { name: "second" }).waitFor();
    const answers = [false, true];
    page.on("dialog", (dialog) => void (answers.shift() ? dialog.accept() : dialog.dismiss()));
    await page.getByRole("tab", { name: "Report" }).press("Delete");
    expect(await page.getByRole("tab").count()).toBe(2);
    await page.getByRole("tab", { name: "Report" }).press("Delete");
    await page.getByRole("tab", { name: "Report" }).waitFor({ state: "detached" });
    await page.locator(".cm-content", { hasText: "select 'first'" }).waitFor();
  });

  it("a table of the list beside the editor is put at the cursor, quoted where necessary", async () => {
    await journey.service.test.database.query('create table yard."Old Boats" (id int)');
    const page = await openConsole();
    await page.getByRole("button", { name: "New tab" }).click();
    await page.locator(".cm-content").focus();
    await page.keyboard.insertText("select 1 from  where true");
    for (let press = 0; press < 11; press += 1) await page.keyboard.press("ArrowLeft");
    const list = page.getByRole("region", { name: "Tables" });
    await list.getByRole("button", { name: "yard" }).press("ArrowRight");
    expect(await list.getByRole("button", { name: "yard" }).getAttribute("aria-expanded")).toBe(
      "true",
    );
    await list.getByRole("button", { name: "Old Boats" }).press("Enter");
    // The editor has the focus again, behind the name.
    await page.keyboard.insertText(" as old");
    const text = 'select 1 from yard."Old Boats" as old where true';
    await expect.poll(() => page.locator(".cm-content").textContent()).toBe(text);
  });
});
