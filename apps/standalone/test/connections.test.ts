// Tier: long. Starts processes.
import { setTimeout as sleep } from "node:timers/promises";
import { admitLogins } from "@rowhouse/db";
import {
  type AppProcess,
  createTestDatabase,
  startApp,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "./client.ts";

// Compares the connections that a process with two logins announces with those that PostgreSQL counts while every part of the
// process is busy.
const account = { email: "admin@example.com", password: "correct horse battery staple" };
let database: TestDatabase;
const apps: AppProcess[] = [];
beforeAll(async () => {
  database = await createTestDatabase({ login: "service" });
});
afterAll(async () => {
  for (const app of apps) await app.stop();
  await database.drop();
});

const start = async (more: Readonly<Record<string, string>> = {}) => {
  const app = await startApp("standalone", {
    DATABASE_URL: database.url,
    SYSTEM_DATABASE_URL: database.systemUrl ?? "",
    DATABASE_CONNECTIONS: "6",
    ROWHOUSE_ADMIN_EMAIL: account.email,
    ROWHOUSE_ADMIN_PASSWORD: account.password,
    LOG_LEVEL: "info",
    ...more,
  });
  apps.push(app);
  const line = app
    .output()
    .split("\n")
    .find((text) => text.includes('"connections":'));
  const { connections, level } = JSON.parse(line ?? "{}");
  return { app, connections, level };
};

test("under load a process opens at most the connections that it has announced", async () => {
  const { app, connections } = await start();
  expect(connections.own).toBe(
    Object.values<number>(connections.uses).reduce((all, use) => all + use, 0),
  );
  const client = createClient(app);
  const token = await client.signIn(account);
  const ask = (method: string, path: string, data?: unknown) =>
    client.ask(method, path, { as: token, ...(data === undefined ? {} : { body: { data } }) });
  await database.database.query(
    "create table public.many as select n as id, repeat('x', 200) as text from generate_series(1, 10000) n",
  );
  const { data } = (await ask("GET", "/admin/api/resources?limit=200")).body;
  const { id } = data.find((resource: { name: string }) => resource.name === "many");
  await ask("PATCH", `/admin/api/resources/${id}`, { exposedMethods: ["GET"] });
  const me = (await ask("GET", "/api/auth/me")).body.data;
  const steps = [{ id: "end", kind: "finish", result: 1 }];
  const trigger = { kind: "webhook", access: "AUTHENTICATED", executeAs: me.id };
  const definition = { trigger, steps };
  const made = await ask("POST", "/admin/api/workflows", { slug: "w", name: "w", definition });
  await ask("POST", `/admin/api/workflows/${made.body.data.id}/publish`);
  await ask("POST", `/admin/api/workflows/${made.body.data.id}/enable`);
  const [role] = (await ask("GET", "/admin/api/roles?search=Administrators")).body.data;
  await ask("POST", `/admin/api/workflows/${made.body.data.id}/invoke-grants`, { roleId: role.id });

  let busy = true;
  let most = 0;
  /** The most sessions of each login and name. */
  const seen: Record<string, number> = {};
  const count = async () => {
    while (busy) {
      const rows = await database.database.query<{ part: string; sessions: number }>(
        `select usename || ' ' || split_part(application_name, ' ', 1) as part, count(*)::int as sessions from pg_stat_activity
         where usename in ('test_service', 'test_system') and datname = current_database() and application_name <> 'test-service'
         group by 1`,
      );
      for (const { part, sessions } of rows) seen[part] = Math.max(seen[part] ?? 0, sessions);
      most = Math.max(
        most,
        rows.reduce((all, { sessions }) => all + sessions, 0),
      );
      await sleep(20);
    }
  };
  const counting = count();
  const headers = { Authorization: `Bearer ${token}` };
  const statuses = new Set<number>();
  const call = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(app.url + path, {
      ...init,
      headers: { ...headers, ...init.headers },
    });
    statuses.add(answer.status);
    await answer.arrayBuffer();
  };
  const readers = Array.from({ length: 50 }, async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      await call("/api/public/table/many?limit=20&search=yy");
    }
  });
  const callers = Array.from({ length: 20 }, async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      await call("/api/workflows/w/webhook", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: "{}",
      });
    }
  });
  const csv = { headers: { Accept: "text/csv" } };
  const exported = [call("/api/public/table/many", csv), call("/api/public/table/many", csv)];
  try {
    await Promise.all([...readers, ...callers, ...exported]);
  } finally {
    busy = false;
    await counting;
  }
  expect([...statuses]).toEqual([200]);
  expect(most).toBeGreaterThan(connections.uses.pool);
  expect(most).toBeLessThanOrEqual(connections.own);
  // DATABASE_CONNECTIONS 6: 4 and 3, two spare ones and a health connection for each, replies, and two exports at once.
  expect(seen["test_service standalone"]).toBeLessThanOrEqual(4 + 2 + 1 + 2);
  expect(seen["test_system standalone"]).toBeLessThanOrEqual(3 + 2 + 1 + 1);
  const ofWorker = Object.entries(seen).filter(([part]) => part.endsWith(" standalone-worker"));
  const all = ofWorker.reduce((total, [, sessions]) => total + sessions, 0);
  expect(ofWorker).toHaveLength(2);
  expect(all).toBeLessThanOrEqual(connections.uses.worker);
}, 180_000);

