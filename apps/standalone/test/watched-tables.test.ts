// Tiers: long, topologies. One of the slowest; database-events.test.ts is in every run.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type EventEnvironment, openEventEnvironment } from "./event-environment.ts";

// Changes of a table while workflows watch it, and their effect on its writers.

let environment: EventEnvironment;
beforeAll(async () => {
  environment = await openEventEnvironment();
});
afterAll(() => environment.stop());
beforeEach(async () => {
  await environment.sql(
    `drop schema if exists shop, elsewhere cascade; create schema shop;
     create table shop.orders (id int primary key, status text, total numeric)`,
  );
});

const orders = { schema: "shop", table: "orders" };
const update = { ...orders, on: ["update"], changedFields: ["status", "total"] };
const change = (path: string, ...changes: object[]) =>
  environment.admin("PATCH", `/schema/${path}`, { changes });
const problemOf = async (id: string): Promise<string | null> =>
  (await environment.admin("GET", `/workflows/${id}`)).body.data.problem;

describe("a table that is changed", () => {
  it("sends events under its new name, in its new schema, with its columns' new names and types", async () => {
    const id = await environment.watch(update);
    await environment.sql("insert into shop.orders values (1, 'open', 5)");
    await environment.admin("POST", "/schema", { name: "elsewhere" });
    const changed = await change(
      "shop/tables/orders",
      { kind: "renameColumn", column: "status", name: "state" },
      { kind: "changeColumn", column: "total", dataType: "text" },
      { kind: "addColumn", name: "status", dataType: "text" },
      { kind: "rename", name: "Sales 'n\"x" },
      { kind: "move", schema: "elsewhere" },
    );
    expect(changed.status).toBe(200);
    await environment.sql(`update elsewhere."Sales 'n""x" set status = 'unheard'`);
    await environment.sql(`update elsewhere."Sales 'n""x" set state = 'done'`);
    const [input] = await environment.inputs(id, 1);
    expect(input).toMatchObject({
      schema: "elsewhere",
      table: "Sales 'n\"x",
      changed: ["state"],
      new: { id: 1, state: "done", total: "5", status: "unheard" },
    });
    expect(await problemOf(id)).toBe(null);
    // Disabled and enabled again, it uses the same table and columns.
    await environment.admin("POST", `/workflows/${id}/disable`);
    await environment.admin("POST", `/workflows/${id}/enable`);
    await environment.sql(`update elsewhere."Sales 'n""x" set state = 'again'`);
    await environment.runs(id, 2);
    const table = await environment.admin("GET", "/schema/elsewhere/tables/Sales%20'n%22x");
    expect(JSON.stringify(table.body)).not.toContain("rowhouse");
  });

  it("sends events within the session that changes it", async () => {
    const id = await environment.watch({ ...orders, on: ["insert", "update"] });
    await environment.test.database.transaction(async (transaction) => {
      const run = (text: string) => transaction.query(text);
      await run("insert into shop.orders values (1, 'open', 1)");
      await run("alter table shop.orders drop column status");
      await run("alter table shop.orders add column note text default 'new'");
      await run("insert into shop.orders values (2, 2, 'x')");
      await run("alter table shop.orders alter column total type int using total::int");
      await run("update shop.orders set total = 7 where id = 2");
    });
    expect((await environment.inputs(id, 3)).map((input) => input.new)).toEqual([
      { id: 1, status: "open", total: 1 },
      { id: 2, total: 2, note: "x" },
      { id: 2, total: 7, note: "x" },
    ]);
  });

  it("names the watch that lost a dropped column; writes continue, and a column of the same name is another one", async () => {
    const id = await environment.watch(update);
    await environment.sql("insert into shop.orders values (1, 'open', 5)");
    const changes = [{ kind: "dropColumn", column: "status", confirm: "status" }];
    const preview = await environment.admin("POST", "/schema/shop/tables/orders/preview", {
      changes,
    });
    const [{ slug } = { slug: "" }] = await environment.sql<{ slug: string }>(
      `select slug from system.workflows where id = '${id}'`,
    );
    expect(preview.body.data.losses).toContainEqual(
      expect.objectContaining({ object: "workflow", name: slug }),
    );
    expect((await change("shop/tables/orders", ...changes)).status).toBe(200);
    expect(await problemOf(id)).toBe("The table shop.orders has lost status");
    await environment.sql("alter table shop.orders add column status text");
    await environment.sql("update shop.orders set status = 'unheard'");
    await environment.sql("update shop.orders set total = 6");
    expect(await environment.inputs(id, 1)).toMatchObject([{ changed: ["total"] }]);
    expect((await environment.admin("POST", `/workflows/${id}/publish`)).body.data.problem).toBe(
      null,
    );
    await environment.sql("update shop.orders set status = 'heard'");
    await environment.runs(id, 2);
  });

  it("reports that it was dropped; a table of the same name is another one", async () => {
    const id = await environment.watch({ ...orders, on: ["insert"] });
    const preview = await environment.admin("POST", "/schema/shop/tables/orders/drop-preview", {});
    expect(preview.body.data.losses).toContainEqual(
      expect.objectContaining({ object: "workflow", note: "receives no more events" }),
    );
    await environment.sql("insert into shop.orders values (1, 'last', 5)");
    expect(
      (await environment.admin("DELETE", "/schema/shop/tables/orders?confirm=orders")).status,
    ).toBe(204);
    expect(await environment.inputs(id, 1)).toMatchObject([{ new: { status: "last" } }]);
    await environment.sql(
      "create table shop.orders (id int primary key, status text, total numeric)",
    );
    expect(await problemOf(id)).toBe("The table shop.orders is gone");
    await environment.sql("insert into shop.orders values (1, 'unheard', 5)");
    await environment.admin("POST", `/workflows/${id}/publish`);
    expect(await problemOf(id)).toBe(null);
    await environment.sql("insert into shop.orders values (2, 'heard', 5)");
    expect((await environment.inputs(id, 2)).map((input) => input.new?.status)).toEqual([
      "last",
      "heard",
    ]);
    expect((await environment.admin("DELETE", `/workflows/${id}`)).status).toBe(204);
  });

  it("regains its triggers after a client dropped them, and gets those of its new kind once it has parents", async () => {
    const id = await environment.watch({ ...orders, on: ["insert"] });
    const [{ name } = { name: "" }] = await environment.sql<{ name: string }>(
      "select tgname::text as name from pg_trigger where tgrelid = 'shop.orders'::regclass and tgname like 'rowhouse%'",
    );
    await environment.sql(`drop trigger "${name}" on shop.orders`);
    expect(await problemOf(id)).toBe("The table shop.orders has lost its trigger");
    await environment.sql("insert into shop.orders values (1, 'unheard', 1)");
    await environment.sql("select system.mend_watches()");
    expect(await problemOf(id)).toBe(null);
    await environment.sql("insert into shop.orders values (2, 'heard', 1)");
    await environment.sql(
      `create table shop.every (id int not null, status text, total numeric) partition by range (id);
       alter table shop.every attach partition shop.orders for values from (0) to (100);
       select system.mend_watches();
       insert into shop.every values (3, 'by the parent', 1)`,
    );
    expect(
      (await environment.inputs(id, 2)).map((input) => [input.table, input.new?.status]),
    ).toEqual([
      ["orders", "heard"],
      ["orders", "by the parent"],
    ]);
    expect(await problemOf(id)).toBe(null);
  });

  it("is found by name in a restored dump, and so are its columns, except for lost ones", async () => {
    await environment.sql(
      `drop table shop.orders;
       create table shop.orders (gone int, id int, status text, total numeric);
       alter table shop.orders drop column gone`,
    );
    const id = await environment.watch(update);
    await environment.sql(
      "alter table shop.orders drop column total; select system.mend_watches()",
    );
    expect(await problemOf(id)).toBe("The table shop.orders has lost total");
    // The effect of a restore on OIDs and on attribute numbers.
    await environment.sql("alter event trigger rowhouse_after_ddl disable");
    await environment.sql("alter event trigger rowhouse_after_drop disable");
    await environment.sql(
      `drop table shop.orders; create table shop.orders (total numeric, status text, id int);
       update system.installation set self_oid = 1`,
    );
    await environment.sql("alter event trigger rowhouse_after_ddl enable");
    await environment.sql("alter event trigger rowhouse_after_drop enable");
    await environment.sql("select system.sync_registry()");
    await environment.sql("select system.mend_watches()");
    expect(await problemOf(id)).toBe("The table shop.orders has lost total");
    await environment.sql("insert into shop.orders values (1, 'open', 1)");
    await environment.sql("update shop.orders set total = 2");
    await environment.sql("update shop.orders set status = 'done'");
    expect(await environment.inputs(id, 1)).toMatchObject([{ changed: ["status"] }]);
  });

  it("can be published while another table is locked; a locked table prevents publishing, never disabling", async () => {
    const id = await environment.watch({ ...orders, on: ["insert"] });
    await environment.test.database.transaction(async (transaction) => {
      await transaction.query("insert into shop.orders values (1, 'held', 1)");
      const disabled = await environment.admin("POST", `/workflows/${id}/disable`);
      expect(disabled.status).toBe(200);
      expect(await environment.triggers("shop.orders")).toEqual(["rowhouse_insert"]);
      await environment.sql("insert into shop.orders values (2, 'unheard', 1)");
    });
    await environment.sql("select system.mend_watches()");
    expect(await environment.triggers("shop.orders")).toEqual([]);
    await environment.test.database.transaction(async (transaction) => {
      await transaction.query("insert into shop.orders values (3, 'held', 1)");
      const enabled = await environment.admin("POST", `/workflows/${id}/enable`);
      expect([enabled.status, enabled.body.errors[0].code]).toEqual([409, "CONFLICT"]);
    });
    expect((await environment.admin("POST", `/workflows/${id}/enable`)).status).toBe(200);
    await environment.settled();
    // A write from before the workflow was disabled had no watcher when it was committed.
    await environment.runs(id, 0);
  });
});

