// Tiers: usual, topologies.
import { readFile } from "node:fs/promises";
import {
  createTestDatabase,
  signIn,
  startTestEnvironment,
  type TestEnvironment,
  topologyLogin,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, createClient } from "./client.ts";

// The examples of docs/workflows: each definition has no fault, and its test takes the steps that the page shows.

const folder = new URL("../../../docs/workflows/", import.meta.url);
const read = (page: string) => readFile(new URL(page, folder), "utf8");

interface Example {
  readonly title: string;
  readonly definition: string;
  readonly test: string;
  readonly steps: string;
}

/** The examples of a page: below each heading a definition, the body of a test, and its steps. */
async function examplesOf(page: string): Promise<Example[]> {
  const [, ...sections] = (await read(page)).split(/^## /m);
  return sections.map((section) => {
    const blocks = [...section.matchAll(/^```(?:json|text)\n([\s\S]*?)^```$/gm)];
    const [definition = "", test = "", steps = ""] = blocks.map(([, text = ""]) => text);
    return { title: section.split("\n")[0] ?? "", definition, test, steps: steps.trim() };
  });
}

const pages = ["n8n.md", "windmill.md"];
const examples = (await Promise.all(pages.map(examplesOf))).flat();
/** The same definitions as the page of new workflows offers them, without their user. */
const offered: readonly { readonly definition: { readonly trigger: object } }[] = JSON.parse(
  await readFile(
    new URL("../../console/src/workflows/overview/examples.json", import.meta.url),
    "utf8",
  ),
);
const noUser = "00000000-0000-4000-8000-000000000000";

let installation: TestEnvironment;
let ask: (method: string, path: string, body?: unknown) => Promise<Answer>;
let userId = "";
beforeAll(async () => {
  const login = topologyLogin();
  const test = await createTestDatabase(login === undefined ? {} : { login });
  const text = await read("README.md");
  const [, sql = ""] = /^```sql\n([\s\S]*?)^```$/m.exec(text) ?? [];
  await test.database.query(sql);
  installation = await startTestEnvironment({ test });
  const client = createClient(installation);
  const as = await client.signIn(signIn);
  ask = (method, path, body) =>
    client.ask(method, `/admin/api${path}`, { as, ...(body === undefined ? {} : { body }) });
  userId = (await client.ask("GET", "/api/auth/me", { as })).body.data.id;
  const own = await ask("GET", "/resources?schema=public");
  const files = await ask("GET", "/resources?schema=system&search=.files");
  for (const { id, kind } of [...own.body.data, ...files.body.data]) {
    const exposedMethods = kind === "VIEW" ? ["GET"] : ["GET", "POST", "PATCH", "DELETE"];
    const exposed = await ask("PATCH", `/resources/${id}`, { data: { exposedMethods } });
    expect(exposed.status).toBe(200);
  }
  const definitions = examples.map(({ definition }) => definition).join();
  const names = [...definitions.matchAll(/secrets\.([A-Z_]+)/g)].map(([, name = ""]) => name);
  for (const name of new Set(names)) {
    expect(text).toContain(`\`${name}\``);
    await ask("POST", "/workflow-secrets", { data: { name, value: "a secret value" } });
  }
}, 60_000);
afterAll(() => installation.stop());

/** The definition of an example with an existing user. */
function definitionOf({ definition }: Example): unknown {
  return JSON.parse(definition.replace(noUser, userId));
}

/** Runs the test of an example, and returns its steps as the page shows them. */
async function run(example: Example, slug: string): Promise<string> {
  const { title, test } = example;
  const definition = definitionOf(example);
  const made = await ask("POST", "/workflows", { data: { slug, name: title, definition } });
  expect([title, made.body.errors]).toEqual([title, undefined]);
  const path = `/workflows/${made.body.data.id}`;
  const started = await ask("POST", `${path}/test`, JSON.parse(test));
  expect([title, started.body.errors]).toEqual([title, undefined]);
  const read = async () => (await ask("GET", `${path}/runs/${started.body.data.run}`)).body.data;
  await expect.poll(async () => (await read()).finishedAt, { timeout: 30_000 }).not.toBeNull();
  const { status, error, steps } = await read();
  const shown = steps.map((step: { path: string; status: string; simulated: string | null }) =>
    [step.path, step.status, step.simulated].filter((part) => part !== null).join(" "),
  );
  return [...shown, error === null ? status : `${status} ${error.code}`].join("\n");
}

describe("the rebuilt examples", () => {
  it("are five of each tool", () => {
    expect(examples).toHaveLength(10);
  });

  it("are those that the page of new workflows offers", () => {
    const complete = offered.map(({ definition }) => ({
      ...definition,
      trigger: { ...definition.trigger, executeAs: noUser },
    }));
    expect(complete).toEqual(examples.map(({ definition }) => JSON.parse(definition)));
  });

  it.each(examples)("$title: the definition has neither faults nor warnings", async (example) => {
    const { body } = await ask("POST", "/workflow-definitions/check", {
      data: { definition: definitionOf(example) },
    });
    expect(body.data.faults).toEqual([]);
  });

  it.each(examples)("$title: its test takes the steps of the page", async (example) => {
    const slug = example.title.toLowerCase().replace(/[^a-z]+/g, "-");
    expect(await run(example, slug)).toBe(example.steps);
  });
});
