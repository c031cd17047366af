import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type MailLog, openAccountMails } from "@rowhouse/accounts";
import { createApp as createAdminApi } from "@rowhouse/admin-api";
import { createApp as createDataApi } from "@rowhouse/data-api";
import { createSnapshotStore } from "@rowhouse/db";
import { createLogger, type Service } from "@rowhouse/http";
import { openRateLimits } from "@rowhouse/rate-limit";
import { createSqlConsole } from "@rowhouse/sql-console";
import {
  createDocumentCheck,
  createTestDatabase,
  createUser,
  expose,
  moveClock,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { createVault } from "@rowhouse/vault";
import { openWorkflowConnections } from "@rowhouse/workflows";

/** Both APIs in this process on a database of their own, with an administrator and a member of a role. */
export interface House {
  readonly test: TestDatabase;
  readonly services: readonly Service[];
  readonly admin: TestUser;
  readonly member: TestUser;
  /** Sends a request with a secret (or without one) and a JSON body (or without one). */
  ask(method: string, path: string, options?: AskOptions): Promise<Answer>;
  /** The mails that were written since the last call, once nothing is being sent any more. */
  mails(): Promise<string[]>;
  /** Sends what is due of the outbox, as every process does from time to time. */
  deliver(): Promise<void>;
  /** Moves time, that of Postgres and that of the processes, this many seconds ahead of the real one. */
  moveTime(seconds: number): Promise<void>;
  /** Changes a setting. */
  set(key: string, value: unknown): Promise<void>;
  /** Resolves once what requests have left behind them, like the last use of a token, has reached the database. */
  settle(): Promise<void>;
  /** Other processes of the same installation. */
  again(): Promise<House>;
  stop(): Promise<void>;
}

/** What links in mails begin with. */
export const publicUrl = "https://house.example.com";

export interface AskOptions {
  readonly as?: string | undefined;
  readonly body?: unknown;
  /** A body as it is. */
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The client's address, as the gateway says it. */
  readonly from?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
  /** `CODE path` of each fault. */
  readonly faults: string[];
}

export interface HouseOptions {
  /** Where mails go; without it they become files. */
  readonly smtpUrl?: string;
  /** Hears what is said of mails. */
  readonly mailLog?: MailLog;
  /** Where calls are counted; without it, in the database. */
  readonly redisUrl?: string;
}

export async function openHouse(options: HouseOptions = {}): Promise<House> {
  const test = await createTestDatabase();
  const { database } = test;
  await database.query("insert into system.roles (name, token_creation) values ('Members', true)");
  const admin = await createUser(database, "admin@example.com", "Administrators");
  const member = await createUser(database, "member@example.com", "Members");
  await database.query("create table public.things (id int primary key, name text)");
  await database.query("insert into public.things values (1, 'one')");
  await expose(database, "public", "things", "GET", "POST", "PATCH", "DELETE");
  await database.query(
    `insert into system.grants (role_id, resource_id, action, all_fields)
     select r.id, s.id, 'READ', true from system.roles r, system.resources s
     where r.name = 'Members' and s.relation_name = 'things'`,
  );
  // All the requests of a test come from one address.
  for (const key of ["auth.attempts_per_minute", "auth.mails_per_minute"]) {
    await database.query("insert into system.settings (key, value) values ($1::text, '100000')", [
      key,
    ]);
  }
  const parts = { test, admin, member, time: { aheadMs: 0 } };
  return open(parts, options, () => test.drop());
}

interface Parts extends Pick<House, "test" | "admin" | "member"> {
  readonly time: { aheadMs: number };
}

async function open(parts: Parts, options: HouseOptions, end: () => Promise<void>): Promise<House> {
  const { test, admin, member, time } = parts;
  const now = () => Date.now() + time.aheadMs;
  const { smtpUrl, mailLog, redisUrl } = options;
  const { service: database } = test;
  const logger = createLogger("test", "silent");
  const snapshots = createSnapshotStore(database);
  const vault = createVault(() => "a secret of the tests' own");
  const workflows = await openWorkflowConnections({
    database,
    databaseUrl: test.url,
    redisUrl: undefined,
    vault,
    report: () => {},
  });
  const folder = await mkdtemp(join(tmpdir(), "rowhouse-mails-"));
  const config = {
    MAIL_FROM: "Rowhouse <house@example.com>",
    PUBLIC_URL: publicUrl,
    SMTP_URL: smtpUrl,
    ROWHOUSE_DATA_DIR: folder,
  };
  const mails = openAccountMails({ database, snapshots, vault }, config, mailLog ?? logger);
  const rateLimits = openRateLimits({ database, redisUrl, report: () => {} });
  const dataApi = createDataApi({
    logger,
    database,
    snapshots,
    workflows,
    mails,
    rateLimits,
    vault,
    now,
  });
  const sqlConsole = createSqlConsole({
    database,
    databaseUrl: test.url,
    consoleUrl: undefined,
    secret: () => "a secret of the tests' own",
  });
  const adminApi = createAdminApi({
    logger,
    database,
    snapshots,
    mails,
    vault,
    sqlConsole,
    now,
  });
  const read = new Set<string>();
  const serviceOf = (path: string) => (path.startsWith("/api/") ? dataApi : adminApi);
  const checkAnswer = createDocumentCheck(async (path, authorization) => {
    const request = new Request(`http://localhost${path}`, {
      headers: { Authorization: authorization },
    });
    const edge = { requestId: "document", clientAddress: "192.0.2.1" };
    const answer = await serviceOf(path).fetch(request, { edge });
    return { status: answer.status, text: await answer.text() };
  });
  return {
    test,
    services: [dataApi, adminApi],
    admin,
    member,
    ask: async (method, path, { as, body, raw, headers, from = "192.0.2.7" } = {}) => {
      const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
      const edge = { requestId: "request-1", clientAddress: from };
      const request = new Request(`http://localhost${path}`, {
        method,
        headers: {
          ...(as === undefined ? {} : { Authorization: `Bearer ${as}` }),
          ...(sent === undefined ? {} : { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(sent === undefined ? {} : { body: sent }),
      });
      const response = await serviceOf(path).fetch(request, { edge });
      const text = await response.text();
      await checkAnswer({
        method,
        path,
        authorization: request.headers.get("authorization"),
        status: response.status,
        contentType: response.headers.get("content-type"),
        text,
      });
      const parsed = text.startsWith("{") ? JSON.parse(text) : null;
      const faults = (parsed?.errors ?? []).map((fault: { code: string; path?: string }) =>
        fault.path === undefined ? fault.code : `${fault.code} ${fault.path}`,
      );
      return { status: response.status, headers: response.headers, text, body: parsed, faults };
    },
    deliver: async () => {
      await mails.idle();
      mails.wake();
      await mails.idle();
    },
    mails: async () => {
      await mails.idle();
      const names = await readdir(join(folder, "mails")).catch(() => []);
      const unread = names.filter((name) => !read.has(name)).sort();
      for (const name of unread) read.add(name);
      return Promise.all(unread.map((name) => readFile(join(folder, "mails", name), "utf8")));
    },
    moveTime: async (seconds) => {
      time.aheadMs = seconds * 1000;
      await moveClock(database, seconds);
    },
    set: async (key, value) => {
      await database.query(
        `insert into system.settings (key, value) values ($1::text, $2::text::jsonb)
         on conflict (key) do update set value = excluded.value`,
        [key, JSON.stringify(value)],
      );
    },
    // Its statements follow one another per connection; a round over all of them is behind whatever was sent before.
    settle: async () => {
      for (let round = 0; round < 3; round += 1) {
        await Promise.all(
          Array.from({ length: 30 }, () => database.query("select pg_sleep(0.01)")),
        );
      }
    },
    again: () => open(parts, options, async () => {}),
    stop: async () => {
      await mails.close();
      await rm(folder, { recursive: true, force: true });
      await workflows.close();
      await rateLimits.close();
      await end();
    },
  };
}