describe("partitioned and inherited tables", () => {
  it("send each row once, written through the parent or the partition", async () => {
    await environment.sql(
      `create table shop.log (id int, area int, note text) partition by list (area);
       create table shop.log_1 partition of shop.log for values in (1);
       create table shop.log_2 (note text, gone int, area int, id int);
       alter table shop.log_2 drop column gone;
       alter table shop.log attach partition shop.log_2 for values in (2)`,
    );
    const whole = await environment.watch({
      schema: "shop",
      table: "log",
      on: ["insert", "update", "delete"],
      changedFields: ["note"],
    });
    const part = await environment.watch({
      schema: "shop",
      table: "log_2",
      on: ["insert", "update", "delete"],
    });
    await environment.sql("insert into shop.log values (1, 1, 'a'), (2, 2, 'b')");
    await environment.sql("insert into shop.log_2 (id, area, note) values (3, 2, 'c')");
    await environment.sql("update shop.log set note = note || '!' where id < 3");
    await environment.sql("update shop.log set area = 2 where id = 1");
    const short = (inputs: Awaited<ReturnType<EventEnvironment["inputs"]>>) =>
      inputs.map((input) => `${input.table} ${input.event} ${(input.new ?? input.old)?.id}`);
    expect(short(await environment.inputs(whole, 7)).toSorted()).toEqual([
      "log delete 1",
      "log insert 1",
      "log insert 1",
      "log insert 2",
      "log insert 3",
      "log update 1",
      "log update 2",
    ]);
    expect(short(await environment.inputs(part, 4))).toEqual([
      "log_2 insert 2",
      "log_2 insert 3",
      "log_2 update 2",
      "log_2 insert 1",
    ]);
    await environment.admin("POST", `/workflows/${whole}/disable`);
    expect(await environment.triggers("shop.log_1")).toEqual([]);
    await environment.sql("insert into shop.log values (9, 2, 'd')");
    await environment.runs(part, 5);
  });

  it("send a child's rows from the child, whichever table the statement names", async () => {
    await environment.sql("create table shop.old_orders () inherits (shop.orders)");
    const child = await environment.watch({ schema: "shop", table: "old_orders", on: ["update"] });
    await environment.sql(
      "insert into shop.old_orders values (1, 'open', 1); insert into shop.orders values (2, 'open', 1)",
    );
    await environment.sql("update shop.orders set status = 'done'");
    expect(await environment.inputs(child, 1)).toMatchObject([
      { old: { id: 1 }, new: { status: "done" } },
    ]);
  });
});

