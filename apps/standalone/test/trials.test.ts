// Tiers: long, topologies. Starts a process and a browser, within the time limit of a trial.
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "@rowhouse/db";
import {
  isDistributed,
  signIn,
  startTestEnvironment,
  type TestEnvironment,
} from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Answer, createClient } from "./client.ts";
import { uploadFile } from "./files.ts";
import { type MailServer, prepareMailServer } from "./mail-server.ts";

// A test of a draft without effects leaves nothing, sends nothing, and holds nothing for long.

const chromium = process.env.ROWHOUSE_CHROMIUM ?? "/usr/bin/chromium";
const hasChromium = existsSync(chromium);
const isDeep = { recursive: true } as const;

let environment: TestEnvironment;
let mails: MailServer;
let server: Server;
let folder: string;
let admin: string;
let me: string;
let fileId: string;
let url: string;
let connections = 0;

const sql = <Row extends object>(text: string, parameters: readonly string[] = []) =>
  environment.test.database.query<Row>(text, parameters);
const administer = (method: string, path: string, data?: unknown): Promise<Answer> =>
  createClient(environment).ask(method, `/admin/api${path}`, {
    as: admin,
    ...(data === undefined ? {} : { body: { data } }),
  });
async function must(method: string, path: string, data?: unknown) {
  const answer = await administer(method, path, data);
  expect([method, path, answer.status < 300 || answer.body]).toEqual([method, path, true]);
  return answer.body?.data;
}

beforeAll(async () => {
  mails = await prepareMailServer();
  await mails.start();
  server = createServer((_request, response) => {
    response.setHeader("content-type", "application/json").end('{"id": 7}');
  }).on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = await mkdtemp(join(tmpdir(), "rowhouse-trial-"));
  environment = await startTestEnvironment({
    ownProcess: true,
    environment: {
      FILES_DIR: folder,
      SMTP_URL: mails.url,
      MAIL_FROM: "Rowhouse <house@example.com>",
      CHROMIUM_SANDBOX: "off",
      ...(hasChromium ? { CHROMIUM_PATH: chromium } : {}),
    },
  });
  admin = await createClient(environment).signIn(signIn);
  me = (await createClient(environment).ask("GET", "/api/auth/me", { as: admin })).body.data.id;
  await sql(
    "create table public.trip (id bigint generated always as identity primary key, note text, n int)",
  );
  await sql(
    "create table public.stop (id bigint primary key, trip_id bigint references public.trip (id) deferrable initially deferred)",
  );
  await sql("create table public.slow (id bigint generated always as identity primary key)");
  await sql(`create function public.wait_long() returns trigger language plpgsql as
    $$ begin perform pg_sleep(60); return new; end $$`);
  await sql(
    `create trigger slow before insert on public.slow for each row execute function public.wait_long()`,
  );
  await sql("insert into public.trip (note, n) values ('kept', 1), ('other', 2)");
  for (const name of ["trip", "stop", "slow"]) {
    const [resource] = await must("GET", `/resources?schema=public&search=.${name}`);
    await must("PATCH", `/resources/${resource.id}`, {
      exposedMethods: ["GET", "POST", "PATCH", "DELETE"],
      ...(name === "trip" ? { history: true } : {}),
    });
  }
  for (const name of ["files", "users", "roles"]) {
    const [resource] = await must("GET", `/resources?schema=system&search=.${name}`);
    await must("PATCH", `/resources/${resource.id}`, {
      exposedMethods: ["GET", "POST", "PATCH", "DELETE"],
    });
  }
  fileId = await uploadFile(environment, admin, "real.txt", "the real file");
  await must("POST", "/templates", {
    ...{ kind: "DOCUMENT", key: "invoice", language: "en", title: "Invoice", format: "HTML" },
    source: "<h1>Invoice {{ n }}</h1>",
  });
  await must("POST", "/workflow-secrets", { name: "CRM_KEY", value: "canary-0123456789" });
  await must("PATCH", "/settings", { "workflows.allowed_hosts": ["127.0.0.1"] });
});
afterAll(async () => {
  await environment.stop();
  await mails.stop();
  server.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  connections = 0;
});

