// Tier: long. Starts a process and creates 1,500 relations; named-changes.test.ts is in every run.
import { setTimeout as delay } from "node:timers/promises";
import { openDatabase } from "@rowhouse/db";
import { signIn, startTestEnvironment, type TestEnvironment } from "@rowhouse/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "./client.ts";

// Readers of a database with 1,500 relations while another client changes one of them.

let environment: TestEnvironment;
let secret: string;
beforeAll(async () => {
  environment = await startTestEnvironment({ ownProcess: true });
  const { database } = environment.test;
  await database.query(`
    alter event trigger rowhouse_after_ddl disable;
    do $$ begin for i in 1..1500 loop
      execute format('create table public.t%s (id bigint primary key, a text, b numeric(10, 2), c uuid unique,
        parent bigint references public.t%s, other bigint references public.t%s on delete cascade)', i, greatest(1, i / 2), greatest(1, i - 1));
    end loop; end $$;
    alter event trigger rowhouse_after_ddl enable always;
    select system.sync_registry()`);
  await database.query(
    "update system.resources set exposed_methods = '{GET,POST}' where relation_name in ('t700', 't701')",
  );
  secret = await createClient(environment).signIn(signIn);
}, 120_000);
afterAll(() => environment.stop());

const read = async (table: string): Promise<number> => {
  const response = await fetch(`${environment.url}/api/public/table/${table}?fields=id,a`, {
    headers: { Authorization: `Bearer ${secret}` },
  });
  await response.arrayBuffer();
  return response.status;
};

/** Number of loads of the process since its start. */
async function countLoads(): Promise<number> {
  const [url = ""] = Object.values(environment.metrics);
  const text = await (await fetch(url)).text();
  return Number(/^rowhouse_snapshot_load_duration_seconds_count (\d+)$/m.exec(text)?.[1]);
}

/** Locks that keep DDL or other clients waiting, held by sessions of the service that do nothing. */
const idleLocksSql = `
  select l.relation::regclass::text as relation, l.mode
  from pg_locks l join pg_stat_activity a using (pid) join pg_class c on c.oid = l.relation
  where l.granted and a.state like 'idle in transaction%' and a.application_name like 'rowhouse%'
    and (l.mode <> 'AccessShareLock' or c.relnamespace = 'public'::regnamespace)`;

test("each change is one load of every process, readers wait for no other, and no idle session holds a lock", async () => {
  const owner = openDatabase({ url: environment.test.ownerUrl, applicationName: "test" });
  expect([await read("t700"), await read("t701")]).toEqual([200, 200]);
  const before = await countLoads();
  let isOver = false;
  const statuses = new Map<number, number>();
  const readers = ["t700", "t700", "t701", "t701", "t701", "t701"].map(async (table) => {
    while (!isOver) {
      const status = await read(table);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  });
  const idle: unknown[] = [];
  const watch = (async () => {
    while (!isOver) {
      idle.push(...(await owner.query(idleLocksSql)));
      await delay(10);
    }
  })();
  const changes = 10;
  for (let change = 0; change < changes; change += 1) {
    await delay(200);
    await owner.query(`alter table public.t700 add column x${change} int`);
  }
  await delay(200);
  isOver = true;
  await Promise.all([...readers, watch]);
  await owner.close();
  expect([...statuses.keys()]).toEqual([200]);
  expect(idle).toEqual([]);
  const loads = (await countLoads()) - before;
  expect(loads).toBeGreaterThan(0);
  expect(loads).toBeLessThanOrEqual(changes);
}, 60_000);

test("readers of other tables receive their rows while DDL never pauses", async () => {
  const owner = openDatabase({ url: environment.test.ownerUrl, applicationName: "test" });
  let isOver = false;
  const ddl = ["t20", "t30"].map(async (table) => {
    for (let change = 0; !isOver; change += 1) {
      await owner.query(`comment on table public.${table} is '${change}'`);
    }
  });
  const statuses: number[] = [];
  for (let round = 0; round < 40; round += 1) statuses.push(await read("t701"));
  isOver = true;
  await Promise.all(ddl);
  await owner.close();
  expect(statuses).toEqual(statuses.map(() => 200));
}, 60_000);
