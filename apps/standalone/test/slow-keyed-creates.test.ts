// Tiers: long, topologies. One of the slowest.
import { createUser, expose, type TestUser } from "@rowhouse/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// A create with an `Idempotency-Key` holds a connection for a transaction; one user's slow creates must not block other
// users.

let environment: TestEnvironment;
let greedy: TestUser;
let ally: TestUser;
let modest: TestUser;

beforeAll(async () => {
  environment = await openTestEnvironment();
  const { database } = environment.test;
  await database.query(`
    create table public.parcels (id int primary key);
    create function public.weigh() returns trigger language plpgsql as
      $$ begin
        if new.id < 1000 then perform pg_sleep(0.3); end if;
        if new.id >= 2000 then perform pg_advisory_xact_lock(20); end if;
        return new;
      end $$;
    create trigger weigh before insert on public.parcels for each row execute function public.weigh()`);
  await expose(database, "public", "parcels", "GET", "POST");
  await database.query(
    `insert into system.grants (role_id, resource_id, action, all_fields)
     select r.id, s.id, 'CREATE', true from system.roles r, system.resources s
     where r.name = 'Members' and s.relation_name = 'parcels'`,
  );
  greedy = await createUser(database, "greedy@example.com", "Members");
  ally = await createUser(database, "ally@example.com", "Members");
  modest = await createUser(database, "modest@example.com", "Members");
});
afterAll(() => environment.stop());

const create = (id: number, as: TestUser) =>
  environment.ask("POST", "/api/public/table/parcels", {
    as: as.secret,
    body: { data: { id } },
    headers: { "Idempotency-Key": `parcel-${id}` },
  });

test("others' keyed creates are served while one caller's slow ones run", async () => {
  for (const as of [greedy, modest]) {
    expect((await environment.ask("GET", "/api/auth/me", { as: as.secret })).status).toBe(200);
  }
  let left = 40;
  const slow = Array.from({ length: left }, async (_, id) => {
    const answer = await create(id, greedy);
    left -= 1;
    return answer;
  });
  await expect.poll(() => left).toBeLessThan(40);
  for (let id = 1000; id < 1005; id += 1) expect((await create(id, modest)).status).toBe(201);
  expect(left).toBeGreaterThan(20);
  const statuses = (await Promise.all(slow)).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([]);
  expect(statuses).toContain(201);
  // A rejected create had not started.
  const [row] = await environment.test.database.query<{ count: number }>(
    "select count(*)::integer as count from public.parcels where id < 1000",
  );
  expect(row?.count).toBe(statuses.filter((status) => status === 201).length);
});

test("others' keyed creates are served while those of two callers are blocked", async () => {
  const { database } = environment.test;
  let held: Promise<{ status: number }>[] = [];
  await database.transaction(async (transaction) => {
    await transaction.query("select pg_advisory_xact_lock(20)");
    held = [2000, 2001, 2002].flatMap((id) => [create(id, greedy), create(id + 10, ally)]);
    const standing =
      "select 1 from pg_locks where locktype = 'advisory' and objid = 20 and not granted";
    await expect
      .poll(async () => (await transaction.query(standing)).length)
      .toBeGreaterThanOrEqual(3);
    for (let id = 1010; id < 1015; id += 1) expect((await create(id, modest)).status).toBe(201);
  });
  const statuses = (await Promise.all(held)).map(({ status }) => status);
  expect(statuses).toEqual(held.map(() => 201));
});

test("others' keyed creates are served while the search for the fault of one caller's batches is blocked", async () => {
  const { database } = environment.test;
  await database.query(`
    create table public.labels (id int, parcel int references public.parcels (id) deferrable initially deferred);
    create function public.stick() returns trigger language plpgsql as
      $$ begin
        -- The search for the fault repeats the first attempt.
        if nextval('public.stick_' || new.id) > 1 then perform pg_advisory_xact_lock(21); end if;
        return new;
      end $$;
    create trigger stick before insert on public.labels for each row execute function public.stick()`);
  await expose(database, "public", "labels", "POST");
  await database.query(
    `insert into system.grants (role_id, resource_id, action, all_fields)
     select r.id, s.id, 'CREATE', true from system.roles r, system.resources s
     where r.name = 'Members' and s.relation_name = 'labels'`,
  );
  const ids = Array.from({ length: 12 }, (_, id) => id);
  await database.query(ids.map((id) => `create sequence public.stick_${id}`).join("; "));
  const blocked = "select from pg_locks where locktype = 'advisory' and objid = 21 and not granted";
  let answers: Promise<{ faults: string[] }>[] = [];
  await database.transaction(async (transaction) => {
    await transaction.query("select pg_advisory_xact_lock(21)");
    answers = ids.map((id) =>
      environment.ask("POST", "/api/batch", {
        as: greedy.secret,
        body: {
          data: [{ method: "POST", path: "/api/public/table/labels", data: { id, parcel: -1 } }],
        },
      }),
    );
    await expect
      .poll(async () => (await transaction.query(blocked)).length)
      .toBeGreaterThanOrEqual(2);
    for (let id = 1020; id < 1025; id += 1) expect((await create(id, modest)).status).toBe(201);
    expect((await transaction.query(blocked)).length).toBe(2);
  });
  const faults = (await Promise.all(answers)).map((answer) => answer.faults);
  expect(faults).toEqual(ids.map(() => ["FOREIGN_KEY_VIOLATION /data/0/data/parcel"]));
});
