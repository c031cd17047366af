import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { generatedRuns } from "@rowhouse/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toJson } from "../src/base/json.ts";
import { RunFault } from "../src/base/run-fault.ts";
import { deriveInputs } from "../src/history/list-run-steps.ts";
import {
  cancelRun,
  compileDefinition,
  type DefinitionInput,
  listRunSteps,
  listRuns,
  parseDefinition,
  readRun,
  secretsOfWorkflows,
} from "../src/index.ts";
import { Interpretation } from "../src/interpret/interpret.ts";
import type { Pending } from "../src/interpret/machine.ts";
import type { JournalEntry, JournalRecord } from "../src/model/run.ts";
import {
  actor,
  openTestEnvironment,
  runsOf,
  type TestEnvironment,
  vault,
} from "./test-environment.ts";

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await openTestEnvironment({ reconcileEveryMs: 200 });
});
afterAll(() => environment.close());

const later = { response: "ASYNCHRONOUS" } as const;
const allSteps = { limit: 50, cursor: null, search: null, statuses: null, kinds: null } as const;
const ended = (run: string) => expect.poll(() => environment.readRun(run));
const inputsOf = async (run: string) =>
  (await listRunSteps(environment.database, run, allSteps)).items.map(({ path, input }) => [
    path,
    input,
  ]);

/** Inserts runs that no worker executes, with ages in minutes. */
async function insertRuns(workflowId: string, runs: readonly Record<string, unknown>[]) {
  const [version] = await environment.database.query<{ id: string }>(
    "select published_version_id as id from system.workflows where id = $1::text::uuid",
    [workflowId],
  );
  for (const run of runs) {
    const values = {
      id: randomUUID(),
      workflow_id: workflowId,
      version_id: version?.id,
      execute_as_user_id: environment.userId,
      status: "SUCCEEDED",
      input: {},
      origin: "WEBHOOK",
      fence: 0,
      depth: 0,
      claims: 0,
      lost_leases: 0,
      computing: false,
      signalled: false,
      accepted_at: "2026-01-01T00:00:00Z",
      finished_at: "2026-01-01T00:00:01Z",
      ...run,
    };
    await environment.database.query(
      "insert into system.workflow_runs select * from json_populate_record(null::system.workflow_runs, $1::text::json)",
      [JSON.stringify(values)],
    );
  }
}

