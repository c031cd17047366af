// Tiers: long, topologies. Starts processes.
import { type AppProcess, startApp } from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type EventEnvironment, openEventEnvironment } from "./event-environment.ts";

// Workflows that write rows which other workflows watch, and many workers that dispatch events.

let environment: EventEnvironment;
beforeAll(async () => {
  environment = await openEventEnvironment();
});
afterAll(() => environment.stop());
beforeEach(async () => {
  await environment.sql("drop table if exists public.ping, public.pong cascade");
  for (const table of ["ping", "pong"]) {
    await environment.sql(
      `create table public.${table} (id bigint generated always as identity primary key, note text)`,
    );
    const [row] = await environment.sql<{ id: string }>(
      `select id::text as id from system.resources where relation_name = '${table}'`,
    );
    const exposed = { exposedMethods: ["GET", "POST", "PATCH", "DELETE"] };
    expect((await environment.admin("PATCH", `/resources/${row?.id}`, exposed)).status).toBe(200);
  }
});

const on = ["insert", "update", "delete"];
const create = (table: string, note: string) => ({
  id: "row",
  kind: "createRow",
  table,
  values: { note },
});
const countOf = async (table: string) => {
  const [row] = await environment.sql<{ count: number }>(
    `select count(*)::integer as count from public.${table}`,
  );
  return row?.count;
};

describe("a row that a run writes", () => {
  it("starts no run of its own workflow or of those that the run's workflow started; others receive it", async () => {
    const slug = `child-${Date.now()}`;
    const child = await environment.admin("POST", "/workflows", {
      slug,
      name: slug,
      definition: {
        trigger: { kind: "manual", executeAs: environment.userId },
        steps: [create("ping", "by the child")],
      },
    });
    await environment.admin("POST", `/workflows/${child.body.data.id}/publish`);
    await environment.admin("POST", `/workflows/${child.body.data.id}/enable`);
    const own = await environment.watch({ table: "ping", on }, [
      create("ping", "own"),
      {
        id: "change",
        kind: "updateRows",
        table: "ping",
        key: "{{steps.row.id}}",
        values: { note: "changed" },
      },
      { id: "call", kind: "runWorkflow", workflow: slug },
    ]);
    const other = await environment.watch({ table: "ping", on });
    await environment.sql("insert into ping (note) values ('from outside')");
    const heard = (await environment.inputs(other, 4)).map(
      ({ event, new: row }) => `${event} ${row?.note}`,
    );
    expect(heard).toEqual([
      "insert from outside",
      "insert own",
      "update changed",
      "insert by the child",
    ]);
    await environment.settled();
    expect(await environment.inputs(own, 1)).toMatchObject([{ new: { note: "from outside" } }]);
    const [last] = (await environment.runs(other, 4)).slice(-1);
    const detail = await environment.admin("GET", `/workflows/${other}/runs/${last?.id}`);
    const [cause] = await environment.sql<{ workflow: string; depth: number }>(
      `select c.workflow_id as workflow, r.depth from system.workflow_runs r
       join system.workflow_runs c on c.id = $2::text::uuid where r.id = $1::text::uuid`,
      [last?.id ?? "", detail.body.data.causedByRunId],
    );
    // The child of the run that an outside change started, and the runs that follow from it.
    expect(cause).toEqual({ workflow: child.body.data.id, depth: 2 });
  });

  it("causes at most as many levels of runs as the limit allows; then a failed run reports it", async () => {
    const first = await environment.watch({ table: "ping", on: ["insert"] }, [
      create("pong", "to"),
    ]);
    const second = await environment.watch({ table: "pong", on: ["insert"] }, [
      create("ping", "fro"),
    ]);
    await environment.sql("insert into ping (note) values ('begin')");
    const [there, back] = [await environment.runs(first, 6), await environment.runs(second, 6)];
    expect(there.map(({ status }) => status)).toEqual(Array(6).fill("SUCCEEDED"));
    expect(back.map(({ status, error }) => error?.code ?? status)).toEqual([
      ...Array(5).fill("SUCCEEDED"),
      "EVENT_CHAIN_TOO_DEEP",
    ]);
    expect([await countOf("ping"), await countOf("pong")]).toEqual([6, 6]);
    expect(back.at(-1)?.input.new).toMatchObject({ note: "to" });
  });

  it("is distinguished from rows of other writers who name an ended run, or none", async () => {
    const id = await environment.watch({ table: "ping", on: ["insert"] });
    await environment.sql("insert into ping (note) values ('first')");
    const [run] = await environment.runs(id, 1);
    for (const name of [run?.id ?? "", "00000000-0000-0000-0000-000000000000", "x'; drop"]) {
      await environment.test.database.transaction(async (transaction) => {
        await transaction.query("select set_config('rowhouse.run', $1::text, true)", [name]);
        await transaction.query("insert into ping (note) values ('next')");
      });
    }
    await environment.runs(id, 4);
  });

  it("causes one run for each event, regardless of the number of workers and of killed workers", async () => {
    const id = await environment.watch({ table: "ping", on: ["insert"] }, [
      create("pong", "{{start.data.new.note}}"),
    ]);
    const worker = (): Promise<AppProcess> =>
      startApp("workflow-worker", {
        DATABASE_URL: environment.test.url,
        SYSTEM_DATABASE_URL: environment.test.systemUrl ?? "",
        ROWHOUSE_SECRET: "a secret of the tests' own, long enough",
      });
    const workers = await Promise.all([worker(), worker(), worker()]);
    try {
      const rounds = Array.from({ length: 20 }, (_, round) => round);
      const write = async (round: number) => {
        await environment.sql(
          `insert into ping (note) select '${round}-' || n from generate_series(1, 40) n`,
        );
        if (round === 8) await workers[0]?.stop("SIGKILL");
        if (round === 14) await workers[1]?.stop("SIGKILL");
      };
      for (const round of rounds) await write(round);
      const runs = await environment.runs(id, 800);
      expect(runs.every(({ status }) => status === "SUCCEEDED")).toBe(true);
      expect(new Set(runs.map(({ input }) => input.new?.note)).size).toBe(800);
      const [notes] = await environment.sql<{ all: number; distinct: number }>(
        'select count(*)::integer as "all", count(distinct note)::integer as "distinct" from pong',
      );
      expect(notes).toEqual({ all: 800, distinct: 800 });
      expect(await countOf("ping")).toBe(800);
    } finally {
      await Promise.all(workers.map((each) => each.stop()));
    }
  }, 180_000);
});
