// Tier: long. Starts a browser; of this page, `all` has the screens.
import { readFile } from "node:fs/promises";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openAdministration } from "../src/administration-screens.ts";
import { closeWindows, hasChromium, openChromium } from "../src/chromium.ts";
import { enter } from "../src/people.ts";
import { type BrowserService, startBrowserService } from "../src/service.ts";
import { openPage } from "../src/watched-page.ts";

type Json = Readonly<Record<string, unknown>>;

describe.runIf(hasChromium())("the graph of a workflow", () => {
  let service: BrowserService;
  let browser: Browser;
  let session: string;
  let executeAs = "";
  let created = 0;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startBrowserService(), openChromium()]);
    const [role] = (await service.administer("GET", "/roles?search=administrators")) as {
      id: string;
    }[];
    session = await enter(service, "ida@example.com", "Ida", role?.id ?? "");
    const [user] = (await service.administer("GET", "/users?search=ida")) as { id: string }[];
    executeAs = user?.id ?? "";
  });
  afterAll(async () => {
    await closeWindows(browser);
    await service.stop();
  });

  const note = (id: string, more: object = {}) => ({
    ...{ id, kind: "setValues", values: { text: id }, ...more },
  });
  const usual = [
    note("first"),
    {
      ...{ id: "fork", kind: "condition", expression: "start.data.x == 1" },
      // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
      then: [note("yes")],
      else: [note("no")],
    },
    note("last"),
  ];

  async function create(steps: readonly object[]): Promise<string> {
    created += 1;
    const { id } = (await service.administer("POST", "/workflows", {
      ...{ slug: `graph-${created}`, name: `Graph ${created}` },
      definition: { trigger: { kind: "manual", executeAs }, steps },
    })) as { id: string };
    return id;
  }
  const stepsOf = async (id: string) =>
    ((await service.administer("GET", `/workflows/${id}`)) as { definition: { steps: Json[] } })
      .definition.steps;
  const idsOf = async (id: string) => (await stepsOf(id)).map((step) => step.id);

  /** Runs a journey on a page of its own. Faults of the page fail it. */
  async function visit(path: string, journey: (page: Page, graph: Locator) => Promise<void>) {
    const { page, faults, close } = await openPage(browser, service.url);
    await openAdministration(page, session, path);
    await journey(page, page.getByRole("region", { name: "Graph of the steps" }));
    expect(faults).toEqual([]);
    await close();
  }
  const editor = (id: string) => `/admin/workflows/${id}?view=graph`;
  const card = (graph: Locator, name: string) =>
    graph.getByRole("button", { name: new RegExp(`^${name}, `) });
  const hasFocus = (button: Locator) =>
    expect.poll(() => button.evaluate((one) => one === document.activeElement)).toBe(true);
  const choose = async (page: Page, kind: string) => {
    await page.getByRole("combobox", { name: "Find a kind of step" }).waitFor();
    await page.keyboard.type(kind);
    await page.keyboard.press("Enter");
  };
  const save = async (page: Page) => {
    await page.keyboard.press("Control+s");
    await page.getByText("Saved", { exact: true }).waitFor();
  };

  it("the keys follow its lines, add a step, move it, open its form and delete another one", async () => {
    const id = await create(usual);
    await visit(editor(id), async (page, graph) => {
      await card(graph, "Trigger").focus();
      await page.keyboard.press("ArrowDown");
      await hasFocus(card(graph, "first"));
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await hasFocus(card(graph, "yes"));
      await page.keyboard.press("ArrowRight");
      await hasFocus(card(graph, "no"));
      expect(new URL(page.url()).searchParams.get("step")).toBe("no");
      // Behind the step, then out of the branch.
      await page.keyboard.press("+");
      await choose(page, "wait");
      await hasFocus(card(graph, "delay"));
      await page.keyboard.press("Alt+ArrowLeft");
      await hasFocus(card(graph, "delay"));
      await page.keyboard.press("Enter");
      await hasFocus(page.getByRole("textbox", { name: "Id" }));
      await page.getByRole("textbox", { name: "Seconds" }).fill("5");
      await card(graph, "first").click();
      await page.keyboard.press("Delete");
      await card(graph, "first").waitFor({ state: "detached" });
      await hasFocus(card(graph, "fork"));
      await save(page);
    });
    expect(await idsOf(id)).toEqual(["fork", "delay", "last"]);
  });

  it("a press of a line inserts a step, and a card is drawn to another line", async () => {
    const id = await create(usual);
    await visit(editor(id), async (page, graph) => {
      await graph.getByRole("button", { name: "Add a step before fork" }).click();
      await choose(page, "set values");
      await card(graph, "set_values").waitFor();
      await card(graph, "last").scrollIntoViewIfNeeded();
      const from = await card(graph, "last").boundingBox();
      const to = await graph.getByRole("button", { name: "Add a step before yes" }).boundingBox();
      if (from === null || to === null) throw new Error("a card or a line is not shown");
      await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y + 40, { steps: 6 });
      await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 6 });
      await page.mouse.up();
      await graph.getByRole("button", { name: "Add a step behind fork" }).waitFor({
        state: "detached",
      });
      await save(page);
    });
    const steps = await stepsOf(id);
    expect(steps.map((step) => step.id)).toEqual(["first", "set_values", "fork"]);
    // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
    expect(steps[2]).toMatchObject({ then: [{ id: "last" }, { id: "yes" }] });
  });

  it("is enlarged and reduced, printed whole and saved as a drawing with its texts", async () => {
    const id = await create(usual);
    await visit(editor(id), async (page, graph) => {
      const width = () => card(graph, "first").evaluate((one) => one.getBoundingClientRect().width);
      const before = await width();
      await page.getByRole("button", { name: "Enlarge" }).click();
      await expect.poll(width).toBeCloseTo(before * 1.25, 0);
      await graph.hover();
      await page.keyboard.down("Control");
      await page.mouse.wheel(0, 100);
      await page.keyboard.up("Control");
      await expect.poll(width).toBeCloseTo(before, 0);
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Save as SVG" }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(/\.svg$/);
      const svg = await readFile(await download.path(), "utf8");
      expect(svg).toMatch(/^<svg /);
      for (const text of ["first", "fork", "If true", "Set values · text"]) {
        expect(svg).toContain(`>${text}</text>`);
      }
      expect(svg).not.toContain("var(--");
      await page.emulateMedia({ media: "print" });
      const drawing = await graph.locator("svg").first().boundingBox();
      const view = page.viewportSize();
      expect(drawing).toMatchObject({ x: 0, y: 0, width: view?.width, height: view?.height });
      expect(await page.getByRole("button", { name: "Publish…" }).isVisible()).toBe(false);
    });
  });

  it("a step gets a note and is disabled; tree, graph and runs show it, and the run passes over it", async () => {
    const id = await create(usual);
    await visit(editor(id), async (page, graph) => {
      await card(graph, "first").click();
      await page.getByRole("textbox", { name: "Note" }).fill("Only for the spring");
      await graph.getByRole("button", { name: /^first, .*Only for the spring/ }).waitFor();
      await card(graph, "first").click({ button: "right" });
      await page.getByRole("menuitem", { name: "Disable" }).click();
      await graph.getByRole("button", { name: /^first, disabled/ }).waitFor();
      await save(page);
      await page.getByRole("button", { name: "Tree" }).click();
      await page.getByRole("treeitem", { name: /^first disabled/ }).waitFor();
    });
    expect((await stepsOf(id))[0]).toMatchObject({ note: "Only for the spring", disabled: true });
    await service.administer("POST", `/workflows/${id}/publish`);
    await service.administer("POST", `/workflows/${id}/enable`);
    const { run } = (await service.administer("POST", `/workflows/${id}/runs`, { x: 2 })) as {
      run: string;
    };
    await visit(`/admin/workflows/${id}/runs/${run}?view=graph`, async (page, graph) => {
      await graph.getByRole("button", { name: /^End, .*Succeeded/ }).waitFor();
      await graph.getByRole("button", { name: /^first, Set values.*, disabled/ }).waitFor();
      await graph.getByRole("button", { name: /^no, .*, succeeded, / }).waitFor();
      await graph.getByRole("button", { name: /^yes, .*, not reached/ }).click();
      await page.getByRole("heading", { name: /^yes/ }).waitFor();
      await page.keyboard.press("ArrowRight");
      await page.getByRole("heading", { name: /^no/ }).waitFor();
      await page.getByText("Output").waitFor();
    });
  });

  it("a run in progress is followed card by card, and the difference of two versions marks its steps", async () => {
    const id = await create([note("before"), { id: "pause", kind: "delay", seconds: 4 }]);
    await service.administer("POST", `/workflows/${id}/publish`);
    await service.administer("POST", `/workflows/${id}/enable`);
    const { run } = (await service.administer("POST", `/workflows/${id}/runs`, {})) as {
      run: string;
    };
    await visit(`/admin/workflows/${id}/runs/${run}?view=graph`, async (_page, graph) => {
      await graph.getByRole("button", { name: /^pause, .*, waits until / }).waitFor();
      await graph.getByRole("button", { name: /^before, .*, succeeded, / }).waitFor();
      await graph.getByRole("button", { name: /^pause, .*, succeeded, / }).waitFor();
      await graph.getByRole("button", { name: /^End, .*Succeeded/ }).waitFor();
    });
    await service.administer("PATCH", `/workflows/${id}`, {
      definition: {
        trigger: { kind: "manual", executeAs },
        steps: [{ id: "pause", kind: "delay", seconds: 7 }, note("after")],
      },
    });
    const path = `/admin/workflows/${id}/versions?from=1&to=draft&view=graph`;
    await visit(path, async (page, graph) => {
      await graph.getByRole("button", { name: /^before, .*, Removed/ }).waitFor();
      await graph.getByRole("button", { name: /^after, .*, Added/ }).waitFor();
      await graph.getByRole("button", { name: /^pause, .*, Changed/ }).click();
      const changes = page.getByRole("list", { name: "Changes" });
      await changes.getByText("seconds").waitFor();
      expect(new URL(page.url()).searchParams.get("step")).toBe("pause");
    });
  });

  it("an example becomes a draft whose check says what is missing, and an empty draft offers first steps", async () => {
    await visit("/admin/workflows/new", async (page) => {
      await page.getByRole("button", { name: /^Retry a payment/ }).click();
      const dialog = page.getByRole("dialog", { name: "Retry a payment" });
      await dialog.getByText("payments", { exact: true }).waitFor();
      await dialog.getByText("PAYMENT_KEY").waitFor();
      await expect.poll(() => dialog.getByText("missing", { exact: true }).count()).toBe(2);
      await dialog.getByRole("button", { name: "Create" }).click();
      await page.getByRole("treeitem", { name: /^charge/ }).waitFor();
      await page.getByRole("button", { name: /fault/ }).click();
      await page
        .getByText(/PAYMENT_KEY/)
        .first()
        .waitFor();
    });
    await visit("/admin/workflows/new", async (page) => {
      await page.getByRole("button", { name: /^By hand/ }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("My first one");
      await page.getByRole("button", { name: "Create", exact: true }).click();
      const first = page.getByRole("region", { name: "What happens first?" });
      await first.getByRole("button", { name: "Send a mail" }).click();
      await page.getByRole("treeitem", { name: /^send_email/ }).waitFor();
      await first.waitFor({ state: "detached" });
    });
  });
});