test("a process that exceeds the connection limit warns about it", async () => {
  const { database: owner } = database;
  const name = new URL(database.url).pathname.slice(1);
  await owner.query(`alter database ${name} connection limit 80`);
  const { app, connections, level } = await start();
  expect(connections.limit).toBe(80);
  expect(connections.all).toBeGreaterThan(80);
  expect(level).toBe(40);
  expect(app.output()).toContain("but the database allows 80");
});

test("a process that exceeds an enforced connection limit does not start, and the running ones continue", async () => {
  const [running] = apps;
  await expect(start({ DATABASE_BUDGET: "enforce" })).rejects.toThrow("but the database allows 80");
  expect((await fetch(`${running?.url}/readyz`)).status).toBe(200);
});

test("a process is not ready while one of its logins cannot connect, and says which one", async () => {
  // Logins of this test alone, because other databases of the server have the usual ones.
  const own = await createTestDatabase({ login: "owner" });
  const logins = { service: `ready_service_${process.pid}`, system: `ready_system_${process.pid}` };
  const urlOf = (login: string) => {
    const url = new URL(own.ownerUrl);
    [url.username, url.password] = [login, "ready"];
    return url.href;
  };
  for (const login of Object.values(logins)) {
    await own.database.query(`create role ${login} login password 'ready'`);
  }
  await own.database.query(`create role ${logins.service}_recorder`);
  await admitLogins(own.database, { ...logins, closesService: true });
  const { app } = await start({
    DATABASE_URL: urlOf(logins.service),
    SYSTEM_DATABASE_URL: urlOf(logins.system),
  });
  const ready = async () => {
    const answer = await fetch(`${app.url}/readyz`);
    return { status: answer.status, text: await answer.text() };
  };
  await expect.poll(async () => (await ready()).status).toBe(200);
  for (const kind of ["service", "system"] as const) {
    const login = logins[kind];
    await own.database.query(`alter role ${login} nologin`);
    await own.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${login}'`,
    );
    const { status, text } = await ready();
    expect(status).toBe(503);
    expect(text).toMatch(new RegExp(`[".]${kind}Login":false`));
    const other = kind === "service" ? "system" : "service";
    expect(text).not.toContain(`${other}Login`);
    await own.database.query(`alter role ${login} login`);
    await expect.poll(async () => (await ready()).status, { timeout: 5000 }).toBe(200);
  }
  await app.stop();
  // The server of the tests ends with them, and so do the logins.
  await own.drop();
}, 60_000);
