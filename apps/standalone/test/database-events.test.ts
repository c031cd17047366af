import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type EventHouse, openEventHouse } from "./event-house.ts";

// What starts runs when a row changes, whoever changes it.

let house: EventHouse;
beforeAll(async () => {
  house = await openEventHouse();
}, 120_000);
afterAll(() => house.stop());
beforeEach(async () => {
  await house.sql(
    `drop table if exists public.lines, public.orders cascade;
     create table public.orders (id bigint generated always as identity primary key, status text not null default 'open',
       total numeric, note text, doc jsonb, raw json, at timestamptz, photo bytea);
     create table public.lines (id int primary key, order_id bigint references public.orders on delete cascade)`,
  );
});
const orders = { table: "orders" };
const all = { ...orders, on: ["insert", "update", "delete"] };

describe("an event", () => {
  it("has the row before and after, what changed, and when", async () => {
    const id = await house.watch(all);
    await house.sql("insert into orders (status, total) values ('open', 1.50)");
    await house.sql("update orders set status = 'done', note = 'x'");
    await house.sql("delete from orders");
    const runs = await house.runs(id, 3);
    expect(runs.map(({ status, origin }) => [status, origin])).toEqual(
      Array(3).fill(["SUCCEEDED", "EVENT"]),
    );
    const row = { id: 1, total: 1.5, doc: null, raw: null, at: null, photo: null };
    const told = { schema: "public", table: "orders", occurredAt: expect.stringMatching(/T.*Z$/) };
    const open = { ...row, status: "open", note: null };
    const done = { ...row, status: "done", note: "x" };
    expect(runs.map(({ input }) => input)).toEqual([
      { ...told, event: "insert", old: null, new: open, changed: [] },
      { ...told, event: "update", old: open, new: done, changed: ["status", "note"] },
      { ...told, event: "delete", old: done, new: null, changed: [] },
    ]);
  });

  it("has every digit, and texts that no session's settings change", async () => {
    const id = await house.watch({ ...orders, on: ["insert"] });
    await house.test.database.transaction(async (transaction) => {
      await transaction.query(
        "set local timezone = 'Asia/Tokyo'; set local bytea_output = 'escape'; set local datestyle = 'German'",
      );
      await transaction.query(
        `insert into orders (id, total, doc, raw, at, photo) overriding system value values (9007199254740993,
           123456789012345678901234567890.123456789012345678901234567890, '{"n": 9007199254740993}',
           '{"b": 1e400, "a": "\\u0000", "b": 1.10}', '2026-01-31 09:00:00.123456+09', '\\x00ff')`,
      );
    });
    const [run] = await house.runs(id, 1);
    for (const part of [
      '"id":9007199254740993,',
      '"total":123456789012345678901234567890.123456789012345678901234567890,',
      '"doc":{"n": 9007199254740993}',
      '"raw":{"b": 1e400, "a": "\\u0000", "b": 1.10}',
      '"at":"2026-01-31T00:00:00.123456+00:00"',
      '"photo":"\\\\x00ff"',
    ]) {
      expect(run?.text).toContain(part);
    }
  });

  it("is one for each row of a statement, in order, old and new side by side", async () => {
    const id = await house.watch(all);
    await house.sql("insert into orders (note) select 'n' || n from generate_series(1, 1000) n");
    await house.sql("update orders set id = default, note = note || '!' where true");
    const inputs = await house.inputs(id, 2000);
    expect(inputs.slice(0, 1000).map((input) => input.new?.note)).toEqual(
      Array.from({ length: 1000 }, (_, index) => `n${index + 1}`),
    );
    for (const input of inputs.slice(1000)) {
      expect(input.new?.note).toBe(`${input.old?.note}!`);
      expect(input.new?.id).toBe(Number(input.old?.id) + 1000);
      expect(input.changed).toEqual(["id", "note"]);
    }
  }, 120_000);

  it("comes of a statement with 10,000 rows for each of them", async () => {
    const id = await house.watch({ ...orders, on: ["insert"], filter: "start.data.new.id > 9990" });
    await house.sql("insert into orders (note) select 'n' from generate_series(1, 10000)");
    await house.settled();
    expect((await house.inputs(id, 10)).map((input) => input.new?.id)).toEqual([
      9991, 9992, 9993, 9994, 9995, 9996, 9997, 9998, 9999, 10_000,
    ]);
  }, 120_000);

  it("is there when the transaction commits, and not before; never when it is undone, wholly or to a savepoint", async () => {
    const id = await house.watch({ ...orders, on: ["insert"] });
    const insert = (note: string) => `insert into orders (note) values ('${note}')`;
    await house.test.database
      .transaction(async (transaction) => {
        await transaction.query(insert("undone"));
        throw new Error("undo");
      })
      .catch(() => {});
    await house.test.database.transaction(async (transaction) => {
      await transaction.query(insert("kept"));
      await transaction
        .savepoint(async (inner) => {
          await inner.query(insert("undone to the savepoint"));
          throw new Error("undo");
        })
        .catch(() => {});
      // Another transaction, begun later, commits and is dispatched first.
      await house.sql(insert("overtakes"));
      expect((await house.inputs(id, 1)).map((input) => input.new?.note)).toEqual(["overtakes"]);
      await transaction.query(insert("kept too"));
    });
    const notes = (await house.inputs(id, 3)).map((input) => input.new?.note);
    expect(notes.toSorted()).toEqual(["kept", "kept too", "overtakes"]);
    await house.settled();
    await house.runs(id, 3);
  });

  it("comes of rows that a cascade deletes, and of both sides of an upsert and a merge", async () => {
    const lines = await house.watch({ table: "lines", on: ["delete"] });
    const events = await house.watch({ ...orders, on: ["insert", "update"] });
    await house.sql("insert into orders (note) values ('a'), ('b')");
    await house.sql("insert into lines select n, 1 + n % 2 from generate_series(1, 6) n");
    await house.sql("delete from orders");
    expect((await house.inputs(lines, 6)).map((input) => input.old?.id).toSorted()).toEqual([
      1, 2, 3, 4, 5, 6,
    ]);
    await house.sql(
      `insert into orders (id, note) overriding system value values (10, 'old');
       insert into orders (id, note) overriding system value values (10, 'merged'), (11, 'new')
         on conflict (id) do update set note = excluded.note;
       merge into orders o using (values (10, 'again'), (12, 'last')) v (id, note) on o.id = v.id
         when matched then update set note = v.note
         when not matched then insert (id, note) overriding system value values (v.id, v.note)`,
    );
    const inputs = await house.inputs(events, 7);
    const short = inputs
      .slice(2)
      .map((input) => `${input.event} ${input.new?.id} ${input.new?.note}`);
    expect(short.toSorted()).toEqual([
      "insert 10 old",
      "insert 11 new",
      "insert 12 last",
      "update 10 again",
      "update 10 merged",
    ]);
  });

  it("comes of the Data API, of its lists and its upserts", async () => {
    const id = await house.watch(all);
    const [{ resource } = { resource: "" }] = await house.sql<{ resource: string }>(
      "select id::text as resource from system.resources where schema_name = 'public' and relation_name = 'orders'",
    );
    await house.admin("PATCH", `/resources/${resource}`, {
      exposedMethods: ["GET", "POST", "PATCH", "DELETE"],
    });
    const path = "/public/table/orders";
    expect((await house.data("POST", path, { note: "one" })).status).toBe(201);
    expect((await house.data("POST", path, [{ note: "two" }, { note: "three" }])).status).toBe(201);
    expect((await house.data("PATCH", `${path}/1`, { note: "changed" })).status).toBe(200);
    expect((await house.data("DELETE", `${path}/2`)).status).toBe(204);
    const rows = [
      { id: 3, note: "merged" },
      { id: 70, note: "new" },
    ];
    const upsert = await house.data("POST", `${path}?on_conflict=id&resolution=merge`, rows);
    expect([200, 201]).toContain(upsert.status);
    const inputs = await house.inputs(id, 7);
    expect(inputs.map((input) => `${input.event} ${input.new?.note ?? input.old?.note}`)).toEqual([
      "insert one",
      "insert two",
      "insert three",
      "update changed",
      "delete two",
      expect.anything(),
      expect.anything(),
    ]);
    const last = inputs.slice(5).map(({ event, new: row }) => `${event} ${row?.note}`);
    expect(last.toSorted()).toEqual(["insert new", "update merged"]);
  });
});