describe("an unusual row", () => {
  it("is sent without its largest columns if it is too long, and names them", async () => {
    await environment.sql("alter table shop.orders add column body text, add column doc jsonb");
    const id = await environment.watch({ ...orders, on: ["insert", "update"] });
    await environment.sql(
      "insert into shop.orders values (1, 'open', 1.0, repeat('x', 3000000), '{\"a\": 1.10}')",
    );
    await environment.sql("update shop.orders set body = 'short'");
    const [first, second] = await environment.inputs(id, 2);
    expect(first).toMatchObject({
      new: { id: 1, status: "open", doc: { a: 1.1 } },
      omitted: ["body"],
    });
    expect(first?.new).not.toHaveProperty("body");
    expect(second).toMatchObject({ new: { body: "short" }, changed: ["body"], omitted: ["body"] });
    expect(second?.old).not.toHaveProperty("body");
  });

  it("is written with any values; a value that no run can read produces a failed run", async () => {
    await environment.sql("alter table shop.orders add column raw json");
    const id = await environment.watch(update, [
      { id: "end", kind: "finish", result: "{{start.data.changed}}" },
    ]);
    const deep = `${"[".repeat(3000)}1.5${"]".repeat(3000)}`;
    await environment.sql(
      'insert into shop.orders values (1, \'open\', 1, \'{"n": "\\u0000", "x": 1e999999}\')',
    );
    await environment.sql("update shop.orders set total = 'NaN'");
    await environment.sql("update shop.orders set raw = $1::text::json, total = 'Infinity'", [
      deep,
    ]);
    const runs = await environment.runs(id, 2);
    expect(runs.map(({ status, error }) => [status, error?.code])).toEqual([
      ["SUCCEEDED", undefined],
      ["FAILED", "EVENT_TOO_DEEP"],
    ]);
    // If the columns cannot be compared, all count as changed.
    expect(runs[0]?.input).toMatchObject({
      changed: ["id", "status", "total", "raw"],
      new: { total: "NaN" },
    });
    expect(runs[1]?.input).toMatchObject({ old: null, new: null, event: "update" });
  });
});

