import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

let test: TestDatabase;
let resource = "";
const whole = "aaaaaaaa-0000-4000-8000-000000000000";
const ofState = "bbbbbbbb-0000-4000-8000-000000000000";

interface Event {
  readonly operation: string;
  readonly old_row: Record<string, unknown> | null;
  readonly new_row: Record<string, unknown> | null;
  readonly changed: string[];
  readonly omitted: string[];
  readonly workflow_ids: string[];
}

beforeAll(async () => {
  test = await createTestDatabase({ login: "owner" });
  await test.database.query(`
    create table public.items (id int primary key, gone int, state text, price numeric, "a ""b" json, at timestamptz,
      document jsonb, twice int generated always as (id * 2) stored);
    alter table public.items drop column gone`);
  for (const id of [whole, ofState]) {
    await test.database.query(
      "insert into system.workflows (id, slug, name, enabled, draft) values ($1::text::uuid, $2::text, $2::text, true, '{}')",
      [id, id.slice(0, 8)],
    );
  }
  const [found] = await test.database.query<{ id: string }>(
    "select id from system.resources where relation_name = 'items'",
  );
  resource = found?.id ?? "";
  await watch(whole, null);
});
afterAll(() => test.drop());
beforeEach(async () => {
  await test.database.query("truncate public.items, system.workflow_events");
  await test.database.query(
    `insert into public.items (id, state, price, "a ""b", at, document)
     select n, 'new', n / 3.0, '{"a": 1}', '2026-01-01Z', '{}' from generate_series(1, 5) n`,
  );
});

async function watch(workflow: string, columns: readonly string[] | null): Promise<void> {
  await test.database.query(
    `insert into system.workflow_watches (workflow_id, resource_id, schema_name, table_name, relation_oid, operations, column_names, column_numbers)
     values ($1::text::uuid, $2::text::uuid, 'public', 'items', 'public.items'::regclass, '{INSERT,UPDATE,DELETE}', $3::text::text[],
       array(select attnum from pg_attribute where attrelid = 'public.items'::regclass and attname = any ($3::text::text[])))`,
    [workflow, resource, columns === null ? null : `{${columns.join(",")}}`],
  );
  await test.database.query(
    "update system.workflow_watches set column_numbers = null where column_names is null",
  );
  await test.database.query("select system.sync_event_triggers($1::text::uuid)", [resource]);
}

/** Runs a statement and returns its events, and how many rows took the slow way. */
async function eventsOf(statement: string): Promise<{ events: Event[]; slow: number }> {
  await test.database.query("truncate system.workflow_events");
  return test.database.transaction(async (on) => {
    await on.query("set local track_functions = 'all'");
    await on.query(statement);
    const [row] = await on.query<{ calls: string }>(
      "select coalesce(sum(calls), 0)::text as calls from pg_stat_xact_user_functions where funcname = 'event_json'",
    );
    const events = await on.query<Event>(
      "select operation, old_row, new_row, to_json(changed) as changed, to_json(omitted) as omitted, to_json(workflow_ids) as workflow_ids from system.workflow_events order by id",
    );
    return { events, slow: Number(row?.calls) };
  });
}

describe("a statement that changes many rows of a watched table", () => {
  it("records its inserts and deletions at once", async () => {
    const inserted = await eventsOf(
      "insert into public.items (id, state) select n, null from generate_series(6, 8) n",
    );
    expect(inserted).toMatchObject({
      slow: 0,
      events: [6, 7, 8].map((id) => ({
        operation: "INSERT",
        old_row: null,
        new_row: { id, state: null, twice: id * 2 },
        ...{ changed: [], omitted: [], workflow_ids: [whole] },
      })),
    });
    const deleted = await eventsOf("delete from public.items where id < 3");
    expect(deleted.slow).toBe(0);
    expect(deleted.events.map(({ old_row }) => old_row?.id)).toEqual([1, 2]);
    expect(deleted.events[0]).toMatchObject({ operation: "DELETE", new_row: null, changed: [] });
  });

  it("records the rows and columns that an update has changed", async () => {
    const { events, slow } = await eventsOf(
      `update public.items set state = case id when 1 then state when 2 then null else 'sold' end,
         price = case id when 3 then price * 1.0 else price end,
         "a ""b" = case id when 4 then '{"a":1}' else "a ""b" end,
         at = case id when 5 then null else at end, document = '{}'`,
    );
    expect(slow).toBe(0);
    expect(events.map((event) => [event.new_row?.id, event.changed])).toEqual([
      [2, ["state"]],
      // The digits of a number, and the white space of a JSON text, are part of the row.
      [3, ["state", "price"]],
      [4, ["state", 'a "b']],
      [5, ["state", "at"]],
    ]);
    expect(events[3]).toMatchObject({
      old_row: { id: 5, state: "new", at: "2026-01-01T00:00:00+00:00" },
      new_row: { id: 5, state: "sold", at: null },
    });
  });

  it("records a changed key as the change of its row", async () => {
    const { events } = await eventsOf("update public.items set id = id + 10");
    expect(events.map(({ old_row, new_row }) => [old_row?.id, new_row?.id])).toEqual([
      [1, 11],
      [2, 12],
      [3, 13],
      [4, 14],
      [5, 15],
    ]);
    expect(events[0]?.changed).toEqual(["id", "twice"]);
  });

  it("starts the workflows that watch a column only when it has changed", async () => {
    await watch(ofState, ["state"]);
    const { events, slow } = await eventsOf(
      "update public.items set state = case when id > 3 then 'sold' else state end, price = 0",
    );
    expect(slow).toBe(0);
    const both = [whole, ofState];
    expect(events.map(({ workflow_ids }) => workflow_ids)).toEqual([
      ...[[whole], [whole], [whole], both, both],
    ]);
    await test.database.query(
      "delete from system.workflow_watches where workflow_id = $1::text::uuid",
      [ofState],
    );
  });

  it("omits the largest values of a row of more than a megabyte", async () => {
    const { events, slow } = await eventsOf(
      "update public.items set state = repeat('x', 2000000) where id < 3",
    );
    expect(slow).toBe(0);
    expect(events).toMatchObject([1, 2].map((id) => ({ new_row: { id }, omitted: ["state"] })));
    expect(events[0]?.new_row).not.toHaveProperty("state");
  });

  it("records the other rows if a value of one has no JSON", async () => {
    await test.database.query("create type public.odd as enum ('1', '2')");
    await test.database.query(
      `create function public.odd_json(public.odd) returns json language plpgsql as $$
       begin if $1 = '2' then raise 'no JSON'; end if; return '1'; end $$`,
    );
    await test.database.query(
      "create cast (public.odd as json) with function public.odd_json(public.odd)",
    );
    await test.database.query("alter table public.items add column odd public.odd");
    const { events, slow } = await eventsOf(
      "update public.items set odd = case id when 2 then '2' else '1' end::public.odd",
    );
    expect(slow).toBeGreaterThan(0);
    expect(events).toHaveLength(5);
    expect(events[0]).toMatchObject({ new_row: { id: 1, odd: 1 }, omitted: [] });
    expect(events[1]).toMatchObject({ new_row: {} });
    expect(events[1]?.omitted).toContain("odd");
    await test.database.query("alter table public.items drop column odd");
  });
});
