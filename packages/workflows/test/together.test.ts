// Tier: long. One of the longest files; batch.test.ts is in every run.
import { randomUUID } from "node:crypto";
import type { Database } from "@rowhouse/db";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Claim, LeaseLost } from "../src/model/run.ts";
import { type AcceptanceRequest, type CallPermit, createAcceptRun } from "../src/run/accept-run.ts";
import { createClaimRun } from "../src/run/claim-run.ts";
import { createJournalWriter } from "../src/run/write-journal.ts";
import { createLoadWebhook } from "../src/webhook/load-webhook.ts";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// Requests that arrive in the same tick share one statement. Each must have the same result as if it were alone.

let environment: TestEnvironment;
let statements: string[];
/** The environment's database, with a record of its statements. */
let database: Database;
beforeEach(async () => {
  environment = await openTestEnvironment({ workers: 0, reconcileEveryMs: 60_000 });
  statements = [];
  database = {
    ...environment.database,
    query: (text, ...rest) => {
      statements.push(text);
      return environment.database.query(text, ...rest);
    },
  };
});
afterEach(() => environment.close());

async function requestOf(id: string, more: Partial<AcceptanceRequest["run"]> = {}) {
  const [version] = await environment.database.query<{ id: string }>(
    "select published_version_id as id from system.workflows where id = $1::text::uuid",
    [id],
  );
  return (n: number): AcceptanceRequest => ({
    run: {
      id: randomUUID(),
      workflowId: id,
      versionId: version?.id ?? "",
      input: `{"n":${n}}`,
      callerUserId: null,
      executeAsUserId: environment.userId,
      token: null,
      replyChannel: null,
      requestId: `request-${n}`,
      traceParent: null,
      priority: "NORMAL",
      ...more,
    },
  });
}
const finish = [{ id: "end", kind: "finish" as const, result: 1 }];
const range = (count: number) => Array.from({ length: count }, (_, n) => n);
const accept = async (id: string, count: number) => {
  const request = await requestOf(id);
  const acceptRun = createAcceptRun(environment.database);
  return Promise.all(
    range(count).map(async (n) => {
      const one = request(n);
      await acceptRun(one);
      return one.run.id;
    }),
  );
};

describe("webhooks that are read together", () => {
  it("each webhook of a batch is read in its current state", async () => {
    const [one, two, closed] = await Promise.all([1, 2, 3].map(() => environment.publish(finish)));
    await environment.database.query(
      "update system.workflows set enabled = false where id = $1::text::uuid",
      [closed?.id ?? ""],
    );
    const loadWebhook = createLoadWebhook(database, environment.versions);
    const slugs = [one, two, closed].map((flow) => flow?.slug ?? "");
    const asked = range(20).map((n) => slugs[n % 3] ?? "");
    const found = await Promise.all(asked.map(loadWebhook));
    expect(found.map((webhook) => webhook?.workflowId)).toEqual(
      range(20).map((n) => [one?.id, two?.id, undefined][n % 3]),
    );
    expect(statements.length).toBeLessThan(6);
    // A text that PostgreSQL cannot parse fails only its own request.
    const outcomes = await Promise.allSettled(["x", asked[0] ?? "", "\0"].map(loadWebhook));
    expect(outcomes).toMatchObject([
      { value: undefined },
      { value: { workflowId: one?.id } },
      { status: "rejected" },
    ]);
  });
});

describe("runs that are accepted together", () => {
  it("each run of a batch is written as sent", async () => {
    const { id } = await environment.publish(finish);
    const request = await requestOf(id);
    const requests = range(30).map((n) => ({
      ...request(n),
      ...(n % 3 === 0 ? { slot: { owner: `owner-${n}`, leaseMs: 60_000 } } : {}),
    }));
    const accepted = await Promise.all(requests.map(createAcceptRun(database)));
    expect(accepted.map((one) => one?.kind)).toEqual(
      range(30).map((n) => (n % 3 === 0 ? "HELD" : "QUEUED")),
    );
    expect(statements.length).toBeLessThan(10);
    const rows = await environment.database.query<{ id: string; n: number; owner: string | null }>(
      "select id, (input ->> 'n')::integer as n, lease_owner as owner from system.workflow_runs where request_id = 'request-' || (input ->> 'n') order by 2",
    );
    expect(rows).toEqual(
      requests.map(({ run, slot }, n) => ({ id: run.id, n, owner: slot?.owner ?? null })),
    );
  });

  it("a rejected run of a batch does not affect the others", async () => {
    const [open, closed] = await Promise.all([
      environment.publish(finish),
      environment.publish(finish),
    ]);
    await environment.database.query(
      "update system.workflows set enabled = false where id = $1::text::uuid",
      [closed.id],
    );
    const [good, late, broken, gone] = await Promise.all([
      requestOf(open.id),
      requestOf(closed.id),
      requestOf(open.id, { input: "{" }),
      // The claim fails this run.
      requestOf(open.id, { executeAsUserId: randomUUID() }),
    ]);
    const outcomes = await Promise.allSettled(
      [good(0), gone(1), broken(2), late(3), good(4)].map(createAcceptRun(database)),
    );
    expect(outcomes).toMatchObject([
      { value: { kind: "QUEUED" } },
      { value: { kind: "QUEUED" } },
      { status: "rejected" },
      { value: undefined },
      { value: { kind: "QUEUED" } },
    ]);
    const [row] = await environment.database.query<{ count: number }>(
      "select count(*)::integer as count from system.workflow_runs",
    );
    expect(row?.count).toBe(3);
  });
});

