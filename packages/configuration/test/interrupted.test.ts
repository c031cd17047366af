// Tiers: all, long. A long run interrupts an apply at each of its statements, and kills 100 processes.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Database, OwnTransaction, Queryable } from "@rowhouse/db";
import { createTestDatabase, isLongRun, type TestDatabase } from "@rowhouse/testing";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { type ApplyRequest, applyPlan } from "../src/index.ts";
import { createConfigurator } from "./configuration.ts";

const wanted = {
  "rowhouse.yaml": "version: 1\nparts: [settings, types, sql, tables, views, roles]\n",
  "settings.yaml": "data.default_limit: 7\n",
  "types/fleet/state.yaml": "values: [NEW, OLD]\n",
  "tables/fleet/cars.yaml": `columns:
  id: { type: bigint, identity: ALWAYS }
  state: { type: fleet.state, label: State }
primaryKey: [id]
exposed: [GET]
`,
  "tables/public/kept.yaml": `columns:
  id: { type: integer }
  size: { type: bigint }
  added: { type: text }
primaryKey: [id]
`,
  // It comes back after its column has another type, and then gets other columns.
  "views/public/sizes.yaml": "",
  "views/public/sizes.sql": "select size, added from public.kept\n",
  "views/public/large.yaml": "",
  "views/public/large.sql": "select size from public.sizes where size > 9\n",
  "sql/fleet/touch.sql":
    "CREATE FUNCTION fleet.touch() RETURNS trigger LANGUAGE plpgsql AS $$ begin return new; end $$;\n",
  "sql/fleet/cars.sql": `CREATE TRIGGER touched BEFORE UPDATE ON fleet.cars FOR EACH ROW EXECUTE FUNCTION fleet.touch();
ALTER TABLE fleet.cars ENABLE ROW LEVEL SECURITY;
CREATE POLICY everyone ON fleet.cars USING (true);
`,
  "views/fleet/old.yaml": "",
  "views/fleet/old.sql": "select id from fleet.cars where state = 'OLD'\n",
  "roles/Clerks.yaml": "grants:\n  fleet.cars: { READ: { filter: { state: { _eq: OLD } } } }\n",
};

/** Returns a database that calls `before` with the number of each statement of its transactions. */
function counting(database: Database, before: (statement: number) => Promise<void>): Database {
  let statements = 0;
  const counted = (on: Queryable): Queryable["query"] => {
    return async (text, parameters, options) => {
      statements += 1;
      await before(statements);
      return on.query(text, parameters, options);
    };
  };
  const wrap = (transaction: OwnTransaction): OwnTransaction => ({
    ...transaction,
    get orm() {
      return transaction.orm;
    },
    query: counted(transaction),
    asService: { query: counted(transaction.asService) },
    savepoint: (work) => transaction.savepoint((inner) => work(wrap(inner))),
  });
  return {
    ...database,
    stage: (work, options) =>
      database.stage((own) => work({ ...wrap(own), copy: own.copy }), options),
  };
}

/** A database with one table, and plans that make it what `wanted` says. */
async function openOneTable() {
  const test = await createTestDatabase();
  onTestFinished(() => test.drop());
  const { database } = test;
  await database.query("create table public.kept (id int primary key, size int)");
  await database.query("create view public.sizes as select id, size from public.kept");
  await database.query("create view public.large as select size from public.sizes where size > 9");
  const own = await createConfigurator(test);
  const before = await own.pull();
  const plan = async (): Promise<ApplyRequest> => {
    const { planId, digest, steps } = await own.plan(wanted);
    return { planId, digest, consents: steps.flatMap(({ needsConsent }) => needsConsent) };
  };
  const countApplies = async () => {
    const [applies] = await database.query<{ count: number }>(
      "select count(*)::int as count from system.configuration_applies",
    );
    return applies?.count;
  };
  return { test, database, own, before, plan, countApplies };
}

