import { AppError } from "@rowhouse/errors";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  listVersions,
  publishWorkflow,
  purgeHistory,
  readRun,
  readVersion,
  rollBackWorkflow,
  runAgain,
  testWorkflow,
  updateWorkflow,
} from "../src/index.ts";
import {
  actor,
  asTest,
  openTestEnvironment,
  type TestEnvironment,
  vault,
} from "./test-environment.ts";

const whole = { from: null, version: "SAME" } as const;

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await openTestEnvironment({ reconcileEveryMs: 200 });
});
afterAll(() => environment.close());

const definition = (result: unknown) => ({
  trigger: { kind: "webhook", executeAs: environment.userId },
  steps: [{ id: "end", kind: "finish", result }],
});
const input = { query: { q: "1" }, body: { n: 2 }, meta: { ip: "192.0.2.1" } };
const failure = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );
const ended = (run: string) => expect.poll(() => environment.readRun(run));

describe("versions", () => {
  it("versions are listed, read, and published again under the next number; the draft stays", async () => {
    const { database } = environment;
    const { id, slug } = await environment.publish([{ id: "end", kind: "finish", result: "one" }]);
    await updateWorkflow(database, id, { definition: definition("two") }, actor);
    await publishWorkflow({ database, vault }, id, actor);
    expect((await environment.call(slug)).body.data.result).toBe("two");
    const back = await rollBackWorkflow({ database, vault }, id, 1, actor);
    expect(back.published).toMatchObject({ number: 3 });
    expect(back.definition).toMatchObject({ steps: [{ result: "two" }] });
    expect((await environment.call(slug)).body.data.result).toBe("one");
    const first = await listVersions(database, id, { limit: 2, cursor: null });
    expect(first.items.map(({ number }) => number)).toEqual([3, 2]);
    const rest = await listVersions(database, id, { limit: 2, cursor: first.nextCursor });
    expect(rest.items.map(({ number }) => number)).toEqual([1]);
    const read = await readVersion(database, id, 2);
    expect(read.definition).toMatchObject({ steps: [{ result: "two" }] });
    expect(await failure(readVersion(database, id, 9))).toBe("NOT_FOUND");
    expect(await failure(rollBackWorkflow({ database, vault }, id, 9, actor))).toBe("NOT_FOUND");
  });
});

describe("a test", () => {
  it("a test runs the draft with the given query, body and meta, and the published version stays", async () => {
    const { database } = environment;
    const { id, slug } = await environment.publish([
      { id: "end", kind: "finish", result: "published" },
    ]);
    await updateWorkflow(database, id, { definition: definition("{{start.data}}") }, actor);
    const { run } = await testWorkflow({ database, vault }, id, asTest(input), actor);
    await ended(run).toMatchObject({ status: "SUCCEEDED", result: input });
    expect(await readRun(database, id, run)).toMatchObject({ origin: "TEST" });
    expect((await environment.call(slug)).body.data.result).toBe("published");
    const { items } = await listVersions(database, id, { limit: 9, cursor: null });
    expect(items).toHaveLength(1);
    await database.query("delete from system.workflow_runs where id = $1::text::uuid", [run]);
    await database.query(
      "update system.workflow_versions set published_at = now() - interval '31 days'",
    );
    await purgeHistory(database, 30);
    const versions = await database.query(
      "select number from system.workflow_versions where workflow_id = $1::text::uuid",
      [id],
    );
    expect(versions).toEqual([{ number: 1 }]);
  });

  it("a test of an invalid draft returns its faults", async () => {
    const { id } = await environment.publish([{ id: "end", kind: "finish" }]);
    await updateWorkflow(environment.database, id, { definition: definition("{{vars.x") }, actor);
    expect(
      await failure(
        testWorkflow({ database: environment.database, vault }, id, asTest(input), actor),
      ),
    ).toBe("WORKFLOW_INVALID");
  });
});

describe("running again", () => {
  it("running a run again uses the version and the input of the ended run", async () => {
    const { database } = environment;
    const { id, slug } = await environment.publish([
      { id: "end", kind: "finish", result: "{{start.data.body.n}}" },
    ]);
    const first = (await environment.call(slug, { body: { n: 7 } })).body.data.id;
    await updateWorkflow(database, id, { definition: definition("other") }, actor);
    await publishWorkflow({ database, vault }, id, actor);
    const { run } = await runAgain(database, id, first, whole, actor);
    await ended(run).toMatchObject({ status: "SUCCEEDED", result: 7 });
    expect(await readRun(database, id, run)).toMatchObject({ origin: "AGAIN" });
    const open = await environment.publish([{ id: "nap", kind: "delay", seconds: 60 }], {
      response: "ASYNCHRONOUS",
    });
    const waiting = (await environment.call(open.slug)).body.data.run;
    expect(await failure(runAgain(database, open.id, waiting, whole, actor))).toBe("CONFLICT");
    expect(await failure(runAgain(database, id, waiting, whole, actor))).toBe("NOT_FOUND");
  });
});
