// Tier: long. Starts a browser.
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../src/chromium.ts";
import { administratorId, callWebhook, createWorkflow } from "../src/workflows.ts";
import { prepareJourney, tabTo } from "./journey.ts";

type Named = { readonly id: string };
type RunRecord = Named & {
  readonly status: string;
  readonly test: { readonly effects: string } | null;
  readonly againOf: { readonly runId: string; readonly from: string | null } | null;
};

describe.runIf(hasChromium())("the pages of runs", () => {
  const journey = prepareJourney();
  const { open, createPerson, signInAt } = journey;
  const administer = (method: string, path: string, data?: unknown) =>
    journey.service.administer(method, path, data);
  let executeAs = "";
  let visits = "";

  beforeAll(async () => {
    const { service } = journey;
    const found = (await administer("GET", "/roles?search=administrators")) as Named[];
    await createPerson("boss@example.com");
    const users = (await administer("GET", "/users?search=boss")) as Named[];
    await administer("POST", `/roles/${found[0]?.id}/members`, { userId: users[0]?.id });
    executeAs = await administratorId(service);
    await service.test.database.query(
      "create table visits (id bigint generated always as identity primary key, cost numeric(8, 2) not null check (cost < 500))",
    );
    const [table] = (await administer("GET", "/resources?schema=public&search=visits")) as Named[];
    await administer("PATCH", `/resources/${table?.id}`, { exposedMethods: ["GET", "POST"] });
    const row = (id: string, cost: string) => ({
      ...{ id, kind: "createRow", table: "visits", values: { cost } },
    });
    visits = await createWorkflow(service, "visits", "Visits", {
      trigger: { kind: "webhook", access: "PUBLIC", executeAs },
      steps: [
        { id: "first", kind: "setValues", values: { cost: "{{start.data.body.cost}}" } },
        {
          ...{ id: "each", kind: "forEach", items: "{{start.data.body.parts}}" },
          steps: [{ ...row("part", "{{item}}"), onError: "continue" }],
        },
        row("whole", "{{vars.cost}}"),
        { id: "end", kind: "finish", result: "{{steps.whole.id}}" },
      ],
    });
  });

  async function openAt(path: string): Promise<Page> {
    const { page } = await open();
    await signInAt(page, "boss@example.com");
    await page.goto(path);
    return page;
  }

  const call = (cost: unknown, parts: readonly number[]) =>
    callWebhook(journey.service, "visits", { cost, parts });
  const countVisits = async () => {
    const [row] = await journey.service.test.database.query<{ count: number }>(
      "select count(*)::integer as count from visits",
    );
    return row?.count ?? -1;
  };
  const newest = async (query: string): Promise<RunRecord> => {
    const [run] = (await administer(
      "GET",
      `/workflows/${visits}/runs?limit=1&${query}`,
    )) as RunRecord[];
    if (run === undefined) throw new Error(`No run has ${query}`);
    return run;
  };
  /** Replaces the text of an editor as a person does. */
  const typeCode = async (page: Page, name: string, text: string) => {
    await page.getByRole("textbox", { name }).click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(text);
  };
  const item = (page: Page, name: string | RegExp) => page.getByRole("treeitem", { name });

  it("a failed run leads to its step, what differs from the last good run, and back from there", async () => {
    await call(99.5, [1]);
    const failed = await call(899.5, [1]);
    const page = await openAt("/admin/workflows/runs");
    await page.getByLabel("Status").selectOption({ label: "Failed" });
    await page.waitForURL("**/admin/workflows/runs?status=FAILED");
    await page.getByRole("button", { name: "CHECK_VIOLATION" }).first().click();
    await page.waitForURL("**errorCode=CHECK_VIOLATION**");
    await page.getByRole("row").nth(1).getByRole("link").first().click();
    await page.waitForURL(`**/runs/${failed}`);
    const error = page.getByRole("region", { name: "Error" });
    await error.getByText("CHECK_VIOLATION").waitFor();
    expect(await error.getByRole("link", { name: "Edit this step" }).getAttribute("href")).toBe(
      `/admin/workflows/${visits}?step=whole`,
    );
    expect(await item(page, /^whole/).getAttribute("aria-selected")).toBe("true");
    await item(page, /^end Finish/)
      .getByText("not reached")
      .waitFor();
    await page.getByRole("button", { name: "Last good run" }).click();
    const differs = page.getByRole("row", { name: /values\.cost/ });
    await differs.waitFor();
    expect((await differs.textContent())?.replaceAll(/\s/g, "")).toBe("values.cost99.5899.5");
    await page.reload();
    await differs.waitFor();
  });

  it("the tree goes by the keyboard alone, and a loop lists its failed items first", async () => {
    const run = await call(1, [1, 900, 3]);
    const page = await openAt(`/admin/workflows/${visits}/runs/${run}`);
    await item(page, /Start/).waitFor();
    await page.getByRole("tree").focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowRight", "ArrowDown", "ArrowRight"]) {
      await page.keyboard.press(key);
    }
    await page.keyboard.press("ArrowDown");
    await page.waitForURL("**step=each.1.part");
    await page.getByRole("region", { name: "Error" }).getByText("CHECK_VIOLATION").waitFor();
    const keys = page
      .getByRole("treeitem")
      .evaluateAll((rows) => rows.map((row) => row.getAttribute("data-key")));
    expect(await keys).toEqual([
      ...["@start", "first", "each", "each.1", "each.1.part", "each.0", "each.2"],
      ...["whole", "end", "@end"],
    ]);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await item(page, /Item 1/)
      .and(page.locator("[aria-expanded=false]"))
      .waitFor();
    await page.keyboard.press("End");
    await page.getByRole("region", { name: "Result", exact: true }).waitFor();
  });

  it("a run is repeated from a step with what came before it, and its input becomes a sample", async () => {
    const failed = await call(700, [1]);
    const page = await openAt(`/admin/workflows/${visits}/runs/${failed}`);
    const before = await countVisits();
    await page.getByRole("button", { name: "Again from here" }).click();
    const dialog = page.getByRole("dialog", { name: "Again from whole" });
    await dialog.getByRole("button", { name: "Start" }).click();
    await page.waitForURL((url) => !url.pathname.includes(failed));
    await page.getByRole("heading", { name: /Workflows/ }).waitFor();
    await page.getByText("Failed", { exact: true }).first().waitFor();
    const again = await newest("origin=AGAIN");
    expect(again.againOf).toEqual({ runId: failed, from: "whole" });
    expect(await countVisits()).toBe(before);
    await page.getByRole("button", { name: "Save input as sample" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Too dear");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const samples = await administer("GET", `/workflows/${visits}/samples`);
    expect(samples).toMatchObject([{ name: "Too dear", runId: again.id }]);
  });

  it("a test without harm shows what would be written, writes nothing, and its outputs become mocks", async () => {
    const page = await openAt(`/admin/workflows/${visits}/test`);
    const before = await countVisits();
    await typeCode(page, "Input", '{"body": {"cost": 5, "parts": [}}');
    await page.getByText("This is no JSON: see line 1.").first().waitFor();
    await typeCode(page, "Input", '{"body": {"cost": 900, "parts": [1]}}');
    await page.getByRole("button", { name: "Run test" }).click();
    const result = page.getByRole("region", { name: "Result of the test" });
    await result.getByText("CHECK_VIOLATION").waitFor();
    expect(await countVisits()).toBe(before);
    expect((await newest("origin=TEST")).test).toMatchObject({ effects: "NONE" });
    await result.getByRole("button", { name: "Use as mock" }).click();
    await typeCode(page, "Mock of whole", '{"id": "17"}');
    await page.getByRole("button", { name: "Run test" }).click();
    await result.getByText("Succeeded", { exact: true }).first().waitFor();
    await item(page, /^whole/)
      .getByText("mock")
      .waitFor();
    await item(page, /^whole/).click();
    await result.getByRole("button", { name: "Pin as example" }).click();
    await page.getByRole("button", { name: "Unpin whole" }).waitFor();
    await page.getByRole("button", { name: "Remove the mock of whole" }).click();
    await page.getByRole("button", { name: "Unpin whole" }).click();
    await page.getByRole("button", { name: "Unpin whole" }).waitFor({ state: "detached" });
    await page.getByLabel("Until").selectOption("first");
    await page.getByRole("button", { name: "Run test" }).click();
    await result.getByText("Succeeded", { exact: true }).first().waitFor();
    await item(page, /^whole/)
      .getByText("not reached")
      .waitFor();
    expect(await countVisits()).toBe(before);
  });

  it("the next real call becomes the input of a test", async () => {
    const page = await openAt(`/admin/workflows/${visits}/test`);
    await page.getByRole("button", { name: "Listen for a call" }).click();
    await page.getByText("The next call becomes the input.").waitFor();
    // The page remembers the newest call before it listens.
    await page.waitForTimeout(500);
    await call(12.25, [4]);
    await page.getByRole("button", { name: "Listen for a call" }).waitFor();
    const text = await page.getByRole("textbox", { name: "Input" }).textContent();
    expect(text).toContain("12.25");
  });

  it("a run in progress is followed without a reload, and canceled", async () => {
    const { service } = journey;
    const waiting = await createWorkflow(service, "waits", "Waits", {
      trigger: { kind: "manual", executeAs },
      steps: [
        { id: "short", kind: "delay", seconds: 2 },
        { id: "long", kind: "delay", seconds: 3600 },
        { id: "end", kind: "finish", result: null },
      ],
    });
    const started = (await administer("POST", `/workflows/${waiting}/runs`, null)) as {
      readonly run: string;
    };
    const page = await openAt(`/admin/workflows/${waiting}/runs/${started.run}`);
    await item(page, /short/).getByText("succeeded").waitFor();
    await item(page, /long/)
      .getByText(/waits until/)
      .waitFor();
    await page.getByRole("button", { name: "Cancel the run" }).click();
    await page.getByText("Canceled", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Run again" }).waitFor();
  });

  it("a workflow that is started by hand offers a real run beside the test", async () => {
    const { service } = journey;
    const byHand = await createWorkflow(service, "by-hand", "By hand", {
      trigger: { kind: "manual", executeAs },
      steps: [{ id: "end", kind: "finish", result: "{{start.data.name}}" }],
    });
    const page = await openAt(`/admin/workflows/${byHand}/test`);
    await typeCode(page, "Input", '{"name": "Ada"}');
    await tabTo(page, "button", "Run production");
    await page.keyboard.press("Enter");
    const result = page.getByRole("region", { name: "Result of the test" });
    await result.getByText("Succeeded", { exact: true }).first().waitFor();
    const runs = (await administer("GET", `/workflows/${byHand}/runs`)) as {
      readonly origin: string;
    }[];
    expect(runs.map(({ origin }) => origin)).toEqual(["MANUAL"]);
    await page.goto(`/admin/workflows/${visits}/test`);
    await page.getByRole("button", { name: "Run test" }).waitFor();
    expect(await page.getByRole("button", { name: "Run production" }).count()).toBe(0);
  });

  it("a run of 20,000 steps draws the rows in sight only, and reaches each of them", async () => {
    const { service } = journey;
    const large = await createWorkflow(service, "large", "Large", {
      trigger: { kind: "webhook", access: "PUBLIC", executeAs },
      steps: [
        {
          ...{ id: "each", kind: "forEach", items: "{{start.data.body.items}}" },
          steps: [
            { id: "one", kind: "setValues", values: { n: "{{item}}" } },
            { id: "two", kind: "setValues", values: { n: "{{item}}" } },
          ],
        },
        { id: "end", kind: "finish", result: null },
      ],
    });
    const run = await callWebhook(service, "large", { items: [] });
    const items = JSON.stringify({ body: { items: Array.from({ length: 9999 }, (_, n) => n) } });
    await service.test.database.query(
      "update system.workflow_runs set input = $2::text::json where id = $1::text::uuid",
      [run, items],
    );
    // As 9,999 items of two steps leave them, one of them failed.
    await service.test.database.query(
      `insert into system.workflow_run_steps (run_id, path, position, kind, status, output, fence, started_at, finished_at)
       select $1::text::uuid, 'each.' || n || '.' || id, n * 2 + 1, 'setValues',
         case when n = 7000 and id = 'two' then 'FAILED' else 'SUCCEEDED' end, '{}', 1, now(), now()
       from generate_series(0, 9998) n, unnest(array['one', 'two']) id`,
      [run],
    );
    const { page } = await open();
    await signInAt(page, "boss@example.com");
    await page.evaluate(() => {
      const found = window as unknown as { tasks: number[] };
      found.tasks = [];
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) found.tasks.push(Math.round(duration));
      }).observe({ entryTypes: ["longtask"] });
    });
    await page.evaluate((path) => {
      history.pushState(null, "", path);
      dispatchEvent(new PopStateEvent("popstate"));
    }, `/admin/workflows/${large}/runs/${run}`);
    await item(page, /each/).getByText("9,999 items, 1 failed").first().waitFor();
    const tree = page.getByRole("tree");
    await tree.focus();
    for (const key of ["ArrowDown", "ArrowRight", "ArrowDown", "ArrowRight"]) {
      await page.keyboard.press(key);
    }
    await item(page, /Item 7000/).waitFor();
    for (const key of ["End", "PageUp", "PageUp", "ArrowUp", "Home", "End", "ArrowUp", "ArrowUp"]) {
      await page.keyboard.press(key);
    }
    await item(page, /Item 9998/).waitFor();
    expect(await page.getByRole("treeitem").count()).toBeLessThan(80);
    const tasks = await page.evaluate(() => (window as unknown as { tasks: number[] }).tasks);
    console.log(`long tasks of a run of 20,000 steps, in milliseconds: ${tasks.join(" ")}`);
  });
});