describe("runs that are accepted with a permit", () => {
  // Stands for credentials, whose gate is in a package of the same level.
  const gate = {
    types: ["text", "bigint"],
    from: "(select pg_catalog.sum(level) as proof from public.levels) as gate",
    sql: ([name, level]: readonly string[]) =>
      `select from public.callers c where c.name = ${name} and gate.proof = ${level} limit 1`,
  };
  const permitted = async () => {
    const flow = await environment.publish(finish);
    const [role] = await environment.database.query<{ id: string }>(
      `with role as (insert into system.roles (name) values ($2::text) returning id)
       insert into system.workflow_invoke_grants (workflow_id, role_id) select $1::text::uuid, id from role returning role_id as id`,
      [flow.id, flow.slug],
    );
    const request = await requestOf(flow.id);
    const permit = (name: string, more: Partial<CallPermit> = {}): CallPermit => ({
      ...{ slug: flow.slug, roleId: role?.id ?? "", gate, values: [name, "3"] },
      ...more,
    });
    return { flow, request, permit };
  };
  beforeEach(async () => {
    await environment.database.query(
      "create table public.levels as select 3 as level; create table public.callers as select 'one' as name union all select 'two'",
    );
  });

  it("each run of a batch is accepted only if its own permit holds", async () => {
    const [first, second] = [await permitted(), await permitted()];
    const requests = [
      { ...first.request(0), permit: first.permit("one") },
      { ...first.request(1), permit: first.permit("nobody") },
      { ...second.request(2), permit: second.permit("two") },
      { ...second.request(3), permit: second.permit("two", { values: ["two", "2"] }) },
      { ...second.request(4), permit: second.permit("two", { roleId: first.permit("").roleId }) },
      { ...second.request(5), permit: second.permit("two", { slug: first.flow.slug }) },
      {
        ...first.request(6),
        slot: { owner: "owner", leaseMs: 1_000 },
        permit: first.permit("two"),
      },
      first.request(7),
    ];
    const acceptRun = createAcceptRun(database);
    const accepted = await Promise.all(requests.map(acceptRun));
    const kinds = [
      "QUEUED",
      undefined,
      "QUEUED",
      undefined,
      undefined,
      undefined,
      "HELD",
      "QUEUED",
    ];
    expect(accepted.map((one) => one?.kind)).toEqual(kinds);
    expect(statements.length).toBeLessThan(4);
    // Alone, each has the same answer.
    for (const [n, request] of requests.entries()) {
      const again = { ...request, run: { ...request.run, id: randomUUID() } };
      expect((await acceptRun(again))?.kind).toBe(kinds[n]);
    }
  });

  it("a run that the statement cannot write does not affect the others", async () => {
    const { request, permit } = await permitted();
    const broken = request(1);
    const outcomes = await Promise.allSettled(
      [
        { ...request(0), permit: permit("one") },
        { run: { ...broken.run, input: "{" }, permit: permit("one") },
        { ...request(2), permit: permit("one", { values: ["one", "no number"] }) },
        { ...request(3), permit: permit("two") },
      ].map(createAcceptRun(database)),
    );
    expect(outcomes).toMatchObject([
      { value: { kind: "QUEUED" } },
      { status: "rejected" },
      { status: "rejected" },
      { value: { kind: "QUEUED" } },
    ]);
  });
});

describe("runs that are claimed together", () => {
  it("each run of a batch is claimed once, within the limit of its workflow", async () => {
    const [free, limited] = await Promise.all([
      environment.publish(finish),
      environment.publish(finish, {}, { concurrency: 2 }),
    ]);
    const runs = [...(await accept(free.id, 20)), ...(await accept(limited.id, 5))];
    const [ended, parked, first] = runs;
    await environment.database.query(
      "update system.workflow_runs set status = 'CANCELLED', finished_at = now() where id = $1::text::uuid",
      [ended ?? ""],
    );
    await environment.database.query(
      "update system.workflow_runs set wake_at = now() + interval '1 hour' where id = $1::text::uuid",
      [parked ?? ""],
    );
    const claimRun = createClaimRun(database, "me", 60_000);
    // One of them twice.
    const claims = await Promise.all([...runs, first ?? ""].map(claimRun));
    expect(claims.slice(0, 2)).toEqual([undefined, undefined]);
    const got = claims.filter((claim) => claim !== undefined);
    expect(got.map(({ fence }) => fence)).toEqual(got.map(() => "1"));
    expect(new Set(got.map(({ runId }) => runId)).size).toBe(20);
    expect(got.filter(({ workflowId }) => workflowId === free.id)).toHaveLength(18);
    expect(got.filter(({ isLimited }) => isLimited)).toHaveLength(2);
    for (const { runId, input } of got.filter(({ isLimited }) => !isLimited)) {
      expect(String((input as { n: unknown }).n)).toBe(String(runs.indexOf(runId)));
    }
    const rows = await environment.database.query<{ id: string }>(
      "select id from system.workflow_runs where lease_owner = 'me' and status = 'RUNNING'",
    );
    expect(rows.map(({ id }) => id).sort()).toEqual(got.map(({ runId }) => runId).sort());
  });
});