describe("what counts", () => {
  it("is an update that gives one of the fields another value, whatever the statement names", async () => {
    const id = await house.watch({
      ...orders,
      on: ["insert", "update"],
      changedFields: ["status", "total"],
    });
    await house.sql("insert into orders (status, total, note) values ('open', 1, 'a')");
    await house.sql("update orders set status = 'open', note = 'b'");
    await house.sql("update orders set status = 'done'");
    await house.sql("update orders set total = null");
    const inputs = await house.inputs(id, 3);
    await house.settled();
    expect(inputs.map((input) => [input.event, input.changed])).toEqual([
      ["insert", []],
      ["update", ["status"]],
      ["update", ["total"]],
    ]);
    await house.runs(id, 3);
  });

  it("is no update that changes nothing", async () => {
    const id = await house.watch({ ...orders, on: ["update"] });
    await house.sql("insert into orders (note) values ('a'); update orders set note = note");
    await house.sql("update orders set note = 'b'");
    expect(await house.inputs(id, 1)).toMatchObject([{ changed: ["note"] }]);
  });

  it("is what the filter lets through; a filter that fails is told by a failed run", async () => {
    const id = await house.watch({
      ...all,
      filter:
        "start.data.event == 'update' ? start.data.old.total < 10 && start.data.new.total >= 10 : start.data.new.total == 5",
    });
    await house.sql("insert into orders (total) values (5), (6.5)");
    await house.sql("update orders set total = total + 5");
    await house.sql("update orders set total = total + 5");
    await house.sql("delete from orders where id = 1");
    const runs = await house.runs(id, 4);
    expect(
      runs.map(({ status, input }) => [status, input.event, input.new?.total ?? null]),
    ).toEqual([
      ["SUCCEEDED", "insert", 5],
      ["SUCCEEDED", "update", 10],
      ["SUCCEEDED", "update", 11.5],
      ["FAILED", "delete", null],
    ]);
    expect(runs[3]?.error?.code).toBe("CONDITION_ERROR");
  });

  it("is nothing while the workflow is disabled, unpublished or gone; then the table has no trigger", async () => {
    const id = await house.watch(all);
    const other = await house.watch({ ...orders, on: ["insert"] });
    const three = ["rowhouse_delete", "rowhouse_insert", "rowhouse_update"];
    expect(await house.triggers("orders")).toEqual(three);
    await house.admin("POST", `/workflows/${id}/disable`);
    expect(await house.triggers("orders")).toEqual(["rowhouse_insert"]);
    await house.sql("insert into orders (note) values ('unheard')");
    await house.runs(other, 1);
    await house.admin("POST", `/workflows/${id}/enable`);
    expect(await house.triggers("orders")).toEqual(three);
    await house.sql("insert into orders (note) values ('heard')");
    expect(await house.inputs(id, 1)).toMatchObject([{ new: { note: "heard" } }]);
    await house.runs(other, 2);
    expect((await house.admin("DELETE", `/workflows/${other}`)).status).toBe(204);
    expect(await house.triggers("orders")).toEqual(three);

    // Published anew it watches another table, and rolled back the first one.
    const definition = (table: string) => ({
      trigger: { kind: "databaseEvent", table, on: ["insert"], executeAs: house.userId },
      steps: [{ id: "end", kind: "finish" }],
    });
    await house.admin("PATCH", `/workflows/${id}`, { definition: definition("lines") });
    await house.admin("POST", `/workflows/${id}/publish`);
    expect([await house.triggers("orders"), await house.triggers("lines")]).toEqual([
      [],
      ["rowhouse_insert"],
    ]);
    await house.admin("POST", `/workflows/${id}/versions/1/publish`);
    expect([await house.triggers("orders"), await house.triggers("lines")]).toEqual([three, []]);
    expect((await house.admin("DELETE", `/workflows/${id}`)).status).toBe(204);
    expect(await house.triggers("orders")).toEqual([]);
  });

  it("is refused where nothing could be heard of, with a path to the fault", async () => {
    await house.sql("create or replace view public.seen as select 1 as id");
    const refusal = async (trigger: object) => {
      const definition = {
        trigger: { kind: "databaseEvent", on: ["update"], executeAs: house.userId, ...trigger },
        steps: [{ id: "end", kind: "finish" }],
      };
      const slug = `refused-${Math.random().toString(36).slice(2)}`;
      const created = await house.admin("POST", "/workflows", { slug, name: slug, definition });
      if (created.status !== 201) return created.body.errors[0].path;
      const published = await house.admin("POST", `/workflows/${created.body.data.id}/publish`);
      expect(published.status).toBe(400);
      return published.body.errors.map((fault: { path: string }) => fault.path).join(" ");
    };
    expect(await refusal({ table: "nowhere" })).toBe("/trigger/table");
    expect(await refusal({ table: "seen" })).toBe("/trigger/table");
    expect(await refusal({ schema: "system", table: "users" })).toBe("/trigger/schema");
    expect(await refusal({ table: "orders", changedFields: ["status", "nope"] })).toBe(
      "/trigger/changedFields/1",
    );
    expect(await refusal({ table: "orders", on: ["insert"], changedFields: ["status"] })).toBe(
      "/trigger/changedFields",
    );
    expect(await refusal({ table: "orders", filter: "start.data.new.id >" })).toBe(
      "/trigger/filter",
    );
    expect(await refusal({ table: "orders", on: [] })).toBe("/data/definition/trigger/on");
  });
});
