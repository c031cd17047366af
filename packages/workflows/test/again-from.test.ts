import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type AgainRequest,
  type DefinitionInput,
  publishWorkflow,
  readRun,
  runAgain,
  testWorkflow,
  updateWorkflow,
  wakeForRun,
} from "../src/index.ts";
import { actor, openTestEnvironment, type TestEnvironment, vault } from "./test-environment.ts";

// A run that continues an earlier one from a step.

let environment: TestEnvironment;
/** Paths of the requests that the server has received. */
const received: string[] = [];
const server = createServer((request, response) => {
  received.push(request.url ?? "");
  response.statusCode = request.url?.includes("broken") === true ? 500 : 200;
  response.setHeader("content-type", "application/json").end(JSON.stringify(request.url));
});
let url = "";
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  environment = await openTestEnvironment({ allowedHosts: ["127.0.0.1"] });
});
beforeEach(() => {
  received.length = 0;
});
afterAll(async () => {
  await environment.close();
  server.close();
});

type Steps = DefinitionInput["steps"];

const ask = (id: string, path = id) =>
  ({ id, kind: "httpRequest", url: `${url}/${path}` }) as const;
const end = (result: unknown) => ({ id: "end", kind: "finish", result }) as const;

async function wait(id: string, run: string) {
  await expect
    .poll(async () => (await readRun(environment.database, id, run)).finishedAt, {
      timeout: 20_000,
    })
    .not.toBeNull();
  const found = await readRun(environment.database, id, run);
  return { ...found, shown: found.steps.map(({ path, status }) => `${path} ${status}`) };
}

/** Runs a new workflow to its end. */
async function first(steps: Steps) {
  const { id, slug } = await environment.publish(steps);
  const { body } = await environment.call(slug);
  const run = await wait(id, body.data.id);
  return { id, run };
}

async function again(id: string, run: string, request: Partial<AgainRequest> = {}) {
  const whole = { from: null, version: "SAME", ...request } as const;
  const started = await runAgain(environment.database, id, run, whole, actor);
  const handOff = { offer: () => false };
  wakeForRun({ ...environment, handOff }, started.run, started.priority);
  return wait(id, started.run);
}

async function change(id: string, steps: Steps): Promise<void> {
  const trigger = { kind: "webhook", executeAs: environment.userId } as const;
  await updateWorkflow(environment.database, id, { definition: { trigger, steps } }, actor);
  await publishWorkflow({ database: environment.database, vault }, id, actor);
}

const twoCalls = (second: string): Steps => [
  ask("one"),
  ask("two", second),
  end(["{{steps.one.body}}", "{{steps.two.body}}"]),
];

