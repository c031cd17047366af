import { createApp as createAdminApi } from "@rowhouse/admin-api";
import { createApp as createDataApi } from "@rowhouse/data-api";
import { createSnapshotStore } from "@rowhouse/db";
import { createLogger, type Service } from "@rowhouse/http";
import {
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { openWorkflowConnections } from "@rowhouse/workflows";

/** Both APIs in this process on a database of their own, with an administrator and a member of a role. */
export interface House {
  readonly test: TestDatabase;
  readonly services: readonly Service[];
  readonly admin: TestUser;
  readonly member: TestUser;
  /** Sends a request with a secret (or without one) and a JSON body (or without one). */
  ask(method: string, path: string, options?: AskOptions): Promise<Answer>;
  stop(): Promise<void>;
}

export interface AskOptions {
  readonly as?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
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

export async function openHouse(): Promise<House> {
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
  const logger = createLogger("test", "silent");
  const snapshots = createSnapshotStore(database);
  const workflows = await openWorkflowConnections({
    database,
    databaseUrl: test.url,
    redisUrl: undefined,
    report: () => {},
  });
  const dataApi = createDataApi({ logger, database, snapshots, workflows });
  const adminApi = createAdminApi({ logger, database, snapshots });
  const edge = { requestId: "request-1", clientAddress: "192.0.2.7" };
  return {
    test,
    services: [dataApi, adminApi],
    admin,
    member,
    ask: async (method, path, { as, body, headers } = {}) => {
      const service = path.startsWith("/api/") ? dataApi : adminApi;
      const request = new Request(`http://localhost${path}`, {
        method,
        headers: {
          ...(as === undefined ? {} : { Authorization: `Bearer ${as}` }),
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const response = await service.fetch(request, { edge });
      const text = await response.text();
      const parsed = text.startsWith("{") ? JSON.parse(text) : null;
      const faults = (parsed?.errors ?? []).map((fault: { code: string; path?: string }) =>
        fault.path === undefined ? fault.code : `${fault.code} ${fault.path}`,
      );
      return { status: response.status, headers: response.headers, text, body: parsed, faults };
    },
    stop: async () => {
      await workflows.close();
      await test.drop();
    },
  };
}
