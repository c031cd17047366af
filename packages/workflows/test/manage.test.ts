import type { Queryable } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  addInvokeGrant,
  cancelRun,
  createWorkflow,
  deleteWorkflow,
  listRuns,
  listWorkflows,
  publishWorkflow,
  purgeHistory,
  readRun,
  requireWorkflow,
  setWorkflowEnabled,
  testWorkflow,
  updateWorkflow,
} from "../src/index.ts";
import {
  actor,
  asTest,
  openTestEnvironment,
  runsOf,
  type TestEnvironment,
  vault,
} from "./test-environment.ts";

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await openTestEnvironment({ workers: 0, reconcileEveryMs: 60_000 });
});
afterAll(() => environment.close());

const unknown = "00000000-0000-4000-8000-00000000000f";
const definition = (result: unknown = 1, executeAs: string | null = environment.userId) => ({
  trigger: { kind: "webhook", executeAs },
  steps: [{ id: "end", kind: "finish", result }],
});

async function failure(call: Promise<unknown>): Promise<AppError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof AppError) return error;
  throw error ?? new Error("the call succeeded");
}

describe("a workflow", () => {
  it("a workflow is created as a draft, published as numbered versions, enabled and disabled, and each change is audited", async () => {
    const { database } = environment;
    const created = await createWorkflow(
      database,
      { slug: "a", name: "A", definition: definition() },
      actor,
    );
    expect(created).toMatchObject({ slug: "a", enabled: false, published: null });
    expect(await failure(setWorkflowEnabled(database, created.id, true, actor))).toMatchObject({
      status: 409,
    });
    const first = await publishWorkflow({ database, vault }, created.id, actor);
    expect(first.published).toMatchObject({ number: 1 });
    const changed = await updateWorkflow(
      database,
      created.id,
      { definition: definition(2), name: "B" },
      actor,
    );
    expect(changed).toMatchObject({
      name: "B",
      published: { versionId: first.published?.versionId },
    });
    expect((await publishWorkflow({ database, vault }, created.id, actor)).published).toMatchObject(
      {
        number: 2,
      },
    );
    expect((await setWorkflowEnabled(database, created.id, true, actor)).enabled).toBe(true);
    expect((await setWorkflowEnabled(database, created.id, false, actor)).enabled).toBe(false);
    await deleteWorkflow(database, created.id, actor);
    expect(await failure(requireWorkflow(database, created.id))).toMatchObject({
      code: "NOT_FOUND",
    });
    const entries = await database.query<{ action: string }>(
      "select action from system.audit_log where target_id = $1::text order by id",
      [created.id],
    );
    expect(entries.map((entry) => entry.action)).toEqual([
      "workflow.create",
      "workflow.publish",
      "workflow.update",
      "workflow.publish",
      "workflow.enable",
      "workflow.disable",
      "workflow.delete",
    ]);
  });

  it("a workflow with an invalid slug, name or shape, or with a slug in use, is not stored", async () => {
    const { database } = environment;
    const create = (input: object) => createWorkflow(database, input, actor);
    expect((await failure(create({}))).faults.map((fault) => fault.path)).toEqual([
      "/data/slug",
      "/data/name",
    ]);
    for (const slug of ["", "A", "-a", "a-", "a_b", "a/b", "ä", "a".repeat(81), 1]) {
      expect(await failure(create({ slug, name: "A", definition: definition() }))).toMatchObject({
        faults: [{ code: "BODY_INVALID", path: "/data/slug" }],
      });
    }
    expect(
      (await failure(create({ slug: "shape", name: "A", definition: { steps: 1 } }))).faults.map(
        (fault) => fault.path,
      ),
    ).toEqual(["/data/definition/trigger", "/data/definition/steps"]);
    await create({ slug: "used", name: "A", definition: definition() });
    expect(
      await failure(create({ slug: "used", name: "A", definition: definition() })),
    ).toMatchObject({
      status: 409,
      faults: [{ code: "UNIQUE_VIOLATION", path: "/data/slug" }],
    });
  });

  it("a workflow of a missing or inactive user is not published, and the published version stays", async () => {
    const { database } = environment;
    const { id } = await createWorkflow(
      database,
      { slug: "user", name: "A", definition: definition() },
      actor,
    );
    const before = await publishWorkflow({ database, vault }, id, actor);
    for (const executeAs of [unknown, null]) {
      await updateWorkflow(database, id, { definition: definition(1, executeAs) }, actor);
      expect(await failure(publishWorkflow({ database, vault }, id, actor))).toMatchObject({
        status: 400,
        faults: [{ code: "WORKFLOW_INVALID", path: "/trigger/executeAs" }],
      });
    }
    expect((await requireWorkflow(database, id)).published).toEqual(before.published);
  });

  it("no SQL client can change a published version", async () => {
    await expect(
      environment.database.query("update system.workflow_versions set definition = '{}'"),
    ).rejects.toThrow("A published version does not change");
  });

  it("workflows are listed page by page and found by part of their name", async () => {
    const { database } = environment;
    for (const slug of ["page-1", "page-2", "page-3"]) {
      await createWorkflow(
        database,
        { slug, name: `Find ${slug}`, definition: definition() },
        actor,
      );
    }
    const first = await listWorkflows(database, { limit: 2, cursor: null, search: "FIND" });
    expect(first.items.map((item) => item.slug)).toEqual(["page-1", "page-2"]);
    const second = await listWorkflows(database, {
      limit: 2,
      cursor: first.nextCursor,
      search: "FIND",
    });
    expect(second.items.map((item) => item.slug)).toEqual(["page-3"]);
    expect(second.nextCursor).toBeNull();
  });

  it("a workflow with an open run is not deleted", async () => {
    const { slug, id } = await environment.publish([{ id: "end", kind: "finish" }], {
      response: "ASYNCHRONOUS",
    });
    await environment.call(slug);
    expect(await failure(deleteWorkflow(environment.database, id, actor))).toMatchObject({
      status: 409,
    });
    expect((await requireWorkflow(environment.database, id)).enabled).toBe(true);
  });

  it("a workflow is not deleted while a run is being accepted; a later call finds no workflow", async () => {
    const { database } = environment;
    const { slug, id } = await environment.publish([{ id: "end", kind: "finish" }], {
      response: "ASYNCHRONOUS",
    });
    const blocked = () =>
      database.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
    const accept = (on: Queryable) =>
      on.query(
        `insert into system.workflow_runs (workflow_id, version_id, input, execute_as_user_id)
         select id, published_version_id, '{}', $2::text::uuid from system.workflows where id = $1::text::uuid returning id`,
        [id, environment.userId],
      );
    let deleted: Promise<unknown> = Promise.resolve();
    await database.transaction(async (transaction) => {
      await accept(transaction);
      deleted = deleteWorkflow(database, id, actor).catch((error: unknown) => error);
      await expect.poll(blocked).toHaveLength(1);
    });
    expect(await deleted).toMatchObject({ code: "CONFLICT" });
    await database.query("delete from system.workflow_runs where workflow_id = $1::text::uuid", [
      id,
    ]);

    let called: Promise<unknown> = Promise.resolve();
    await database.transaction(async (transaction) => {
      const lock = "select 1 from system.workflows where id = $1::text::uuid for update";
      await transaction.query(lock, [id]);
      called = environment.call(slug).catch((error: unknown) => error);
      await expect.poll(blocked).toHaveLength(1);
      await transaction.query("delete from system.workflows where id = $1::text::uuid", [id]);
    });
    expect(await called).toMatchObject({ code: "WORKFLOW_NOT_FOUND" });
  });

  it("the draft that was checked is the one that is published or tested, even if it is changed meanwhile", async () => {
    const { database } = environment;
    const { id } = await environment.publish([{ id: "end", kind: "finish" }]);
    const broken = JSON.stringify({ ...definition(), steps: [] });
    for (const begin of [
      () => publishWorkflow({ database, vault }, id, actor),
      () => testWorkflow({ database, vault }, id, asTest({}), actor),
    ]) {
      let begun: Promise<unknown> = Promise.resolve();
      await database.transaction(async (transaction) => {
        await transaction.query(
          "select 1 from system.workflows where id = $1::text::uuid for update",
          [id],
        );
        begun = begin().catch((error: unknown) => error);
        const blocked =
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
        await expect.poll(() => database.query(blocked)).toHaveLength(1);
        await transaction.query(
          "update system.workflows set draft = $2::text::json where id = $1::text::uuid",
          [id, broken],
        );
      });
      expect(await begun).toMatchObject({ code: "WORKFLOW_INVALID" });
      await updateWorkflow(database, id, { definition: definition() }, actor);
    }
    expect((await requireWorkflow(database, id)).published?.number).toBe(1);
  });

  it("unknown ids and roles are reported as missing", async () => {
    const { database } = environment;
    const { id } = await environment.publish([{ id: "end", kind: "finish" }]);
    for (const strange of [unknown, "no id", "' or true"]) {
      expect(await failure(requireWorkflow(database, strange))).toMatchObject({
        code: "NOT_FOUND",
      });
      expect(await failure(readRun(database, id, strange))).toMatchObject({ code: "NOT_FOUND" });
      expect(await failure(addInvokeGrant(database, id, strange, actor))).toMatchObject({
        faults: [{ code: "BODY_INVALID", path: "/data/roleId" }],
      });
    }
  });
});