it("an apply whose session ends at any statement leaves nothing behind", {
  timeout: 1_800_000,
}, async () => {
  const { test, database, own, before, plan, countApplies } = await openOneTable();
  const request = await plan();

  /** Applies, and ends the session before a statement; returns whether the apply succeeded. */
  const interruptedAt = async (at: number) => {
    let backend = "";
    const interrupted = counting(test.service, async (statement) => {
      if (statement !== at) return;
      const end = "select pg_terminate_backend($1::text::int)";
      await database.query(end, [backend]);
    });
    const watched: Database = {
      ...interrupted,
      stage: (work, options) =>
        interrupted.stage(async (transaction) => {
          const ask = "select pg_backend_pid()::text as pid";
          const [row] = await transaction.query<{ pid: string }>(ask);
          backend = row?.pid ?? "";
          return work(transaction);
        }, options),
    };
    return applyPlan(watched, request, own.caller).then(
      () => true,
      () => false,
    );
  };

  let statement = 2;
  let interruptions = 0;
  for (;;) {
    if (await interruptedAt(statement)) break;
    interruptions += 1;
    expect(await own.pull(), `after statement ${statement}`).toEqual(before);
    statement += isLongRun() ? 1 : 41;
  }
  expect(interruptions).toBeGreaterThan(isLongRun() ? 150 : 3);
  expect(await countApplies()).toBe(1);
  expect((await own.plan(wanted)).steps).toEqual([]);
});

/** Begins an apply in a process of its own. */
async function startApply(
  { url, systemUrl, database }: TestDatabase,
  request: ApplyRequest,
  userId: string,
) {
  const program = fileURLToPath(new URL("apply-process.ts", import.meta.url));
  const options = ["--conditions=rowhouse-source", "--import", "tsx"];
  const applicationName = "killed-apply";
  const child = spawn(process.execPath, [...options, program], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: url,
      SYSTEM_DATABASE_URL: systemUrl ?? "",
      APPLICATION_NAME: applicationName,
      REQUEST: JSON.stringify(request),
      USER_ID: userId,
      PROGRAM: process.argv[1],
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exit = once(child, "exit");
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  const hasSaid = (word: string) => output.includes(word);
  const said = (word: string) =>
    expect.poll(() => output, { interval: 2, timeout: 120_000 }).toContain(word);
  await said("ready");
  child.stdin.write("go\n");
  return {
    said,
    hasSaid,
    /** Kills the process, and waits until its session has ended. */
    kill: async () => {
      child.kill("SIGKILL");
      await exit;
      const sessions = () =>
        database.query("select from pg_stat_activity where application_name = $1::text", [
          applicationName,
        ]);
      await expect.poll(sessions, { interval: 5 }).toEqual([]);
    },
  };
}

it("an apply whose process is killed at any moment has taken all of its steps, or none", {
  timeout: 1_800_000,
}, async () => {
  const { test, own, before, plan, countApplies } = await openOneTable();
  let request = await plan();
  const start = () => startApply(test, request, own.administrator.id);
  let applies = 0;
  /** Sets back what an apply has changed, by a plan. */
  const setBack = async () => {
    await own.set(before);
    // An apply drops no schema, and an empty one has a file.
    await test.database.query("drop schema if exists fleet");
    expect(await own.pull()).toEqual(before);
    applies += 2;
    request = await plan();
  };

  const whole = await start();
  await whole.said("begun");
  const begun = performance.now();
  await whole.said("done");
  const duration = performance.now() - begun;
  await whole.kill();
  const after = await own.pull();
  expect(after).not.toEqual(before);
  await setBack();

  const kills = isLongRun() ? 100 : 3;
  const { seed = 0 } = fc.readConfigureGlobal();
  const shares = fc.sample(fc.double({ min: 0, max: 1, noNaN: true }), { numRuns: kills, seed });
  const killed = { inside: 0, applied: 0 };
  for (const [number, share] of shares.entries()) {
    // One kill in each part of the time from shortly before the transaction begins until shortly after it ends.
    const at = ((number + share) / kills) * 1.15 - 0.05;
    const apply = await start();
    if (at >= 0) {
      await apply.said("begun");
      await sleep(at * duration);
    }
    await apply.kill();
    const isApplied = (await countApplies()) !== applies;
    const message = `kill ${number}, seed ${seed}: ${isApplied ? "applied" : "not applied"}`;
    expect(await own.pull(), message).toEqual(isApplied ? after : before);
    if (apply.hasSaid("done")) expect(isApplied, message).toBe(true);
    if (isApplied) await setBack();
    killed.applied += isApplied ? 1 : 0;
    killed.inside += !isApplied && apply.hasSaid("begun") ? 1 : 0;
  }
  expect(killed.inside, `of ${kills} kills, seed ${seed}`).toBeGreaterThan(kills / 4);

  const last = await start();
  await last.said("done");
  await last.kill();
  expect(await countApplies()).toBe(applies + 1);
  expect(await own.pull()).toEqual(after);
  expect((await own.plan(wanted)).steps).toEqual([]);
});
