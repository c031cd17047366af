// Tiers: all, long. A long run interrupts an apply at each of its statements.

import type { Database, OwnTransaction } from "@rowhouse/db";
import { createTestDatabase, isLongRun } from "@rowhouse/testing";
import { expect, it, onTestFinished } from "vitest";
import { applyPlan } from "../src/index.ts";
import { createConfigurator } from "./configuration.ts";

const wanted = {
  "rowhouse.yaml": "version: 1\nparts: [settings, types, tables, views, roles]\n",
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
  added: { type: text }
primaryKey: [id]
`,
  "views/fleet/old.yaml": "",
  "views/fleet/old.sql": "select id from fleet.cars where state = 'OLD'\n",
  "roles/Clerks.yaml": "grants:\n  fleet.cars: { READ: { filter: { state: { _eq: OLD } } } }\n",
};

/** Returns a database that calls `before` with the number of each statement of its transactions. */
function counting(database: Database, before: (statement: number) => Promise<void>): Database {
  let statements = 0;
  const wrap = (transaction: OwnTransaction): OwnTransaction => ({
    ...transaction,
    get orm() {
      return transaction.orm;
    },
    query: async (text, parameters, options) => {
      statements += 1;
      await before(statements);
      return transaction.query(text, parameters, options);
    },
    savepoint: (work) => transaction.savepoint((inner) => work(wrap(inner))),
  });
  return {
    ...database,
    transaction: (work, options) => database.transaction((own) => work(wrap(own)), options),
  };
}

it("an apply whose session ends at any statement leaves nothing behind", {
  timeout: 1_800_000,
}, async () => {
  const test = await createTestDatabase();
  onTestFinished(() => test.drop());
  const { database } = test;
  await database.query("create table public.kept (id int primary key)");
  const own = await createConfigurator(test);
  const before = await own.pull();
  const plan = await own.plan(wanted);
  const request = {
    ...{ planId: plan.planId, digest: plan.digest },
    consents: plan.steps.flatMap(({ needsConsent }) => needsConsent),
  };

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
      transaction: (work, options) =>
        interrupted.transaction(async (transaction) => {
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
    statement += isLongRun() ? 1 : 23;
  }
  expect(interruptions).toBeGreaterThan(isLongRun() ? 150 : 6);
  const [applies] = await database.query<{ count: number }>(
    "select count(*)::int as count from system.configuration_applies",
  );
  expect(applies?.count).toBe(1);
  expect((await own.plan(wanted)).steps).toEqual([]);
});