describe("again from a step", () => {
  it("keeps the outputs of the steps before it, and carries out the rest", async () => {
    const { id, run } = await first(twoCalls("two"));
    received.length = 0;
    const next = await again(id, run.id, { from: "two" });
    expect(received).toEqual(["/two"]);
    expect(next).toMatchObject({
      status: "SUCCEEDED",
      result: ["/one", "/two"],
      origin: "AGAIN",
      againOf: { runId: run.id, from: "two" },
      test: null,
    });
    expect(next.shown).toEqual(["one SUCCEEDED", "two SUCCEEDED", "end SUCCEEDED"]);
    expect(next.steps[0]?.startedAt).toBe(run.steps[0]?.startedAt);
    // Once more, from what was continued.
    received.length = 0;
    expect((await again(id, next.id, { from: "two" })).result).toEqual(["/one", "/two"]);
    expect(received).toEqual(["/two"]);
  });

  it("continues a failed run with the newest version from the step that was mended", async () => {
    const { id, run } = await first(twoCalls("broken"));
    expect(run).toMatchObject({ status: "FAILED", error: { step: "two" } });
    await change(id, twoCalls("mended"));
    received.length = 0;
    const next = await again(id, run.id, { from: "two", version: "NEWEST" });
    expect(next).toMatchObject({
      ...{ status: "SUCCEEDED", result: ["/one", "/mended"], versionNumber: 2 },
    });
    expect(received).toEqual(["/mended"]);
  });

  it("repeats the whole run with the newest version", async () => {
    const { id, run } = await first(twoCalls("broken"));
    await change(id, twoCalls("mended"));
    received.length = 0;
    expect(await again(id, run.id, { version: "NEWEST" })).toMatchObject({
      ...{ status: "SUCCEEDED", againOf: { runId: run.id, from: null } },
    });
    expect(received).toEqual(["/one", "/mended"]);
  });

  it("continues inside a loop: iterations before it are kept, and the loop is open again", async () => {
    const steps: Steps = [
      {
        ...{ id: "loop", kind: "forEach", items: [0, 1, 2] },
        steps: [ask("a", "a{{index}}"), ask("b", "b{{index}}")],
      },
      ask("after"),
    ];
    const { id, run } = await first(steps);
    received.length = 0;
    const next = await again(id, run.id, { from: "loop.1.b" });
    expect(received).toEqual(["/b1", "/a2", "/b2", "/after"]);
    expect(next.status).toBe("SUCCEEDED");
    expect(next.shown.toSorted()).toEqual(run.shown.toSorted());
    // From the loop itself, every iteration is repeated.
    received.length = 0;
    await again(id, run.id, { from: "loop" });
    expect(received).toHaveLength(7);
  });

  it("keeps the decision of a condition, and a failure whose handler it continues in", async () => {
    const steps: Steps = [
      {
        ...{ id: "if", kind: "condition", expression: "true" },
        // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
        then: [
          {
            ...ask("bad", "broken"),
            onError: { steps: [ask("mend"), end("{{errors.bad.code}}")] },
          },
        ],
      },
    ];
    const { id, run } = await first(steps);
    expect(run.result).toBe("HTTP_STATUS");
    received.length = 0;
    const next = await again(id, run.id, { from: "mend" });
    expect(next.result).toBe("HTTP_STATUS");
    expect(received).toEqual(["/mend"]);
    received.length = 0;
    await again(id, run.id, { from: "bad" });
    expect(received).toEqual(["/broken", "/mend"]);
  });

  it("refuses a step that the run has not reached, and a run that has not ended", async () => {
    const { id, run } = await first(twoCalls("broken"));
    for (const from of ["end", "none", "two.0.one", "loop.1", ""]) {
      await expect(again(id, run.id, { from })).rejects.toMatchObject({
        faults: [{ code: "BODY_INVALID", path: "/from" }],
      });
    }
  });

  it("names each step whose entry does not fit the newest version, and why", async () => {
    const { id, run } = await first([
      ask("gone"),
      { id: "kind", kind: "setValues", values: {} },
      ask("moved"),
      ask("late"),
      { ...ask("handled", "broken"), onError: "continue" },
      { ...ask("from", "broken") },
    ]);
    expect(run.error?.step).toBe("from");
    await change(id, [
      { id: "kind", kind: "delay", seconds: 0 },
      {
        ...{ id: "if", kind: "condition", expression: "true" },
        // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
        then: [ask("moved")],
      },
      ask("handled"),
      ask("from"),
      ask("late"),
    ]);
    await expect(again(id, run.id, { from: "from", version: "NEWEST" })).rejects.toMatchObject({
      faults: [
        {
          code: "CONFLICT",
          path: "/from",
          message: expect.stringMatching(/"gone" does not exist/),
        },
        { message: expect.stringMatching(/"kind" is of the kind delay/) },
        { message: expect.stringMatching(/"moved" is at another place/) },
        { message: expect.stringMatching(/"late" comes after the step "from"/) },
        { message: expect.stringMatching(/"handled" has failed/) },
      ],
    });
    await change(id, [ask("other")]);
    await expect(again(id, run.id, { from: "from", version: "NEWEST" })).rejects.toMatchObject({
      faults: [{ message: expect.stringMatching(/"from" does not exist/) }],
    });
  });
});

describe("a test", () => {
  async function tested(effects: "REAL" | "NONE", mocks: Record<string, unknown>) {
    const { id } = await environment.publish(twoCalls("two"));
    const request = { data: {}, effects, mocks, until: null };
    const { run, priority } = await testWorkflow(
      { database: environment.database, vault },
      id,
      request,
      actor,
    );
    wakeForRun({ ...environment, handOff: { offer: () => false } }, run, priority);
    return { id, run: await wait(id, run) };
  }

  it("without effects is repeated without effects, and cannot be continued", async () => {
    const { id, run } = await tested("NONE", {});
    expect(run.status).toBe("SUCCEEDED");
    const next = await again(id, run.id);
    expect(next).toMatchObject({ origin: "TEST", test: { effects: "NONE" } });
    expect(received).toEqual([]);
    for (const request of [{ from: "two" }, { version: "NEWEST" }] as const) {
      await expect(again(id, run.id, request)).rejects.toMatchObject({ code: "CONFLICT" });
    }
  });

  it("with mocks is continued only before the first step with a mock", async () => {
    const { id, run } = await tested("REAL", { two: { body: "mocked" } });
    expect(received).toEqual(["/one"]);
    expect(await again(id, run.id, { from: "two" })).toMatchObject({
      ...{ result: ["/one", "mocked"], test: { effects: "REAL", mocked: ["two"] } },
    });
    expect(received).toEqual(["/one"]);
    await expect(again(id, run.id, { from: "end" })).rejects.toMatchObject({
      faults: [{ code: "CONFLICT", message: expect.stringContaining('"two" was not carried out') }],
    });
  });
});