describe("the list of runs", () => {
  it("runs can be filtered by each of their fields, over all workflows or one", async () => {
    const { database } = environment;
    const one = await environment.publish([{ id: "end", kind: "finish" }]);
    const other = await environment.publish([{ id: "end", kind: "finish" }]);
    const at = (minute: number, second = 0) =>
      new Date(Date.UTC(2026, 0, 1, 0, minute, second)).toISOString();
    const parent = randomUUID();
    const failed = {
      code: "HTTP_STATUS",
      message: "The server responded with status 500",
      step: "a",
    };
    await insertRuns(one.id, [
      {
        id: parent,
        accepted_at: at(1),
        started_at: at(1),
        finished_at: at(1, 30),
        request_id: "req-1",
      },
      {
        accepted_at: at(2),
        started_at: at(2),
        finished_at: at(9),
        status: "FAILED",
        error: failed,
        caller_user_id: environment.userId,
      },
      { accepted_at: at(3), finished_at: at(4), status: "CANCELLED", origin: "TEST" },
    ]);
    await insertRuns(other.id, [
      {
        accepted_at: at(4),
        started_at: at(4),
        finished_at: at(5),
        origin: "WORKFLOW",
        parent_run_id: parent,
      },
    ]);
    const minutes = async (filter: Partial<Parameters<typeof listRuns>[1]>) => {
      const { items } = await listRuns(database, {
        ...runsOf(null),
        acceptedUntil: at(59),
        ...filter,
      });
      return items.map((run) => new Date(run.acceptedAt).getUTCMinutes());
    };
    expect(await minutes({})).toEqual([4, 3, 2, 1]);
    expect(await minutes({ workflowId: one.id })).toEqual([3, 2, 1]);
    expect(await minutes({ statuses: ["FAILED"] })).toEqual([2]);
    expect(await minutes({ statuses: ["FAILED", "CANCELLED"] })).toEqual([3, 2]);
    expect(await minutes({ statuses: ["QUEUED"] })).toEqual([]);
    expect(await minutes({ origins: ["TEST", "WORKFLOW"] })).toEqual([4, 3]);
    expect(await minutes({ callerUserId: environment.userId })).toEqual([2]);
    expect(await minutes({ executeAsUserId: environment.userId })).toEqual([4, 3, 2, 1]);
    expect(await minutes({ parentRunId: parent })).toEqual([4]);
    expect(await minutes({ requestId: "req-1" })).toEqual([1]);
    expect(await minutes({ errorCode: "HTTP_STATUS" })).toEqual([2]);
    expect(await minutes({ acceptedSince: at(2), acceptedUntil: at(4) })).toEqual([3, 2]);
    expect(await minutes({ finishedSince: at(4), finishedUntil: at(9) })).toEqual([4, 3]);
    expect(await minutes({ durationMinMs: 60_000 })).toEqual([4, 2]);
    expect(await minutes({ orderBy: "acceptedAt" })).toEqual([1, 2, 3, 4]);
    expect(await minutes({ orderBy: "-finishedAt" })).toEqual([2, 4, 3, 1]);
    expect(await minutes({ orderBy: "finishedAt" })).toEqual([1, 3, 4, 2]);
    const [run] = (await listRuns(database, { ...runsOf(other.id) })).items;
    expect(run).toMatchObject({ workflowSlug: other.slug, versionNumber: 1, parentRunId: parent });
  });

  it("paging in every order is stable while runs start and end", async () => {
    const { database } = environment;
    const { id } = await environment.publish([{ id: "end", kind: "finish" }]);
    // Several runs of one moment: the id orders them.
    await insertRuns(
      id,
      Array.from({ length: 11 }, (_, n) => ({
        accepted_at: `2026-02-01T00:00:0${Math.floor(n / 4)}.123456Z`,
      })),
    );
    for (const orderBy of ["acceptedAt", "-acceptedAt", "finishedAt", "-finishedAt"] as const) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof listRuns>> = await listRuns(database, {
          ...runsOf(id),
          orderBy,
          cursor,
          limit: 3,
        });
        seen.push(...page.items.map((run) => run.id));
        cursor = page.nextCursor;
        if (seen.length === 3) {
          await database.query("delete from system.workflow_runs where id = $1::text::uuid", [
            seen[2] ?? null,
          ]);
        }
      } while (cursor !== null);
      expect(new Set(seen).size).toBe(seen.length);
      const left = await listRuns(database, runsOf(id));
      expect(seen).toEqual(expect.arrayContaining(left.items.map((run) => run.id)));
    }
    const page = await listRuns(database, { ...runsOf(id), limit: 1 });
    const foreign = { ...runsOf(id), orderBy: "acceptedAt", cursor: page.nextCursor } as const;
    await expect(listRuns(database, foreign)).rejects.toMatchObject({ code: "QUERY_INVALID" });
  });

  it("a search covers input, result and error of 1000 runs at a time", async () => {
    const { database } = environment;
    const { id } = await environment.publish([{ id: "end", kind: "finish" }]);
    await insertRuns(id, [
      { input: { body: { note: 'A "quoted" Ford' } }, accepted_at: "2026-03-01T00:00:01Z" },
      { result: { plate: "GO-102-WK" }, accepted_at: "2026-03-01T00:00:02Z" },
      {
        status: "FAILED",
        error: { code: "X", message: "has no value", step: null },
        accepted_at: "2026-03-01T00:00:03Z",
      },
    ]);
    const search = async (text: string) =>
      (await listRuns(database, { ...runsOf(id), search: text })).items.map((run) =>
        run.acceptedAt.slice(17, 19),
      );
    expect(await search('"QUOTED" ford')).toEqual(["01"]);
    expect(await search("go-102")).toEqual(["02"]);
    expect(await search("has no")).toEqual(["03"]);
    expect(await search("nowhere")).toEqual([]);
    expect(await search("%")).toEqual([]);

    await database.query(
      `insert into system.workflow_runs (workflow_id, version_id, execute_as_user_id, input, status, finished_at, accepted_at)
       select workflow_id, version_id, execute_as_user_id, '{}', 'SUCCEEDED', finished_at, '2026-03-02T00:00:00Z'::timestamptz + n * interval '1 second'
       from system.workflow_runs, generate_series(1, 2500) n
       where workflow_id = $1::text::uuid and accepted_at = '2026-03-01T00:00:01Z'`,
      [id],
    );
    const first = await listRuns(database, { ...runsOf(id), search: "quoted" });
    expect(first.items).toEqual([]);
    const second = await listRuns(database, {
      ...runsOf(id),
      search: "quoted",
      cursor: first.nextCursor,
    });
    expect(second.items).toEqual([]);
    const third = await listRuns(database, {
      ...runsOf(id),
      search: "quoted",
      cursor: second.nextCursor,
    });
    expect(third.items).toHaveLength(1);
    expect(third.nextCursor).toBeNull();
    await database.query("delete from system.workflow_runs where workflow_id = $1::text::uuid", [
      id,
    ]);
  });
});