describe("runs that end together", () => {
  const claimed = async (count: number) => {
    const { id } = await environment.publish(finish);
    const runs = await accept(id, count);
    const claims = await Promise.all(runs.map(createClaimRun(environment.database, "me", 60_000)));
    return claims.filter((claim) => claim !== undefined);
  };
  const endOf = ({ runId, fence }: Claim, n: number, outcome = {}) => ({
    runId,
    fence,
    entries: ["first", "second"].map((path, position) => ({
      path,
      position,
      kind: "finish",
      status: "SUCCEEDED" as const,
      output: n,
      error: null,
      attempt: 1,
      resumeInMs: null,
      childRunId: null,
      startedAt: 0,
      finishedAt: 0,
    })),
    outcome: { status: "SUCCEEDED" as const, result: { n }, error: null, ...outcome },
    cancellableAfter: undefined,
  });

  it("each run of a batch has its own end and steps, and a lost lease is reported to its holder", async () => {
    const claims = await claimed(20);
    const journal = createJournalWriter(database);
    const lost = 7;
    const failed = 11;
    const error = { code: "STEP_FAILED", message: 'It\'s "so"', step: "first" };
    await environment.database.query(
      "update system.workflow_runs set fence = 2 where id = $1::text::uuid",
      [claims[lost]?.runId ?? ""],
    );
    const outcomes = await Promise.allSettled(
      claims.map((claim, n) =>
        journal.write(
          database,
          endOf(claim, n, n === failed ? { status: "FAILED", result: null, error } : {}),
        ),
      ),
    );
    expect(statements.length).toBeLessThan(10);
    for (const [n, outcome] of outcomes.entries()) {
      const id = claims[n]?.runId;
      if (n === lost) {
        expect(outcome).toMatchObject({ reason: expect.any(LeaseLost) });
        continue;
      }
      const ended =
        n === failed
          ? { id, status: "FAILED", result: "null", error: JSON.stringify(error) }
          : { id, status: "SUCCEEDED", result: `{"n":${n}}`, error: null };
      expect(outcome).toEqual({ status: "fulfilled", value: { ended, cancelling: false } });
      const [row] = await environment.database.query<{ result: string; steps: string }>(
        `select result::text, (select string_agg(path || output::text, ' ' order by position)
           from system.workflow_run_steps where run_id = r.id) as steps
         from system.workflow_runs r where id = $1::text::uuid`,
        [id ?? ""],
      );
      expect(row).toEqual({ result: ended.result, steps: `first${n} second${n}` });
    }
  });

  it("runs of a batch end even if a deadlock rolled their statement back", async () => {
    const [first, other, locked] = await claimed(3);
    if (first === undefined || other === undefined || locked === undefined) {
      throw new Error("no claims");
    }
    const journal = createJournalWriter(database);
    let ending: Promise<PromiseSettledResult<unknown>[]> | undefined;
    await environment.database.transaction(async (transaction) => {
      const lock = ({ runId }: Claim) =>
        transaction.query(
          "select from system.workflow_runs where id = $1::text::uuid for no key update",
          [runId],
        );
      await lock(locked);
      ending = Promise.allSettled(
        [first, other, locked].map((claim, n) => journal.write(database, endOf(claim, n))),
      );
      await expect
        .poll(() =>
          transaction.query(
            "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          ),
        )
        .toHaveLength(1);
      await lock(other);
    });
    expect((await ending)?.map(({ status }) => status)).toEqual(range(3).map(() => "fulfilled"));
  });

  it("two claims of one run in a batch are distinguished by their fencing numbers", async () => {
    const [claim] = await claimed(1);
    if (claim === undefined) throw new Error("no claim");
    await environment.database.query(
      "update system.workflow_runs set fence = 2 where id = $1::text::uuid",
      [claim.runId],
    );
    const journal = createJournalWriter(database);
    const others = await claimed(2);
    const [, , before, now] = await Promise.allSettled([
      ...others.map((other, n) => journal.write(database, endOf(other, n))),
      journal.write(database, endOf(claim, 1)),
      journal.write(database, endOf({ ...claim, fence: "2" }, 2)),
    ]);
    expect(before).toMatchObject({ reason: expect.any(LeaseLost) });
    expect(now).toMatchObject({ value: { ended: { result: '{"n":2}' } } });
  });
});