let count = 0;
async function draft(steps: readonly object[], more: object = {}): Promise<string> {
  count += 1;
  const slug = `trial-${count}`;
  const definition = { trigger: { kind: "manual", executeAs: me }, steps, ...more };
  return (await must("POST", "/workflows", { slug, name: slug, definition })).id;
}

async function enable(id: string): Promise<void> {
  await must("POST", `/workflows/${id}/publish`);
  await must("POST", `/workflows/${id}/enable`);
}

async function start(id: string, effects: "NONE" | "REAL" = "NONE", more: object = {}) {
  const answer = await createClient(environment).ask("POST", `/admin/api/workflows/${id}/test`, {
    as: admin,
    body: { data: { n: 5 }, effects, ...more },
  });
  expect([answer.status, answer.body?.errors]).toEqual([201, undefined]);
  return `/workflows/${id}/runs/${answer.body.data.run}`;
}

async function ended(path: string, timeout = 30_000) {
  await expect
    .poll(async () => (await must("GET", path)).finishedAt, { timeout, interval: 100 })
    .not.toBeNull();
  const run = await must("GET", path);
  const steps: { path: string; status: string; simulated: string | null }[] = run.steps;
  const shown = steps.map(({ path: of, status, simulated }) =>
    [of, status, simulated ?? ""].join(" ").trim(),
  );
  return { ...run, shown };
}

/** Ends a long test; a busy machine may need more than its ten seconds, after which it has left nothing. */
async function endedInTime(id: string): ReturnType<typeof ended> {
  for (let attempt = 1; ; attempt += 1) {
    const run = await ended(await start(id));
    if (run.error?.code !== "TEST_TIMED_OUT" || attempt === 4) return run;
  }
}

const test = async (steps: readonly object[], more: object = {}) =>
  ended(await start(await draft(steps), "NONE", more));

/** Tables that hold the history of a test, or the state of a session. */
const history = new Set([
  ...["system.workflow_runs", "system.workflow_run_steps", "system.workflow_versions"],
  ...["system.workflows", "system.audit_log", "system.rate_limits", "system.sessions"],
]);