describe("events", () => {
  it("are not blocked by a deleted user or by an unreadable version", async () => {
    const [person] = await environment.sql<{ id: string }>(
      "insert into system.users (email) values ('gone@example.com') returning id",
    );
    const gone = await environment.watch({ ...orders, on: ["insert"], executeAs: person?.id });
    const unreadable = await environment.watch({ ...orders, on: ["insert"] });
    const fine = await environment.watch({ ...orders, on: ["insert"] });
    await environment.sql("delete from system.users where email = 'gone@example.com'");
    await environment.sql(
      `alter table system.workflow_versions disable trigger user;
       update system.workflow_versions set definition = '{"trigger": {"kind": "telepathy"}}' where workflow_id = '${unreadable}';
       alter table system.workflow_versions enable trigger user`,
    );
    await environment.sql("insert into shop.orders values (1, 'open', 1)");
    expect(await environment.runs(gone, 1)).toMatchObject([
      { status: "FAILED", error: { code: "EXECUTE_AS_GONE" } },
    ]);
    expect(await environment.runs(unreadable, 1)).toMatchObject([
      { status: "FAILED", error: { code: "WORKFLOW_INVALID" } },
    ]);
    expect(await environment.runs(fine, 1)).toMatchObject([{ status: "SUCCEEDED" }]);
  });
});
