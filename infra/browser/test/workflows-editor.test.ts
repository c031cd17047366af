// Tier: long. Starts a browser; of this page, `all` has the screens.
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openAdministration } from "../src/administration-screens.ts";
import { closeWindows, hasChromium, openChromium } from "../src/chromium.ts";
import { enter } from "../src/people.ts";
import { type BrowserService, startBrowserService } from "../src/service.ts";
import { openPage } from "../src/watched-page.ts";
import { tabTo } from "./journey.ts";

interface StepNode {
  readonly id: string;
  readonly kind: string;
  readonly [name: string]: unknown;
}

describe.runIf(hasChromium())("the editor of a workflow", () => {
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

  // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
  const thenOf = (steps: readonly object[]) => ({ then: steps });
  const branch = {
    ...{ id: "known", kind: "condition", expression: "true", else: [] },
    ...thenOf([{ id: "note", kind: "setValues", values: { x: "{{steps.wait}}" } }]),
  };
  const usual = [
    { id: "wait", kind: "delay", seconds: 1 },
    branch,
    { id: "end", kind: "finish", result: "{{steps.wait ?? null}}" },
  ];

  async function create(steps: readonly object[]): Promise<string> {
    created += 1;
    const { id } = (await service.administer("POST", "/workflows", {
      ...{ slug: `flow-${created}`, name: `Flow ${created}` },
      definition: { trigger: { kind: "manual", executeAs }, steps },
    })) as { id: string };
    return id;
  }
  const stepsOf = async (id: string) =>
    ((await service.administer("GET", `/workflows/${id}`)) as { definition: { steps: StepNode[] } })
      .definition.steps;
  const idsOf = async (id: string) => (await stepsOf(id)).map((step) => step.id);

  /** Runs a journey on a page of its own. Faults of the page fail it. */
  async function visit(
    id: string,
    search: string,
    journey: (page: Page, tree: Locator) => Promise<void>,
  ): Promise<void> {
    const { page, faults, close } = await openPage(browser, service.url);
    await openAdministration(page, session, `/admin/workflows/${id}${search}`);
    await page.getByText("No faults").waitFor();
    await journey(page, page.getByRole("tree", { name: "Steps", exact: true }));
    expect(faults).toEqual([]);
    await close();
  }
  const row = (page: Page, name: string) =>
    page.getByRole("treeitem", { name: new RegExp(`^${name}\\b`) });
  const rowTexts = (tree: Locator) =>
    tree
      .getByRole("treeitem")
      .evaluateAll((rows) => rows.map((one) => one.getAttribute("data-key") ?? ""));
  const isSaved = (page: Page) => page.getByText("Saved", { exact: true }).waitFor();
  const code = (page: Page) => page.getByRole("textbox", { name: "Code" });
  const typeCode = async (page: Page, text: string) => {
    await code(page).click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(text);
  };

  it("steps are added, chosen, moved, copied and deleted with the keyboard alone, and saved", async () => {
    const id = await create(usual);
    await visit(id, "", async (page, tree) => {
      for (let press = 0; press < 60; press += 1) {
        if (await tree.evaluate((element) => element === document.activeElement)) break;
        await page.keyboard.press("Tab");
      }
      // The place at the end of the tree.
      await page.keyboard.press("End");
      await page.keyboard.press("Enter");
      await page.getByRole("combobox", { name: "Find a kind of step" }).waitFor();
      await page.keyboard.type("fail");
      await page.keyboard.press("Enter");
      await row(page, "fail").waitFor();
      expect(new URL(page.url()).searchParams.get("step")).toBe("fail");
      // Up past the end, and into the last list of the branch.
      await page.keyboard.press("Alt+ArrowUp");
      await page.keyboard.press("Alt+ArrowRight");
      await expect
        .poll(() => rowTexts(tree))
        .toEqual([
          ...["#trigger", "wait", "known", "#in known/then", "note", "#in known/else", "fail"],
          ...["end", "#add /steps"],
        ]);
      await page.keyboard.press("Control+d");
      await row(page, "fail_2").waitFor();
      await page.keyboard.press("Alt+ArrowLeft");
      // By its letters, to the first step; then its copy is deleted.
      await page.keyboard.type("wa");
      await expect.poll(() => new URL(page.url()).searchParams.get("step")).toBe("wait");
      await page.keyboard.press("Control+d");
      await row(page, "wait_2").waitFor();
      await page.keyboard.press("Delete");
      await row(page, "wait_2").waitFor({ state: "detached" });
      await page.keyboard.press("Control+s");
      // The new steps have no message yet, so the service refuses them and says where.
      const faults = page.getByRole("list", { name: "Faults" });
      await faults.getByText("fail › message").waitFor();
      await tabTo(page, "button", `Fault ${await textOf(faults.getByRole("button").first())}`);
      await page.keyboard.press("Enter");
      await page.getByRole("textbox", { name: "Message" }).waitFor();
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? ""))
        .toBe("Message");
      await page.keyboard.type("It is not known");
      await row(page, "fail_2").click();
      await page.getByRole("textbox", { name: "Message" }).click();
      await page.keyboard.type("Nor is this");
      await page.keyboard.press("Control+s");
      await isSaved(page);
    });
    const steps = await stepsOf(id);
    expect(steps.map((step) => step.id)).toEqual(["wait", "known", "fail_2", "end"]);
    expect(steps[1]).toMatchObject({ else: [{ id: "fail", message: "It is not known" }] });
  });

  it("code and tree show the same definition, and undo goes through both", async () => {
    const id = await create(usual);
    await visit(id, "", async (page, tree) => {
      await row(page, "end").click();
      await page.keyboard.press("Delete");
      await page.getByRole("button", { name: "Code" }).click();
      await code(page).waitFor();
      expect(await code(page).textContent()).not.toContain('"end"');
      const definition = { trigger: { kind: "manual", executeAs }, steps: [usual[0]] };
      await typeCode(page, JSON.stringify(definition));
      await page.getByRole("button", { name: "Tree" }).click();
      await expect.poll(() => rowTexts(tree)).toEqual(["#trigger", "wait", "#add /steps"]);
      // The code again as it was typed.
      await page.getByRole("button", { name: "Code" }).click();
      await expect.poll(() => code(page).textContent()).toBe(JSON.stringify(definition));
      await code(page).click();
      await page.keyboard.press("Control+z");
      await page.getByRole("button", { name: "Tree" }).click();
      await row(page, "known").waitFor();
      expect(await row(page, "end").count()).toBe(0);
      await page.getByRole("button", { name: "Undo" }).click();
      await row(page, "end").waitFor();
      expect(await page.getByRole("button", { name: "Undo" }).isDisabled()).toBe(true);
      await page.keyboard.press("Control+Shift+z");
      await row(page, "end").waitFor({ state: "detached" });
      await page.keyboard.press("Control+Shift+z");
      await row(page, "known").waitFor({ state: "detached" });
      await page.keyboard.press("Control+s");
      await isSaved(page);
    });
    expect(await idsOf(id)).toEqual(["wait"]);
  });

  it("a code that is no JSON loses nothing: the tree waits for it, and says where it is wrong", async () => {
    const id = await create(usual);
    await visit(id, "?view=code", async (page) => {
      await typeCode(page, '{\n  "steps": [');
      await page.getByText("Line 2, column 13").waitFor();
      await page.getByRole("button", { name: "Tree" }).click();
      await page.getByText("The code is not JSON").waitFor();
      await page.keyboard.press("Control+s");
      await code(page).waitFor();
      expect(await code(page).textContent()).toContain('"steps": [');
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByRole("button", { name: "Tree" }).click();
      await row(page, "known").waitFor();
    });
    expect(await idsOf(id)).toEqual(["wait", "known", "end"]);
  });

  it("a step is dragged into another list, and its menu moves it out again", async () => {
    const id = await create(usual);
    await visit(id, "", async (page, tree) => {
      const from = await row(page, "wait").boundingBox();
      const to = await row(page, "note").boundingBox();
      if (from === null || to === null) throw new Error("The rows are not shown");
      await page.mouse.move(from.x + 80, from.y + 10);
      await page.mouse.down();
      await page.mouse.move(to.x + 80, to.y + 10, { steps: 4 });
      await page.mouse.move(to.x + 80, to.y + to.height - 4, { steps: 4 });
      await page.mouse.up();
      await expect
        .poll(async () => (await rowTexts(tree)).slice(0, 5))
        .toEqual(["#trigger", "known", "#in known/then", "note", "wait"]);
      // Escape ends a drag without a move.
      await page.mouse.down();
      await page.mouse.move(to.x + 80, from.y + 2, { steps: 4 });
      await page.keyboard.press("Escape");
      await page.mouse.up();
      expect((await rowTexts(tree)).slice(3, 5)).toEqual(["note", "wait"]);
      await row(page, "wait").click({ button: "right" });
      await page.getByRole("menuitem", { name: "Move out" }).click();
      await row(page, "wait").click();
      await page.keyboard.press("Shift+F10");
      await page.getByRole("menuitem", { name: "Add steps for its failure" }).click();
      await page.keyboard.press("Control+s");
      await isSaved(page);
    });
    expect(await stepsOf(id)).toMatchObject([
      { id: "known", ...thenOf([{ id: "note" }]) },
      { id: "wait", onError: { steps: [] } },
      { id: "end" },
    ]);
  });

  it("references follow a step whose id is changed", async () => {
    const id = await create(usual);
    await visit(id, "?step=wait", async (page) => {
      const field = page.getByRole("textbox", { name: "Id", exact: true });
      await field.fill("note");
      await field.fill("pause");
      await row(page, "pause").click();
      expect(new URL(page.url()).searchParams.get("step")).toBe("pause");
      await page.keyboard.press("Control+s");
      await isSaved(page);
    });
    expect(await stepsOf(id)).toMatchObject([
      { id: "pause" },
      { id: "known", ...thenOf([{ id: "note", values: { x: "{{steps.pause}}" } }]) },
      { id: "end", result: "{{steps.pause ?? null}}" },
    ]);
  });

  it("two administrators do not overwrite each other, and neither loses what was typed", async () => {
    const id = await create(usual);
    const theirs = { trigger: { kind: "manual", executeAs }, steps: [usual[0]] };
    await visit(id, "", async (page, tree) => {
      await row(page, "wait").click();
      await page.keyboard.press("Delete");
      // Another name alone is no conflict.
      await service.administer("PATCH", `/workflows/${id}`, { name: "Another name" });
      await page.keyboard.press("Control+s");
      await isSaved(page);
      expect(await idsOf(id)).toEqual(["known", "end"]);
      await row(page, "end").click();
      await page.keyboard.press("Control+d");
      await service.administer("PATCH", `/workflows/${id}`, { definition: theirs });
      await page.keyboard.press("Control+s");
      await page.getByText("Another administrator has saved this draft").waitFor();
      await page.getByText("Steps that differ: known, note, end, end_2, wait").waitFor();
      expect(await idsOf(id)).toEqual(["wait"]);
      await page.getByRole("button", { name: "Continue with theirs" }).click();
      await expect.poll(() => rowTexts(tree)).toEqual(["#trigger", "wait", "#add /steps"]);
      await page.getByRole("button", { name: "Undo" }).click();
      await row(page, "end_2").waitFor();
      await page.keyboard.press("Control+s");
      await isSaved(page);
    });
    expect(await idsOf(id)).toEqual(["known", "end", "end_2"]);
  });

  it("publishing shows what changes, an earlier version is published again, and the workflow is enabled", async () => {
    const id = await create(usual);
    await visit(id, "", async (page) => {
      await page.getByRole("button", { name: "Publish…" }).click();
      await page.getByText("This is the first version").waitFor();
      await page.getByRole("button", { name: "Publish", exact: true }).click();
      await page.getByRole("button", { name: "Enable now" }).click();
      await expect
        .poll(() => page.getByRole("switch", { name: "Enabled" }).getAttribute("aria-checked"))
        .toBe("true");
      await row(page, "note").click();
      await page.keyboard.press("Delete");
      await page.getByRole("button", { name: "Publish…" }).click();
      const changes = page.getByRole("list", { name: "Changes" });
      await changes.getByText("note").waitFor();
      expect(await changes.getByRole("listitem").count()).toBe(1);
      // Another administrator changes the draft before the press: nothing unseen is published.
      await service.administer("PATCH", `/workflows/${id}`, { name: "Renamed meanwhile" });
      await page.getByRole("button", { name: "Publish", exact: true }).click();
      await page.getByText("has changed since it was read").waitFor();
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.reload();
      await page.getByText("No faults").waitFor();
      await page.getByRole("button", { name: "Publish…" }).click();
      await page.getByRole("button", { name: "Publish", exact: true }).click();
      await page.getByText("Version 2 is published").waitFor();
      await page.getByRole("button", { name: "Close" }).click();
      await page.getByRole("link", { name: "Versions" }).click();
      await page.getByRole("button", { name: "Compare: Version 2" }).click();
      await page.getByRole("list", { name: "Changes" }).getByText("note").waitFor();
      expect(new URL(page.url()).search).toBe("?from=1&to=2");
      await page.getByRole("button", { name: "Publish again…: Version 1" }).click();
      await page.getByRole("dialog").getByText("note").waitFor();
      await page.getByRole("button", { name: "Publish", exact: true }).click();
      await page.getByText("Version 3 runs now, with the steps of version 1.").waitFor();
    });
    const versions = (await service.administer("GET", `/workflows/${id}/versions/3`)) as {
      definition: { steps: unknown[] };
    };
    expect(versions.definition.steps[1]).toMatchObject(thenOf([{ id: "note" }]));
    expect((await stepsOf(id))[1]).toMatchObject(thenOf([]));
  });

  it("a draft is tested beside its steps up to one of them, and is saved first", async () => {
    const id = await create(usual);
    await visit(id, "", async (page, tree) => {
      await row(page, "end").click();
      await page.keyboard.press("Control+d");
      await row(page, "wait").click();
      await page.keyboard.press("Shift+F10");
      await page.getByRole("menuitem", { name: "Test up to this step" }).click();
      const beside = page.getByRole("complementary", { name: "Beside the steps" });
      await beside.getByRole("button", { name: "Save and run" }).click();
      const result = beside.getByRole("region", { name: "Result of the test" });
      await result.getByRole("treeitem", { name: /^wait\b/ }).waitFor();
      // The form comes back, and then the test as it was.
      await tree.focus();
      await page.keyboard.press("Enter");
      await beside.getByRole("textbox", { name: "Id", exact: true }).waitFor();
      await beside.getByRole("button", { name: "Test" }).click();
      await result.getByRole("treeitem", { name: /^wait\b/ }).waitFor();
    });
    expect(await idsOf(id)).toEqual(["wait", "known", "end", "end_2"]);
    const runs = await service.administer("GET", `/workflows/${id}/runs`);
    expect(runs).toMatchObject([{ origin: "TEST", test: { effects: "NONE", until: "wait" } }]);
  });

  it("a page with unsaved changes asks before it is left", async () => {
    const id = await create(usual);
    await visit(id, "", async (page) => {
      await row(page, "end").click();
      await page.keyboard.press("Delete");
      const asked: string[] = [];
      page.once("dialog", (dialog) => {
        asked.push(dialog.message());
        void dialog.dismiss();
      });
      await page.getByRole("link", { name: "Runs" }).click();
      await expect.poll(() => asked).toHaveLength(1);
      expect(await row(page, "end").count()).toBe(0);
      await page.keyboard.press("Control+z");
      await row(page, "end").waitFor();
      await page.getByRole("link", { name: "Runs" }).click();
      await page.getByText("No runs yet").waitFor();
    });
  });

  it("a tree of 500 steps draws the rows in sight, and keys reach every one of them", async () => {
    const inner = (start: number) =>
      Array.from({ length: 9 }, (_none, index) => ({
        ...{ id: `value_${start + index}`, kind: "setValues" },
        values: { x: index },
      }));
    const steps = Array.from({ length: 50 }, (_none, index) => ({
      ...{ id: `loop_${index}`, kind: "forEach", items: [1] },
      steps: inner(index * 10),
    }));
    const id = await create(steps);
    await visit(id, "?step=value_255", async (page, tree) => {
      await row(page, "value_255").waitFor();
      const drawn = async () => tree.getByRole("treeitem").count();
      expect(await drawn()).toBeLessThan(80);
      await tree.focus();
      await page.keyboard.press("End");
      await row(page, "Add a step").waitFor();
      await page.keyboard.press("ArrowUp");
      await row(page, "value_498").waitFor();
      await page.keyboard.press("Home");
      await row(page, "Trigger").waitFor();
      expect(await drawn()).toBeLessThan(80);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowLeft");
      await page.getByText("9 steps inside").waitFor();
      // A link to a step opens what is around it.
      await page.keyboard.press("Delete");
      await row(page, "loop_0").waitFor({ state: "detached" });
      await page.keyboard.press("Control+s");
      await isSaved(page);
    });
    expect(await idsOf(id)).toHaveLength(49);
  });
});

async function textOf(button: Locator): Promise<string> {
  return ((await button.textContent()) ?? "").replace(/\s+/g, " ");
}
