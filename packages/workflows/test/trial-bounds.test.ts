// Tier: long. Computes for many seconds.
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  createWorkflow,
  type DefinitionInput,
  readRun,
  testWorkflow,
  wakeForRun,
} from "../src/index.ts";
import { actor, openTestEnvironment, type TestEnvironment, vault } from "./test-environment.ts";

// Definitions that would run for hours end within the bounds of a test without effects.

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await openTestEnvironment({ reconcileEveryMs: 500 });
});
afterAll(() => environment.close());

const items = Array.from({ length: 10_000 }, (_, n) => n);
const loops = (inner: object) =>
  [
    {
      ...{ id: "outer", kind: "forEach", items: items.slice(0, 1000) },
      steps: [{ id: "inner", kind: "forEach", items: "{{start.data}}", steps: [inner] }],
    },
  ] as DefinitionInput["steps"];
const row = { id: "row", kind: "createRow", table: "trip", values: { note: "{{item}}" } };

it.each([
  ["rows", loops(row)],
  [
    "mails",
    loops({ id: "mail", kind: "sendEmail", to: "a@b.org", subject: "s", text: "{{index}}." }),
  ],
  ["values", loops({ id: "all", kind: "setValues", values: { all: "{{start.data}}" } })],
  ["small values", loops({ id: "all", kind: "setValues", values: { all: 1 } })],
  ["delays", loops({ id: "nap", kind: "delay", seconds: 100 })],
  [
    "failures",
    loops({
      ...{ ...row, values: { note: "refused" }, onError: "continue" },
      retry: { attempts: 20, delayMs: 60_000 },
    }),
  ],
])("a loop of 10,000,000 %s ends in 10 seconds, and leaves nothing", async (name, steps) => {
  const { database, userId } = environment;
  const trigger = { kind: "manual", executeAs: userId } as const;
  const slug = `loop-${name.replace(" ", "-")}`;
  const { id } = await createWorkflow(
    database,
    { slug, name, definition: { trigger, steps } },
    actor,
  );
  const request = { data: items, effects: "NONE", mocks: {}, until: null } as const;
  const { run, priority } = await testWorkflow({ database, vault }, id, request, actor);
  wakeForRun({ ...environment, handOff: { offer: () => false } }, run, priority);
  await expect
    .poll(() => environment.readRun(run), { timeout: 40_000, interval: 100 })
    .toMatchObject({ status: "FAILED" });
  const { error } = await environment.readRun(run);
  expect(["TEST_TIMED_OUT", "RUN_TOO_LARGE", "RUN_TOO_COSTLY"]).toContain(error?.code);
  expect(await environment.countTrips()).toBe(0);
  // Its history can be read although it has reached only few of the items.
  await readRun(database, id, run);
});