/** Returns every row of every table except for `history` and the queue, by table. */
async function dump(): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'm') and n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'rowhouse_queue')`,
  );
  expect(tables.length).toBeGreaterThan(40);
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    if (history.has(name)) continue;
    const rows = await sql<{ row: string }>(`select t::text as row from ${name} t order by 1`);
    found[name] = rows.map(({ row }) => row).join("\n");
  }
  return found;
}

const trip = (id: string, values: object = { note: id, n: 1 }) => ({
  ...{ id, kind: "createRow", table: "trip", values },
});
/** A row whose trigger sleeps for a minute. */
const slow = { id: "slow", kind: "createRow", table: "slow", values: {} };
const child = [trip("childMade"), { id: "end", kind: "finish", result: "the child" }];

/** Every kind of step. */
const everyKind = (other: string) => [
  trip("made", { note: "{{start.data.n}}", n: 1 }),
  { id: "stop", kind: "createRow", table: "stop", values: { id: 1, trip_id: "{{steps.made.id}}" } },
  {
    ...{ id: "orphan", kind: "createRow", table: "stop", values: { id: 2, trip_id: 99_999 } },
    onError: {
      steps: [{ id: "noted", kind: "setValues", values: { code: "{{errors.orphan.code}}" } }],
    },
  },
  { id: "list", kind: "listRows", table: "trip", orderBy: "id" },
  { id: "get", kind: "getRow", table: "trip", key: "{{steps.made.id}}" },
  { id: "one", kind: "updateRows", table: "trip", key: 1, values: { note: "changed" } },
  { id: "many", kind: "updateRows", table: "trip", where: { n: { _gte: 1 } }, values: { n: 9 } },
  { id: "gone", kind: "deleteRows", table: "trip", key: 2 },
  {
    ...{ id: "ask", kind: "httpRequest", method: "POST", url: `${url}/orders` },
    auth: { kind: "bearer", token: "{{secrets.CRM_KEY}}" },
    body: { id: "{{steps.made.id}}", key: "{{secrets.CRM_KEY}}" },
  },
  { id: "store", kind: "storeFile", name: "made.txt", content: "made {{steps.ask.status}}" },
  { id: "readMade", kind: "readFile", file: "{{steps.store.id}}" },
  { id: "readReal", kind: "readFile", file: fileId },
  { id: "doc", kind: "renderDocument", template: "invoice", name: "i.html", data: { n: 3 } },
  ...(hasChromium
    ? [
        {
          id: "pdf",
          kind: "renderDocument",
          template: "invoice",
          pdf: true,
          name: "i.pdf",
          data: {},
        },
      ]
    : []),
  {
    ...{ id: "mail", kind: "sendEmail", to: ["a@example.com", "b@example.com"], subject: "Hi" },
    ...{ text: "Hello", attachments: ["{{steps.store.id}}", fileId] },
  },
  { id: "waited", kind: "runWorkflow", workflow: other, input: { n: 1 } },
  { id: "started", kind: "runWorkflow", workflow: other, wait: false },
  { id: "nap", kind: "delay", seconds: 3600 },
  {
    id: "until",
    kind: "delay",
    until: new Date(Date.now() + 3_600_000).toISOString(),
  },
  {
    ...{ id: "loop", kind: "forEach", items: [1, 2, 3], concurrency: 3 },
    steps: [
      trip("looped", { note: "{{item}}", n: "{{index}}" }),
      {
        ...{ id: "if", kind: "condition", expression: "item == 2" },
        // biome-ignore lint/suspicious/noThenProperty: a documented field name; a definition is never awaited
        then: [{ id: "failing", kind: "fail", message: "two" }],
        onError: "continue",
      },
    ],
  },
  {
    ...{ id: "which", kind: "switch", value: 1 },
    cases: [{ equals: 1, steps: [{ id: "chosen", kind: "setValues", values: { chosen: true } }] }],
  },
  {
    ...{ id: "end", kind: "finish" },
    result: {
      rows: "{{steps.list}}",
      read: ["{{steps.readMade.content}}", "{{steps.readReal.content}}"],
      doc: "{{steps.doc.wouldHaveSent.content}}",
      code: "{{vars.code}}",
    },
  },
];

const kindsOf = (steps: readonly object[]): string[] =>
  [...JSON.stringify(steps).matchAll(/"kind":"(\w+)"/g)].map(([, kind]) => kind ?? "");

describe("a test without effects", () => {
  let other: string;
  let watching: string;
  beforeAll(async () => {
    const id = await draft(child);
    await enable(id);
    other = (await must("GET", `/workflows/${id}`)).slug;
    count += 1;
    const trigger = {
      ...{
        kind: "databaseEvent",
        executeAs: me,
        table: "trip",
        on: ["insert", "update", "delete"],
      },
    };
    const slug = `watching-${count}`;
    const definition = { trigger, steps: [{ id: "end", kind: "finish", result: 1 }] };
    watching = (await must("POST", "/workflows", { slug, name: slug, definition })).id;
    await enable(watching);
  });

  it("over every kind of step leaves the database and the storage equal, sends nothing and starts nothing", async () => {
    const steps = everyKind(other);
    const kinds: { kind: string }[] = (await must("GET", "/workflow-step-kinds")).steps;
    expect(kinds.map(({ kind }) => kind).filter((kind) => !kindsOf(steps).includes(kind))).toEqual(
      [],
    );
    const id = await draft(steps);
    const [before, stored] = [await dump(), (await readdir(folder, isDeep)).toSorted()];
    const run = await endedInTime(id);
    expect([run.status, run.error]).toEqual(["SUCCEEDED", null]);
    expect(run.shown).toEqual([
      "made SUCCEEDED ROLLED_BACK",
      "stop SUCCEEDED ROLLED_BACK",
      "orphan FAILED ROLLED_BACK",
      "noted SUCCEEDED",
      "list SUCCEEDED",
      "get SUCCEEDED",
      "one SUCCEEDED ROLLED_BACK",
      "many SUCCEEDED ROLLED_BACK",
      "gone SUCCEEDED ROLLED_BACK",
      "ask SUCCEEDED NOT_SENT",
      "store SUCCEEDED NOT_SENT",
      "readMade SUCCEEDED",
      "readReal SUCCEEDED",
      "doc SUCCEEDED NOT_SENT",
      ...(hasChromium ? ["pdf SUCCEEDED NOT_SENT"] : []),
      "mail SUCCEEDED NOT_SENT",
      "waited SUCCEEDED NOT_SENT",
      "started SUCCEEDED NOT_SENT",
      "nap SUCCEEDED SKIPPED",
      "until SUCCEEDED SKIPPED",
      ...["loop SUCCEEDED", "loop.0.looped SUCCEEDED ROLLED_BACK", "loop.0.if SUCCEEDED"],
      ...["loop.1.looped SUCCEEDED ROLLED_BACK", "loop.1.if SUCCEEDED", "loop.1.failing FAILED"],
      ...["loop.2.looped SUCCEEDED ROLLED_BACK", "loop.2.if SUCCEEDED"],
      "which SUCCEEDED",
      "chosen SUCCEEDED",
      "end SUCCEEDED",
    ]);
    expect(run.result.rows.map(({ note }: { note: string }) => note)).toEqual([
      "kept",
      "other",
      "5",
    ]);
    expect(run.result).toMatchObject({
      read: ["made 200", "the real file"],
      doc: "<h1>Invoice 3</h1>",
      code: "FOREIGN_KEY_VIOLATION",
    });
    expect(JSON.stringify(run)).not.toContain("canary");
    // Time for an event, a mail or a run that should not be there.
    await sleep(2000);
    expect(await dump()).toEqual(before);
    expect((await readdir(folder, isDeep)).toSorted()).toEqual(stored);
    expect([connections, mails.connections()]).toEqual([0, 0]);
    const runs = await sql(
      "select from system.workflow_runs where origin in ('EVENT', 'WORKFLOW')",
    );
    expect(runs).toEqual([]);
    expect(await must("GET", `/workflows/${watching}/runs`)).toEqual([]);
  });

  it("differs from the same definition with effects in just that", async () => {
    const before = await dump();
    const steps = everyKind(other).filter((step) => !("kind" in step) || step.kind !== "delay");
    const run = await ended(await start(await draft(steps), "REAL"));
    expect([run.error, run.status]).toEqual([
      // A document that was not made without effects has no `wouldHaveSent` either.
      { code: "TEMPLATE_ERROR", message: expect.stringContaining("wouldHaveSent"), step: "end" },
      "FAILED",
    ]);
    await expect.poll(() => mails.received.length, { timeout: 20_000 }).toBe(2);
    const now = await dump();
    const changed = Object.keys(now).filter((name) => now[name] !== before[name]);
    expect(changed).toEqual(
      expect.arrayContaining(["public.trip", "public.stop", "system.files", "system.row_history"]),
    );
    expect(connections).toBeGreaterThan(0);
    await expect
      .poll(async () => (await must("GET", `/workflows/${watching}/runs`)).length, {
        timeout: 20_000,
      })
      .toBeGreaterThan(3);
  });
});

describe("the locks of a test without effects", () => {
  const lockRow = { id: "lock", kind: "updateRows", table: "trip", key: 1, values: { n: 3 } };
  const reached = (path: string, step: string) =>
    expect
      .poll(
        async () =>
          (await must("GET", path)).steps.some((one: { path: string }) => one.path === step),
        { timeout: 10_000, interval: 20 },
      )
      .toBe(true);

  it("end within 10 seconds, although a statement of it runs longer", async () => {
    const id = await draft([lockRow, slow]);
    const path = await start(id);
    await reached(path, "lock");
    const outside = openDatabase({ url: environment.test.ownerUrl, applicationName: "outside" });
    await outside.transaction(async (transaction) => {
      await transaction.query("set local statement_timeout = 0");
      await transaction.query("update public.trip set note = 'mine' where id = 1");
    });
    await outside.close();
    const run = await ended(path);
    expect(run).toMatchObject({ status: "FAILED", error: { code: "TEST_TIMED_OUT" } });
    expect(run.shown).toContain("slow FAILED");
    const [row] = await sql("select note, n from public.trip where id = 1");
    expect(row).toMatchObject({ note: "mine" });
    expect(row).not.toMatchObject({ n: 3 });
  });

  it("are given up after 2 seconds if another transaction has them", async () => {
    await environment.test.database.transaction(async (transaction) => {
      await transaction.query("update public.trip set n = 4 where id = 1");
      const run = await test([
        { ...lockRow, onError: { steps: [trip("after")] } },
        { id: "end", kind: "finish", result: "{{errors.lock.code}}" },
      ]);
      expect(run).toMatchObject({ status: "SUCCEEDED", result: "TEST_LOCK_TIMEOUT" });
    });
  });

  it("do not include the runs of a user whom it deletes", async () => {
    const [user] = await sql<{ id: string }>(
      "insert into system.users (email, name) values ('gone@example.com', 'Gone') returning id",
    );
    const waiting = await draft([{ id: "nap", kind: "delay", seconds: 600 }], {
      trigger: { kind: "manual", executeAs: user?.id },
    });
    const real = await start(waiting, "REAL");
    await reached(real, "nap");
    const deletes = (id: string, table: string, key?: string) => ({
      ...{ id, kind: "deleteRows", schema: "system", table, key },
    });
    const steps = [deletes("gone", "users", user?.id), deletes("waits", "files", fileId)];
    let path = "";
    await environment.test.database.transaction(async (transaction) => {
      await transaction.query("select from system.files where id = $1 for update", [fileId]);
      path = await start(await draft(steps));
      await reached(path, "gone");
      const open =
        "select id from system.workflow_runs where finished_at is null for update nowait";
      expect(await sql(open)).toHaveLength(2);
    });
    expect((await ended(path)).shown[0]).toBe("gone SUCCEEDED ROLLED_BACK");
    expect(await sql("select from system.users where email = 'gone@example.com'")).toHaveLength(1);
    await must("POST", `${real}/cancel`);
  });
});

describe("several hostile tests without effects", () => {
  const all = Array.from({ length: 10_000 }, (_, n) => n);
  const loop = (inner: object) => [
    {
      ...{ id: "outer", kind: "forEach", items: "{{start.data.all}}" },
      steps: [{ id: "inner", kind: "forEach", items: "{{start.data.all}}", steps: [inner] }],
    },
  ];

  it("run two at a time in a process, within their bounds, while requests are answered", async () => {
    const hostile = [
      loop(trip("row")),
      loop({ id: "store", kind: "storeFile", name: "x.txt", content: "x".repeat(2000) }),
      [slow],
    ];
    const ids = await Promise.all(hostile.map((steps) => draft(steps)));
    const before = await dump();
    const paths = await Promise.all(ids.map((id) => start(id, "NONE", { data: { all } })));
    const since = performance.now();
    let most = 0;
    for (;;) {
      const open = await sql("select from system.workflow_runs where finished_at is null");
      if (open.length === 0 || performance.now() - since > 60_000) break;
      await must("GET", "/workflows?limit=1");
      const [row] = await sql<{ open: number }>(
        `select count(*)::int as open from pg_stat_activity where datname = current_database()
           and xact_start < clock_timestamp() - interval '2 seconds' and pid <> pg_backend_pid()`,
      );
      most = Math.max(most, row?.open ?? 0);
      await sleep(200);
    }
    expect(most).toBeLessThanOrEqual(isDistributed() ? 4 : 2);
    for (const path of paths) {
      expect(await ended(path)).toMatchObject({
        ...{ status: "FAILED", error: { code: expect.stringMatching(/TEST_TIMED_OUT|TOO_LARGE/) } },
      });
    }
    expect(await dump()).toEqual(before);
  }, 120_000);

  it("reads no rows after it has changed the rights that reading needs", async () => {
    const run = await test([
      { id: "role", kind: "createRow", schema: "system", table: "roles", values: { name: "Own" } },
      { id: "read", kind: "listRows", table: "trip", onError: "continue" },
      { id: "end", kind: "finish", result: "{{errors.read.code}}" },
    ]);
    expect([run.result, run.error, run.shown]).toEqual([
      "TEST_RIGHTS_CHANGED",
      null,
      expect.anything(),
    ]);
    expect(await sql("select from system.roles where name = 'Own'")).toEqual([]);
  });
});