describe("the steps of a run", () => {
  it("steps show their inputs and outputs with every digit, page by page", async () => {
    const { database } = environment;
    const { slug, id } = await environment.publish(
      [
        {
          id: "loop",
          kind: "forEach",
          items: "{{start.data.body.items}}",
          concurrency: 3,
          steps: [
            {
              id: "row",
              kind: "createRow",
              table: "trip",
              values: { note: "{{index}}: {{item.n}}" },
            },
          ],
        },
        {
          id: "found",
          kind: "listRows",
          table: "trip",
          where: { note: { _eq: "{{start.data.body.like}}" } },
        },
        { id: "end", kind: "finish", result: "{{steps.loop.0.note}}" },
      ],
      later,
    );
    const { run } = (
      await environment.call(slug, {
        body: '{"items":[{"n":1.10},{"n":9007199254740993}],"like":"$USER.id"}',
      })
    ).body.data;
    await ended(run).toMatchObject({ status: "SUCCEEDED" });
    const read = await readRun(database, id, run);
    expect(read).toMatchObject({ stepCount: 5, versionNumber: 1 });
    expect(toJson(read.input)).toContain('"n":9007199254740993');
    const inputs = new Map(read.steps.map((step) => [step.path, toJson(step.input)]));
    expect(inputs).toEqual(
      new Map([
        ["loop", '{"items":[{"n":1.10},{"n":9007199254740993}]}'],
        ["loop.0.row", '{"values":{"note":"0: 1.10"}}'],
        ["loop.1.row", '{"values":{"note":"1: 9007199254740993"}}'],
        ["found", '{"where":{"note":{"_eq":"$$USER.id"}}}'],
        ["end", "null"],
      ]),
    );
    const first = await listRunSteps(database, run, { ...allSteps, limit: 2 });
    const rest = await listRunSteps(database, run, { ...allSteps, cursor: first.nextCursor });
    expect([...first.items, ...rest.items].map((step) => step.path)).toEqual([...inputs.keys()]);
    const paths = async (more: object) =>
      (await listRunSteps(database, run, { ...allSteps, ...more })).items.map((step) => step.path);
    expect(await paths({ kinds: ["createRow"] })).toEqual(["loop.0.row", "loop.1.row"]);
    expect(await paths({ statuses: ["FAILED", "WAITING"] })).toEqual([]);
    expect(await paths({ search: "LOOP.1" })).toEqual(["loop.1.row"]);
    expect(await paths({ search: "0: 1.10" })).toEqual(["loop", "loop.0.row", "end"]);
  });

  it("steps show neither secrets nor credentials nor large inputs", async () => {
    await secretsOfWorkflows.create(
      { ...environment, vault },
      { name: "CANARY", value: "canary-of-history" },
      actor,
    );
    const { slug } = await environment.publish(
      [
        {
          id: "call",
          kind: "httpRequest",
          method: "POST",
          url: "http://192.0.2.1/{{start.data.body.path}}?key={{secrets.CANARY}}",
          headers: {
            Authorization: "Bearer {{start.data.body.token}}",
            "x-key": "k {{secrets.CANARY}}",
          },
          auth: {
            kind: "apiKey",
            in: "header",
            name: "x-token",
            value: "{{start.data.body.token}}",
          },
          onError: "continue",
          timeoutMs: 200,
        },
        {
          id: "row",
          kind: "createRow",
          table: "trip",
          values: { note: "{{start.data.body.large}}" },
          onError: "continue",
        },
        {
          id: "bad",
          kind: "createRow",
          table: "trip",
          values: { note: "{{start.data.body.missing}}" },
          onError: "continue",
        },
      ],
      later,
    );
    const body = { path: "a b", token: "caller-token", large: "x".repeat(70_000) };
    const { run } = (await environment.call(slug, { body })).body.data;
    await ended(run).toMatchObject({ status: "SUCCEEDED" });
    expect(await inputsOf(run)).toEqual([
      [
        "call",
        {
          auth: { kind: "apiKey", in: "header", name: "x-token", value: "[redacted]" },
          body: null,
          headers: { authorization: "[redacted]", "x-key": "k [redacted]" },
          query: {},
          url: "http://192.0.2.1/a%20b?key=[redacted]",
        },
      ],
      ["row", null],
      ["bad", null],
    ]);
  });

  it("steps of a definition that this release cannot read are still listed", async () => {
    const { database } = environment;
    const { id } = await environment.publish([{ id: "end", kind: "finish" }]);
    const [version] = await database.query<{ id: string }>(
      `insert into system.workflow_versions (workflow_id, number, definition)
       values ($1::text::uuid, 2, '{"steps":[{"id":"a","kind":"ofAnotherTime"}]}') returning id`,
      [id],
    );
    const run = randomUUID();
    await insertRuns(id, [{ id: run, version_id: version?.id }]);
    await database.query(
      `insert into system.workflow_run_steps (run_id, path, position, kind, status, output, fence, started_at)
       values ($1::text::uuid, 'a', 0, 'ofAnotherTime', 'SUCCEEDED', '7', 1, now())`,
      [run],
    );
    expect((await readRun(database, id, run)).steps).toMatchObject([{ input: null, output: 7 }]);
  });

  it("derived inputs equal the real ones, after failures, retries and handlers", () => {
    const row = (
      id: string,
      note: string,
      more: object = {},
    ): DefinitionInput["steps"][number] => ({
      id,
      kind: "createRow",
      table: "trip",
      values: { note, all: '{{vars.v ?? 0}} {{errors.a.code ?? ""}} {{steps.a.note ?? ""}}' },
      ...more,
    });
    const definition = compileDefinition(
      parseDefinition(
        {
          trigger: { kind: "webhook" },
          steps: [
            row("a", "{{start.data.n}}", {
              onError: { steps: [row("h", "handled {{errors.a.code}}")] },
            }),
            { id: "set", kind: "setValues", values: { v: '{{steps.a.note ?? "none"}}' } },
            {
              id: "loop",
              kind: "forEach",
              items: [3, 4, 5],
              concurrency: 2,
              onError: "continue",
              steps: [
                row("b", "{{item}}/{{index}}", { retry: { attempts: 2, delayMs: 100 } }),
                {
                  id: "c",
                  kind: "condition",
                  expression: "index > 0",
                  // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
                  then: [
                    row("d", "{{steps.b.note}}"),
                    { id: "nap", kind: "delay", seconds: "{{index}}" },
                  ],
                },
              ],
            },
            row("z", '{{steps.loop.0 ?? ""}}'),
          ],
        },
        "",
      ),
    ).compiled;
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 12 }), fc.nat(30), (faults, stopAfter) => {
        const given = new Map<string, string>();
        const journal = new Map<string, JournalRecord>();
        const machine = new Interpretation(new Map(), {
          clock: () => 0,
          random: () => 0.5,
          pauseAfterMs: Number.POSITIVE_INFINITY,
        });
        const write = (entry: JournalEntry) =>
          journal.set(entry.path, { ...entry, dueInMs: entry.resumeInMs, childEnd: null });
        const next: Pending[] = machine.start(definition, { n: 1 });
        let count = 0;
        for (let pending = next.shift(); pending !== undefined; pending = next.shift()) {
          if (pending.withdrawn) continue;
          const { request } = pending;
          pending.started = true;
          if (request.kind === "EFFECT") given.set(request.path, toJson(request.input));
          const isFault = request.kind === "EFFECT" && faults[count] === true;
          if (request.kind === "EFFECT") count += 1;
          // The worker is killed here: only the journal is left.
          if (count > stopAfter) break;
          const output = request.kind === "EFFECT" ? (request.input.values as object) : null;
          const answer = isFault
            ? ({ kind: "FAULT", error: new RunFault("NOPE", "no") } as const)
            : ({ kind: "OUTPUT", output } as const);
          next.push(
            ...machine.resume(pending, request.kind === "EFFECT" ? answer : { kind: "DUE" }),
          );
          for (const entry of machine.pending.splice(0)) write(entry);
        }
        const effects = new Set([...journal.keys()].filter((path) => given.has(path)));
        const derived = deriveInputs(definition, { n: 1 }, journal, effects);
        expect(new Map([...derived].map(([path, input]) => [path, toJson(input)]))).toEqual(
          new Map([...given].filter(([path]) => effects.has(path))),
        );
        expect(effects.size).toBeGreaterThan(stopAfter === 0 ? -1 : 0);
      }),
      { numRuns: generatedRuns(500) },
    );
  });
});

