import type { Page } from "playwright-core";
import { onUntriedServer, openAdministration } from "./administration-screens.ts";
import type { People } from "./people.ts";
import type { Screen } from "./screen.ts";

/** Types statements into the SQL console and runs them. */
export async function runSql(page: Page, text: string): Promise<void> {
  const editor = page.locator(".cm-content");
  await editor.focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+Enter");
}

const typical = `select 12345678901234567890.10 as amount, null as nothing, ''::text as empty, 'Ærø' as name,
  '{"a": [1, 2.50]}'::jsonb as document
from generate_series(1, 12);
select count(*) from fleet.vehicles`;

const overfull = `select ${Array.from({ length: 40 }, (_, at) => `repeat('long ', 80) as "column ${at} with a long name"`).join(", ")}
from generate_series(1, 1200)`;

const joined = `select v.plate, count(*) from fleet.vehicles v join fleet.trips t on t.id = v.id
where v.plate like 'A%' group by v.plate order by 2 desc`;

export function sqlScreens({ administrator }: People): Screen[] {
  const open = (page: Page) => openAdministration(page, administrator, "/admin/sql");
  const run = (text: string, end: string) => async (page: Page) => {
    await open(page);
    await runSql(page, text);
    await page.locator(end).first().waitFor();
  };
  return [
    { name: "sql", show: open },
    { name: "sql-untried-server", show: onUntriedServer(open) },
    {
      name: "sql-tabs",
      show: async (page) => {
        await open(page);
        await page.locator("main button:has(.lucide-plus)").click();
        await page.locator("main section button[aria-expanded]").first().waitFor();
        // On a phone the list is closed.
        if ((await page.locator("main section li button").count()) === 0) {
          await page.locator("main section button[aria-expanded]").first().click();
        }
        await page.locator("main section li button[aria-expanded=false]").first().click();
        await page.locator("main section li li button").first().click();
      },
    },
    { name: "sql-typical", show: run(typical, "main table") },
    { name: "sql-overfull", show: run(overfull, "main table") },
    { name: "sql-fault", show: run("select 1;\nselect nope from fleet.vehicles", "[role=alert]") },
    { name: "sql-write", show: run("delete from fleet.trips", "dialog") },
    {
      name: "sql-plan",
      show: async (page) => {
        await run(joined, "main table")(page);
        // Disabled until the run has ended.
        await page.locator("main button").nth(1).click();
        await page.locator("main section > ul").waitFor();
      },
    },
  ];
}
