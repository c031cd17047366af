// Tier: all. Keeps connections busy, and waits for their end.
import { randomBytes } from "node:crypto";
import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  admitLogins,
  type ConnectionReport,
  connectLogins,
  type Database,
  recorderOf,
  startDatabase,
} from "../src/index.ts";

// Two logins of this file alone, because their limits and their right to connect change.
const suffix = randomBytes(4).toString("hex");
const logins = { service: `two_service_${suffix}`, system: `two_system_${suffix}` };
let test: TestDatabase;
const urlOf = (login: string) => {
  const url = new URL(test.ownerUrl);
  [url.username, url.password] = [login, "two"];
  return url.href;
};
const place = () => ({ url: urlOf(logins.service), systemUrl: urlOf(logins.system) });

beforeAll(async () => {
  test = await createTestDatabase({ login: "owner" });
  for (const login of Object.values(logins)) {
    await test.database.query(`create role ${login} login password 'two'`);
  }
  await test.database.query(`create role ${recorderOf(logins.service)}`);
  await admitLogins(test.database, logins);
});
afterAll(async () => {
  const recorder = recorderOf(logins.service);
  await test.database.query(`reassign owned by ${recorder} to current_user`);
  for (const login of [...Object.values(logins), recorder]) {
    await test.database.query(`drop owned by ${login} cascade`);
    await test.database.query(`drop role ${login}`);
  }
  await test.drop();
});

/** Starts a process, and returns what it reports. */
const start = async (
  name: string,
  { url, systemUrl }: { readonly url: string; readonly systemUrl?: string },
  uses: Parameters<typeof startDatabase>[0]["uses"] = {},
): Promise<{ database: Database; report: ConnectionReport | undefined }> => {
  let report: ConnectionReport | undefined;
  const database = await startDatabase({
    ...{ url, systemUrl, applicationName: name, connectionsMax: 9, uses, workerMax: 6 },
    onConnections: (found) => {
      report = found;
    },
  });
  return { database, report };
};

it("a process counts the connections of both logins, and those of processes with one login", async () => {
  await test.database.query(`alter role ${logins.system} connection limit 60`);
  const one = await start("one", { url: urlOf(logins.service) }, { exports: 4, trials: 2 });
  // Pool 9 + 2, health 1, replies 1, worker 6 + 2 + 2.
  expect(one.report?.own).toBe(11 + 1 + 1 + 10 + 4 + 2);
  const first = await start("first", place(), { exports: 4, imports: 2, trials: 2 });
  expect(first.report?.uses).toEqual({
    ...{ pool: 9 + 4, health: 2, replies: 1, worker: 4 + 3 + 4 + 3 },
    ...{ exports: 4, imports: 2, trials: 4 },
  });
  const second = await start("second", place(), { console: 9 });
  const owns = [one, first, second].map(({ report }) => report?.own ?? 0);
  expect(second.report?.all).toBe(owns.reduce((all, own) => all + own, 0));
  // Pool 3 + 2, health 1, replies 1, worker 3 + 2 + 2; then imports and trials, and the console.
  const all = 14 + 2 + 2 + (14 + 9);
  expect(second.report?.logins).toEqual([{ login: logins.system, all, limit: 60 }]);
  // A process with one login counts those of two.
  const other = await start("other", { url: urlOf(logins.service) });
  expect(other.report?.all).toBe((second.report?.all ?? 0) + (other.report?.own ?? 0));
  for (const { database } of [one, first, second, other]) await database.close();
  await test.database.query(`alter role ${logins.system} connection limit -1`);
});

it("a process does not start if one of its logins may open too few connections", async () => {
  for (const [login, needed] of [
    [logins.service, 6],
    [logins.system, 6],
  ] as const) {
    await test.database.query(`alter role ${login} connection limit 5`);
    await expect(start("few", place())).rejects.toThrow(
      `The database allows the login ${login} 5 connections, and a process needs at least ${needed}`,
    );
    await test.database.query(`alter role ${login} connection limit -1`);
  }
});

it("opens at most the connections of each login's share while all of them are busy", async () => {
  const { database, report } = await start("busy", place());
  const busy = [database, database.service].flatMap((pool) => [
    ...Array.from({ length: 12 }, () => pool.query("select pg_sleep(0.4)")),
    pool.health(),
  ]);
  const stop = await database.listen("busy", () => {});
  await new Promise((resolve) => setTimeout(resolve, 250));
  const rows = await test.database.query<{ login: string; sessions: number }>(
    `select usename as login, count(*)::int as sessions from pg_stat_activity
     where usename in ('${logins.service}', '${logins.system}') group by 1 order by 1`,
  );
  await Promise.all(busy);
  await stop();
  await database.close();
  // DATABASE_CONNECTIONS 9: 6 and 3, and for both a health connection; spare ones open when the others are held for long.
  expect(rows).toEqual([
    { login: logins.service, sessions: 6 + 1 },
    { login: logins.system, sessions: 3 + 1 + 1 },
  ]);
  expect(report?.uses).toMatchObject({ pool: 13, health: 2, replies: 1 });
});

it.each(["service", "system"] as const)(
  "is unavailable while its %s login cannot connect, and names it",
  async (kind) => {
    const login = logins[kind];
    const database = await connectLogins({
      ...place(),
      applicationName: "health",
      connectionsMax: 9,
    });
    const end = `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${login}'`;
    try {
      expect(await database.health()).toEqual({ database: true });
      for (const [off, on] of [
        ["nologin", "login"],
        ["connection limit 0", "connection limit -1"],
      ]) {
        await test.database.query(`alter role ${login} ${off}`);
        await test.database.query(end);
        expect(await database.health()).toEqual({ database: false, [`${kind}Login`]: false });
        await test.database.query(`alter role ${login} ${on}`);
        await expect.poll(() => database.health()).toEqual({ database: true });
        const pool = kind === "service" ? database.service : database;
        expect(await pool.query("select 1 as n")).toEqual([{ n: 1 }]);
      }
    } finally {
      await database.close();
    }
  },
);
