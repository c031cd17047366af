// The pages in a real browser: what the first pages load, time from a response to its rows on the screen, long tasks while
// scrolling, and the time until the service is ready.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import postgres from "postgres";
import { printPagePath } from "./page-path.mjs";
import { atEnd, median, start, startDatabase, untilAnswers } from "./processes.mjs";
import { administrator, signIn } from "./world.mjs";

const columnCount = 40;
const executablePath = process.env.ROWHOUSE_CHROMIUM ?? "/usr/bin/chromium";
const args = ["--headless", "--no-sandbox", "--disable-gpu"];
const viewport = { width: 1440, height: 900 };

export async function benchConsole({ rounds, rows }) {
  const databaseUrl = process.env.DATABASE_URL ?? (await startDatabase());
  const folder = mkdtempSync(join(tmpdir(), "rowhouse-bench-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const environment = {
    DATABASE_URL: databaseUrl,
    ROWHOUSE_DATA_DIR: folder,
    ROWHOUSE_ADMIN_EMAIL: administrator.email,
    ROWHOUSE_ADMIN_PASSWORD: administrator.password,
    LOG_LEVEL: "error",
  };
  const first = await timedStart(environment);
  await first.service.stop();
  const { service, milliseconds: warm } = await timedStart(environment);
  console.log(`first start         ${Math.round(first.milliseconds)} ms`);
  console.log(`warm start          ${Math.round(warm)} ms`);
  await createTables(databaseUrl, rows);
  const session = await expose(service.url);
  const browser = await chromium.launch({ executablePath, args });
  atEnd(() => browser.close());
  const openPage = async () => {
    const context = await browser.newContext({ baseURL: service.url, viewport });
    return { page: await context.newPage(), close: () => context.close() };
  };
  const newcomer = await openPage();
  await printPagePath(newcomer.page, "screen/table/rows_50");
  await newcomer.close();
  for (const name of ["rows_50", "rows_1000"]) {
    const times = [];
    for (let round = 0; round <= rounds; round += 1) {
      const { page, close } = await openPage();
      times.push(await timeToPaint(page, session, name));
      await close();
    }
    console.log(
      `paint of ${name.padEnd(10)} ${Math.round(median(times.slice(1)))} ms after the response (aim: 100 or less)`,
    );
  }
  await printFilterTimes(openPage, session, rounds);
  await printLongTasks(openPage, session, rows);
}

async function timedStart(environment) {
  const from = performance.now();
  const service = await start("../../../apps/standalone/dist/main.js", environment);
  await untilAnswers(`${service.url}/readyz`);
  return { service, milliseconds: performance.now() - from };
}

async function createTables(databaseUrl, rows) {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  const names = Array.from({ length: columnCount - 1 }, (_, number) => `column_${number + 1}`);
  const table = (name, count) => `
    create table screen.${name} (id int primary key, ${names.map((one) => `${one} text`).join()});
    insert into screen.${name} select n, ${names.map((_one, number) => `'value ' || n * ${number + 1}`).join()}
      from generate_series(1, ${count}) n;`;
  await sql.unsafe(`drop schema if exists screen cascade; create schema screen;
    ${table("rows_50", 50)} ${table("rows_1000", 1000)} ${table("many", rows)} analyze`);
  await sql.end();
}

async function expose(url) {
  const token = await signIn(url, administrator);
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const listed = await fetch(`${url}/admin/api/resources?schema=screen`, { headers });
  for (const { id } of (await listed.json()).data) {
    const body = JSON.stringify({ data: { exposedMethods: ["GET"] } });
    await fetch(`${url}/admin/api/resources/${id}`, { method: "PATCH", headers, body });
  }
  return JSON.stringify({ token, user: { id: "", email: administrator.email, name: "Bench" } });
}

/** Opens the rows of a table without waiting for them. */
async function openRows(page, session, name) {
  await page.addInitScript((kept) => sessionStorage.setItem("rowhouse.session", kept), session);
  await page.goto(`/app/data/screen/table/${name}`);
}

/** Milliseconds from the end of the response to the frame that shows its rows. */
async function timeToPaint(page, session, name) {
  await page.addInitScript(() => {
    const watch = () => {
      if (document.querySelector('[role="gridcell"][data-column="0"]') === null) {
        requestAnimationFrame(watch);
        return;
      }
      // The frame after the one that has the rows.
      requestAnimationFrame(() => {
        globalThis.paintedAt = performance.now();
      });
    };
    watch();
  });
  await openRows(page, session, name);
  await page.waitForFunction(() => globalThis.paintedAt !== undefined);
  return page.evaluate((path) => {
    const [list] = performance
      .getEntriesByType("resource")
      .filter((entry) => new URL(entry.name).pathname === path);
    return globalThis.paintedAt - list.responseEnd;
  }, `/api/screen/table/${name}`);
}

/** Filters an open table again and again, and prints the time from each response to the frame that shows its rows. */
async function printFilterTimes(openPage, session, rounds) {
  const { page, close } = await openPage();
  await openRows(page, session, "rows_1000");
  await page.locator('[role="gridcell"]').first().waitFor();
  const times = [];
  for (let round = 0; round < 3 * rounds; round += 1) {
    times.push(
      await page.evaluate(async (from) => {
        const cell = () =>
          document.querySelector('[role="gridcell"][data-column="0"]')?.textContent;
        const answers = () =>
          performance
            .getEntriesByType("resource")
            .filter(({ name }) => name.includes("/rows_1000?"));
        const before = answers().length;
        const where = encodeURIComponent(JSON.stringify({ id: { _gte: from } }));
        history.pushState(null, "", `${location.pathname}?where=${where}`);
        dispatchEvent(new PopStateEvent("popstate"));
        const frame = () => new Promise((done) => requestAnimationFrame(done));
        while (cell() !== String(from)) await frame();
        await frame();
        const paintedAt = performance.now();
        return paintedAt - answers()[before].responseEnd;
      }, 100 + round),
    );
  }
  console.log(
    `filter              ${Math.round(median(times.slice(1)))} ms after the response (aim: 50 or less)`,
  );
  await close();
}

/** Loads all rows by scrolling, then scrolls over them in both directions and counts tasks over 50 ms. */
async function printLongTasks(openPage, session, rows) {
  const { page, close } = await openPage();
  await openRows(page, session, "many");
  await page.locator('[role="gridcell"]').first().waitFor();
  await page.waitForFunction(
    (wanted) => {
      const grid = document.querySelector('[role="grid"]');
      grid.scrollTop = grid.scrollHeight;
      return grid.scrollHeight >= wanted * 30 && grid.scrollHeight < (wanted + 3) * 30;
    },
    rows,
    { polling: 20, timeout: 600_000 },
  );
  const { tasks, frames } = await page.evaluate(async () => {
    const grid = document.querySelector('[role="grid"]');
    const tasks = [];
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) tasks.push(Math.round(entry.duration));
    });
    observer.observe({ type: "longtask" });
    grid.scrollTop = 0;
    let frames = 0;
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    for (let step = 0; step < 600; step += 1) {
      grid.scrollTop += step % 100 === 99 ? grid.scrollHeight / 8 : 170;
      grid.scrollLeft = Math.abs(((step * 60) % 8000) - 4000);
      await frame();
      frames += 1;
    }
    observer.disconnect();
    return { tasks, frames };
  });
  console.log(
    `scrolling           ${rows} rows of ${columnCount} columns, ${frames} frames: ${tasks.length} tasks over 50 ms${tasks.length === 0 ? "" : ` (longest ${Math.max(...tasks)} ms)`} (aim: 0)`,
  );
  await close();
}
