import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAccountMails } from "@rowhouse/accounts";
import { openDataPlane } from "@rowhouse/data";
import { createSnapshotStore } from "@rowhouse/db";
import { openRateLimits } from "@rowhouse/limits";
import { createLogger } from "@rowhouse/service";
import { createSqlConsole } from "@rowhouse/sql-console";
import {
  type AnswerCheck,
  createAnswerCheck,
  createTestDatabase,
  createUser,
  fetchThrough,
  installationSecret,
  isDistributed,
  ownHeaders,
  startTestEnvironment,
  type TestDatabase,
  type TestUser,
  topologyLogin,
} from "@rowhouse/testing";
import { createVault } from "@rowhouse/vault";
import { createApp } from "../src/app.ts";
import { appDocument } from "../src/routes/app/openapi.ts";
import { adminDocument } from "../src/routes/openapi.ts";

/**
 * The Admin API on a database of its own, with an administrator and another user. It runs in this process, or behind gateways
 * if a deployment of several processes is selected.
 */
export interface TestEnvironment {
  readonly test: TestDatabase;
  readonly admin: TestUser;
  readonly user: TestUser;
  /** Sends a request as the administrator, or with the given secret; null sends no credential. */
  ask(
    method: string,
    path: string,
    data?: unknown,
    secret?: string | null,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** Sends a request to the App API, and compares the response with the document of the App API. */
  app(path: string, secret: string | null, headers?: Record<string, string>): Promise<Answer>;
  /** Sends a change to the App API, as `app` does. */
  changeApp(method: string, path: string, secret: string, data?: unknown): Promise<Answer>;
  /** Sends a body unchanged. */
  send(method: string, path: string, body: string, contentType?: string): Promise<Answer>;
  /** Sends a request as the administrator, and returns the response unread. */
  raw(method: string, path: string, data: unknown, signal?: AbortSignal): Promise<Response>;
  /** Sends a request to a path of any API, and returns the response unread. */
  fetchRaw(path: string, init: RequestInit): Promise<Response>;
  /** Opens an address without a credential, and returns the response unread. */
  open(path: string): Promise<Response>;
  /** `METHOD /path` of every mounted route. */
  readonly routes: readonly string[];
  /** The number of rows of every table that a failed change could leave rows in. */
  traces(): Promise<string>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
  /** `CODE path` of each fault. */
  readonly faults: string[];
}

export async function openTestEnvironment(): Promise<TestEnvironment> {
  const login = topologyLogin();
  const test = await createTestDatabase(login === undefined ? {} : { login });
  const { database } = test;
  const admin = await createUser(database, "admin@example.com", "Administrators");
  await database.query("insert into system.roles (name) values ('Drivers')");
  const user = await createUser(database, "user@example.com", "Drivers");
  const logger = createLogger("test", "silent");
  const { service: pool } = test;
  const snapshots = createSnapshotStore(pool);
  // Without a public URL no mail with a link is created; other mails are written to files.
  const folder = await mkdtemp(join(tmpdir(), "rowhouse-mails-"));
  const config = { MAIL_FROM: "test@example.com", ROWHOUSE_DATA_DIR: folder };
  const vault = createVault(() => installationSecret);
  const mails = openAccountMails({ database: pool, snapshots, vault }, config, logger);
  const service = createApp({
    logger,
    database: pool,
    snapshots,
    plane: openDataPlane({ database: pool, snapshots, onUnrecordedUse: () => {} }),
    mails,
    rateLimits: openRateLimits({ database: pool, redisUrl: undefined, report: () => {} }),
    vault,
    sqlConsole: createSqlConsole({
      database: pool,
      databaseUrl: test.sessionUrl,
      consoleUrl: undefined,
      secret: () => installationSecret,
    }),
  });
  const installation = isDistributed()
    ? await startTestEnvironment({ test, hasProxy: true })
    : undefined;
  const edge = { requestId: "request-1", clientAddress: "192.0.2.7" };
  let check: AnswerCheck | undefined;
  let appCheck: AnswerCheck | undefined;
  const documented = (path: string): AnswerCheck => {
    if (path.startsWith("/app/api/")) {
      appCheck ??= createAnswerCheck(appDocument(service, true), { formats: true });
      return appCheck;
    }
    check ??= createAnswerCheck(adminDocument(service, true), { formats: true });
    return check;
  };
  const send = async (path: string, init: RequestInit): Promise<Response> =>
    installation === undefined
      ? service.fetch(new Request(`http://localhost${path}`, init), { edge })
      : fetchThrough(installation, path, init, edge);
  const fetch = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await send(path, init);
    const text = await response.text();
    const { method = "GET" } = init;
    documented(path).checkSampled({
      method,
      path,
      status: response.status,
      contentType: response.headers.get("content-type"),
      text,
    });
    const body = text === "" ? null : JSON.parse(text);
    const faults = (body?.errors ?? []).map((fault: { code: string; path?: string }) =>
      fault.path === undefined ? fault.code : `${fault.code} ${fault.path}`,
    );
    return { status: response.status, headers: ownHeaders(response), body, faults };
  };
  const authorization = (secret: string) => ({ Authorization: `Bearer ${secret}` });
  return {
    // Dropping the database ends its connections.
    test: {
      ...test,
      drop: async () => {
        await mails.close();
        await (installation === undefined ? test.drop() : installation.stop());
        await rm(folder, { recursive: true, force: true });
      },
    },
    admin,
    user,
    routes: service.routes
      .filter(({ method, path }) => method !== "ALL" && path.startsWith("/admin/api/"))
      .map(({ method, path }) => `${method} ${path}`),
    ask: (method, path, data, secret = admin.secret, headers = {}) =>
      fetch(`/admin/api${path}`, {
        method,
        headers: {
          ...(secret === null ? {} : authorization(secret)),
          ...(data === undefined ? {} : { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
      }),
    raw: (method, path, data, signal) =>
      send(`/admin/api${path}`, {
        method,
        headers: { ...authorization(admin.secret), "Content-Type": "application/json" },
        ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
        ...(signal === undefined ? {} : { signal }),
      }),
    fetchRaw: send,
    open: (path) => send(path, {}),
    app: (path, secret, headers = {}) =>
      fetch(`/app/api${path}`, {
        headers: { ...headers, ...(secret === null ? {} : authorization(secret)) },
      }),
    changeApp: (method, path, secret, data) =>
      fetch(`/app/api${path}`, {
        method,
        headers: {
          ...authorization(secret),
          ...(data === undefined ? {} : { "Content-Type": "application/json" }),
        },
        ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
      }),
    send: (method, path, body, contentType = "application/json") =>
      fetch(`/admin/api${path}`, {
        method,
        body,
        headers: { ...authorization(admin.secret), "Content-Type": contentType },
      }),
    traces: async () => {
      const rows = await database.query(
        `select (select count(*) from pg_class) as classes, (select count(*) from system.users) as users,
           (select count(*) from system.roles) as roles, (select count(*) from system.role_members) as members,
           (select count(*) from system.grants) as grants, (select count(*) from system.grant_columns) as columns,
           (select count(*) from system.sessions) as sessions, (select count(*) from system.audit_log) as entries,
           (select string_agg(exposed_methods::text, ',' order by id) from system.resources) as exposed`,
      );
      return JSON.stringify(rows);
    },
  };
}

/** An id that no record has. */
export const nobody = "00000000-0000-4000-8000-000000000000";
