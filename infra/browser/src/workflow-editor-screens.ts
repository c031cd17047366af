import type { Page } from "playwright-core";
import { openAdministration } from "./administration-screens.ts";
import type { People } from "./people.ts";
import type { Screen } from "./screen.ts";
import type { BrowserService } from "./service.ts";

type Named = { readonly id: string };

/** Creates drafts: an empty one, one of every kind of inner list with faults, and one of 500 steps with long names. */
async function prepareDrafts({ administer }: BrowserService) {
  const [user] = (await administer("GET", "/users?search=ivo")) as Named[];
  const trigger = { kind: "manual", executeAs: user?.id };
  const create = async (slug: string, name: string, steps: readonly object[]) => {
    const data = { slug, name, definition: { trigger, steps } };
    return ((await administer("POST", "/workflows", data)) as Named).id;
  };
  const note = (id: string) => ({ id, kind: "setValues", values: { note: "a note" } });
  const reminding = [
    {
      ...{ id: "due", kind: "listRows", schema: "fleet", table: "vehicles" },
      where: { plate: { _starts_with: "GO" } },
    },
    {
      ...{ id: "each", kind: "forEach", items: "{{steps.due}}", concurrency: 5 },
      steps: [
        {
          ...{ id: "ask", kind: "httpRequest", url: "https://drivers.example.com/{{item.plate}}" },
          onError: { steps: [note("unreachable")] },
        },
        {
          ...{ id: "answer", kind: "switch", value: "{{steps.ask.status}}" },
          cases: [
            { equals: 200, steps: [note("found")] },
            { equals: 404, steps: [] },
          ],
          default: [{ id: "odd", kind: "fail", message: "Status {{steps.ask.status}}" }],
        },
      ],
    },
    { id: "pause", kind: "delay", seconds: 60 },
  ];
  const finish = (sent: string) => ({ id: "end", kind: "finish", result: { sent } });
  const typical = await create("typical", "Remind the drivers", [
    ...reminding,
    finish("{{steps.nothing}}"),
  ]);
  const sound = await create("sound", "Remind drivers", [...reminding, finish("{{steps.due}}")]);
  const long = "step_with_a_name_as_long_as_a_name_of_a_step_can_be_in_number";
  const loops = Array.from({ length: 50 }, (_none, loop) => ({
    ...{ id: `loop_${loop}`, kind: "forEach", items: "{{start.data.a_list_with_a_long_name}}" },
    steps: Array.from({ length: 9 }, (_one, index) => note(`${long}${loop}${index}`.slice(-63))),
  }));
  let deep: object = note("innermost");
  for (let level = 14; level > 0; level -= 1) {
    deep = { id: `level_${level}`, kind: "forEach", items: [1], steps: [deep] };
  }
  const overfull = await create("overfull", "x".repeat(150), [deep, ...loops.slice(0, 48)]);
  const wait = { id: "wait", kind: "delay", seconds: 60 };
  const end = { id: "end", kind: "finish", result: "A long text of a changed value. ".repeat(40) };
  const versions = await create("versions", "Three versions", [wait, note("first")]);
  for (const steps of [
    [wait, note("first")],
    [note("first"), wait, end],
    [note("second"), end],
  ]) {
    await administer("PATCH", `/workflows/${versions}`, { definition: { trigger, steps } });
    await administer("POST", `/workflows/${versions}/publish`);
  }
  const nested = await create(
    "nested",
    "Many steps",
    Array.from({ length: 8 }, (_none, at) => ({
      ...{ id: `fork_${at}`, kind: "switch", value: "{{start.data.a_value_with_a_long_name}}" },
      cases: [
        { equals: `a long text to compare with, number ${at}`, steps: [note(`first_${at}`)] },
        {
          equals: at,
          steps: [
            {
              ...{ id: `loop_${at}`, kind: "forEach", items: "{{start.data.items}}" },
              steps: [note(`${long}${at}`.slice(-63)), note(`then_${at}`)],
              onError: { steps: [note(`handled_${at}`)] },
            },
          ],
        },
      ],
      default: [{ id: `stop_${at}`, kind: "fail", message: "No such case" }],
    })),
  );
  return { typical, sound, overfull, nested, versions, empty: await create("empty", "Empty", []) };
}

/** The screens of the editor of workflows and of their versions. */
export async function workflowEditorScreens(
  service: BrowserService,
  { administrator }: People,
): Promise<Screen[]> {
  const { typical, sound, overfull, nested, versions, empty } = await prepareDrafts(service);
  const open = (path: string) => (page: Page) =>
    openAdministration(page, administrator, `/admin/workflows/${path}`);
  const at = (path: string) => async (page: Page) => {
    await open(path)(page);
    await page.locator("[role=toolbar] [aria-expanded], [role=toolbar] .text-ok").waitFor();
  };
  const after = (path: string, act: (page: Page) => Promise<void>) => async (page: Page) => {
    await at(path)(page);
    await act(page);
  };
  const graph = (path: string) => async (page: Page) => {
    await at(`${path}${path.includes("?") ? "&" : "?"}view=graph`)(page);
    await page.locator("[data-card]").first().waitFor();
  };
  const tree = (page: Page) => page.locator("[role=tree]");
  return [
    { name: "workflow-editor", show: at(`${typical}?step=answer`) },
    { name: "workflow-editor-empty", show: at(empty) },
    { name: "workflow-editor-overfull", show: at(`${overfull}?step=innermost`) },
    {
      name: "workflow-editor-faults",
      show: after(`${typical}?step=end`, async (page) => {
        await page.locator("[role=toolbar] [aria-expanded]").click();
        await page.locator("main ul li button").first().waitFor();
      }),
    },
    {
      name: "workflow-editor-code",
      show: after(`${typical}?step=ask&view=code`, async (page) => {
        await page.locator(".cm-content").first().waitFor();
      }),
    },
    {
      name: "workflow-editor-code-fault",
      show: after(`${typical}?view=code`, async (page) => {
        await page.locator(".cm-content").first().click();
        await page.keyboard.press("Control+End");
        await page.keyboard.insertText("}");
        await page.locator("main [role=alert]").first().waitFor();
      }),
    },
    { name: "workflow-graph", show: graph(`${typical}?step=answer`) },
    { name: "workflow-graph-sound", show: graph(`${sound}?step=answer`) },
    { name: "workflow-graph-overfull", show: graph(`${nested}?step=fork_3`) },
    { name: "workflow-graph-empty", show: graph(empty) },
    {
      name: "workflow-editor-add",
      show: after(typical, async (page) => {
        await tree(page).focus();
        await page.keyboard.press("+");
        await page.locator("dialog [role=option]").first().waitFor();
      }),
    },
    {
      name: "workflow-editor-publish",
      show: after(typical, async (page) => {
        await page.locator("[role=toolbar] button").last().click();
        await page.locator("dialog [role=alert]").waitFor();
      }),
    },
    { name: "workflow-versions", show: open(`${versions}/versions?from=1`) },
    {
      name: "workflow-graph-diff",
      show: async (page) => {
        await open(`${versions}/versions?from=1&to=2&view=graph`)(page);
        await page.locator("[data-card]").first().waitFor();
      },
    },
    { name: "workflow-versions-empty", show: open(`${empty}/versions`) },
    {
      name: "workflow-versions-again",
      isOneWidth: true,
      show: async (page) => {
        await open(`${versions}/versions`)(page);
        await page.locator("main tbody button").last().click();
        await page.locator("dialog li").first().waitFor();
      },
    },
  ];
}
