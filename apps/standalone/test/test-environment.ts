import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Service } from "@rowhouse/http";
import {
  createDocumentCheck,
  createTestDatabase,
  createUser,
  expose,
  isDistributed,
  moveClock,
  ownHeaders,
  type TestDatabase,
  type TestUser,
  topologyLogin,
} from "@rowhouse/testing";
import { openInProcess, openProcesses, type Topology, type TopologyOptions } from "./topology.ts";

export { publicUrl } from "./topology.ts";

/**
 * Both APIs on a fresh database, with an administrator and a member of a role: in this process, or behind gateways in
 * a topology of several processes.
 */
export interface TestEnvironment {
  readonly test: TestDatabase;
  readonly admin: TestUser;
  readonly member: TestUser;
  /** Both APIs in this process, for tests that inspect their routes. */
  services(): Promise<readonly Service[]>;
  /** Sends a request with or without a secret and a JSON body. */
  ask(method: string, path: string, options?: AskOptions): Promise<Answer>;
  /** Returns the mails since the last call, once no mail is being sent. */
  mails(): Promise<string[]>;
  /** Sends due mails of the outbox, as every process does periodically. */
  deliver(): Promise<void>;
  /** Sets the clocks of PostgreSQL and of the processes this many seconds ahead of the real one. */
  moveTime(seconds: number): Promise<void>;
  /** Changes a setting. */
  set(key: string, value: unknown): Promise<void>;
  /** Resolves once deferred writes of requests, such as the last use of a token, are in the database. */
  settle(): Promise<void>;
  /** Other processes of the same installation. */
  again(): Promise<TestEnvironment>;
  stop(): Promise<void>;
}

export interface AskOptions {
  readonly as?: string | undefined;
  readonly body?: unknown;
  /** A raw body. */
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The client's address as the gateway states it. */
  readonly from?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
  /** Returns `CODE path` of each fault. */
  readonly faults: string[];
}

export async function openTestEnvironment(options: TopologyOptions = {}): Promise<TestEnvironment> {
  const login = options.login ?? topologyLogin();
  const test = await createTestDatabase(login === undefined ? {} : { login });
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
  // All the requests of a test have one source address.
  for (const key of ["auth.attempts_per_minute", "auth.mails_per_minute"]) {
    await database.query("insert into system.settings (key, value) values ($1::text, '100000')", [
      key,
    ]);
  }
  const topology = await (isDistributed() ? openProcesses : openInProcess)(test, options);
  return furnish({ test, admin, member }, topology, () => test.drop());
}

function furnish(
  parts: Pick<TestEnvironment, "test" | "admin" | "member">,
  topology: Topology,
  end: () => Promise<void>,
): TestEnvironment {
  const { database } = parts.test;
  const read = new Set<string>();
  const checkAnswer = createDocumentCheck(async (path, authorization) => {
    const edge = { requestId: "document", clientAddress: "192.0.2.1" };
    const answer = await topology.send(path, { headers: { Authorization: authorization } }, edge);
    return { status: answer.status, text: await answer.text() };
  });
  return {
    ...parts,
    services: async () => {
      const inProcess = await openInProcess(parts.test, {});
      await inProcess.close();
      return inProcess.services;
    },
    ask: async (method, path, { as, body, raw, headers, from = "192.0.2.7" } = {}) => {
      const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
      const sentHeaders = new Headers({
        ...(as === undefined ? {} : { Authorization: `Bearer ${as}` }),
        ...(sent === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      });
      const response = await topology.send(
        path,
        { method, headers: sentHeaders, ...(sent === undefined ? {} : { body: sent }) },
        { requestId: "request-1", clientAddress: from },
      );
      const text = await response.text();
      await checkAnswer({
        method,
        path,
        authorization: sentHeaders.get("authorization"),
        status: response.status,
        contentType: response.headers.get("content-type"),
        text,
      });
      const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
      const parsed = isJson && text !== "" ? JSON.parse(text) : null;
      const faults = (parsed?.errors ?? []).map((fault: { code: string; path?: string }) =>
        fault.path === undefined ? fault.code : `${fault.code} ${fault.path}`,
      );
      return {
        status: response.status,
        headers: ownHeaders(response),
        text,
        body: parsed,
        faults,
      };
    },
    deliver: () => topology.deliver(),
    mails: async () => {
      await topology.mailsIdle();
      const names = await readdir(topology.mailFolder).catch(() => []);
      const unread = names.filter((name) => !read.has(name)).sort();
      for (const name of unread) read.add(name);
      return Promise.all(unread.map((name) => readFile(join(topology.mailFolder, name), "utf8")));
    },
    moveTime: async (seconds) => {
      await topology.moveClocks(seconds * 1000);
      await moveClock(database, seconds);
    },
    set: async (key, value) => {
      await database.query(
        `insert into system.settings (key, value) values ($1::text, $2::text::jsonb)
         on conflict (key) do update set value = excluded.value`,
        [key, JSON.stringify(value)],
      );
    },
    settle: () => topology.settle(),
    again: async () => furnish(parts, await topology.again(), async () => {}),
    stop: async () => {
      await topology.close();
      await end();
    },
  };
}

/**
 * Returns the secret of the link in the newest of some mails to an address, ignoring letter case. The address is
 * required, because mails that are sent together have no order.
 */
export function linkIn(mails: readonly string[], address: string): string {
  const start = `to: ${address}\r\n`.toLowerCase();
  const sent = mails.filter((mail) => mail.toLowerCase().includes(start));
  const plain = (sent.at(-1) ?? "").replaceAll(/=\r?\n/g, "").replaceAll("=3D", "=");
  return /token=(rhl_[0-9A-Za-z]{36})/.exec(plain)?.[1] ?? "";
}