describe("canceling a run from another process than its worker's", () => {
  it("a run is canceled while it is queued, in progress, parked, or waiting for another run", async () => {
    const { database } = environment;
    environment.startWorker();
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    let entered = () => {};
    const inside = new Promise<void>((resolve) => {
      entered = resolve;
    });
    environment.rows.onCreate = () => {
      entered();
      return left;
    };
    const two = await environment.publish(
      [
        { id: "row", kind: "createRow", table: "trip", values: { note: "kept" } },
        { id: "never", kind: "createRow", table: "trip", values: { note: "never" } },
      ],
      later,
    );
    const running = (await environment.call(two.slug)).body.data.run;
    await inside;
    expect(await cancelRun(database, two.id, running, actor)).toMatchObject({
      status: "RUNNING",
      cancelRequestedAt: expect.any(String),
    });
    leave();
    await ended(running).toMatchObject({ status: "CANCELLED" });
    environment.rows.onCreate = async () => {};
    expect(await database.query("select 1 from trip where note = 'never'")).toEqual([]);
    expect((await readRun(database, two.id, running)).steps.map((step) => step.path)).toEqual([
      "row",
    ]);

    const nap = await environment.publish([{ id: "nap", kind: "delay", seconds: 600 }], later);
    const resting = (await environment.call(nap.slug)).body.data.run;
    await expect.poll(async () => (await readRun(database, nap.id, resting)).stepCount).toBe(1);
    const outer = await environment.publish(
      [{ id: "sub", kind: "runWorkflow", workflow: nap.slug }],
      later,
    );
    const waiting = (await environment.call(outer.slug)).body.data.run;
    const child = async () =>
      (await readRun(database, outer.id, waiting)).steps[0]?.childRunId ?? "";
    await expect.poll(child).not.toBe("");
    await sleep(300);
    expect(await cancelRun(database, nap.id, resting, actor)).toMatchObject({
      status: "CANCELLED",
    });
    expect(await cancelRun(database, outer.id, waiting, actor)).toMatchObject({
      status: "CANCELLED",
    });
    await ended(await child()).toMatchObject({ status: "CANCELLED" });

    await Promise.all([...environment.workers].map((one) => one.close()));
    environment.workers.clear();
    const queued = (await environment.call(nap.slug)).body.data.run;
    expect(await cancelRun(database, nap.id, queued, actor)).toMatchObject({ status: "CANCELLED" });
    environment.startWorker();
    await expect(cancelRun(database, nap.id, queued, actor)).rejects.toMatchObject({
      code: "CONFLICT",
    });
    const entries = await database.query<{ action: string }>(
      "select action from system.audit_log where action = 'workflow.cancel_run'",
    );
    expect(entries).toHaveLength(4);
  });
});