describe("the history", () => {
  it("runs are listed newest first, and each is shown with its journal", async () => {
    const { database } = environment;
    const { slug, id } = await environment.publish(
      [
        { id: "set", kind: "setValues", values: { a: "{{start.data.body.a}}" } },
        { id: "bad", kind: "finish", result: "{{vars.b}}" },
      ],
      { response: "ASYNCHRONOUS" },
    );
    const runs: string[] = [];
    for (const a of [1, 2, 3])
      runs.push((await environment.call(slug, { body: { a } })).body.data.run);
    const cancelled = await cancelRun(database, id, runs[0] ?? "", actor);
    expect(cancelled).toMatchObject({ status: "CANCELLED", steps: [] });
    expect(await failure(cancelRun(database, id, runs[0] ?? "", actor))).toMatchObject({
      status: 409,
    });
    const worker = environment.startWorker();
    await expect.poll(() => environment.readRun(runs[2] ?? "")).toMatchObject({ status: "FAILED" });
    await worker.close();
    environment.workers.delete(worker);
    const page = await listRuns(database, { ...runsOf(id), limit: 2 });
    expect(page.items.map((run) => run.id)).toEqual([runs[2], runs[1]]);
    const next = await listRuns(database, { ...runsOf(id), limit: 2, cursor: page.nextCursor });
    expect(next.items.map((run) => run.id)).toEqual([runs[0]]);
    expect(
      (await listRuns(database, { ...runsOf(id), statuses: ["CANCELLED"] })).items,
    ).toHaveLength(1);
    expect(await readRun(database, id, runs[2] ?? "")).toMatchObject({
      status: "FAILED",
      error: { code: "TEMPLATE_ERROR", step: "bad", message: "{{vars.b}} has no value" },
      input: { body: { a: 3 } },
      result: null,
      steps: [
        { path: "set", kind: "setValues", status: "SUCCEEDED", output: { a: 3 } },
        { path: "bad", kind: "finish", status: "FAILED", error: { code: "TEMPLATE_ERROR" } },
      ],
    });
  });

  it("finished runs are deleted after their retention, and open ones are not", async () => {
    const { database } = environment;
    const { slug } = await environment.publish([{ id: "end", kind: "finish" }], {
      response: "ASYNCHRONOUS",
    });
    await environment.call(slug);
    await database.query(
      "update system.workflow_runs set accepted_at = now() - interval '31 days'",
    );
    const finished = await database.query<{ id: string }>(
      "update system.workflow_runs set finished_at = now() - interval '31 days' where finished_at is not null returning id",
    );
    expect(finished.length).toBeGreaterThan(0);
    expect(await purgeHistory(database, 30)).toBe(finished.length);
    const left = await database.query<{ status: string }>(
      "select status from system.workflow_runs",
    );
    expect(left.length).toBeGreaterThan(0);
    expect(left.every((run) => run.status === "QUEUED")).toBe(true);
  });
});
