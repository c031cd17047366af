import { randomUUID } from "node:crypto";
import {
  createTestDatabase,
  signIn,
  startTestEnvironment,
  type TestDatabase,
  type TestLogin,
  topologyLogin,
} from "@rowhouse/testing";
import { expect } from "vitest";
import { type Answer, createClient } from "./client.ts";

/** A running service whose workflows watch tables, and direct clients of its database. */
export interface EventEnvironment {
  readonly test: TestDatabase;
  /** The administrator's id. */
  readonly userId: string;
  /** URL of the service. */
  url(): string;
  /** Runs SQL as a client that does not use the service. */
  sql<Row extends object>(text: string, parameters?: readonly string[]): Promise<Row[]>;
  admin(method: string, path: string, data?: unknown): Promise<Answer>;
  data(method: string, path: string, data?: unknown): Promise<Answer>;
  /** Creates a published and enabled workflow; returns its id. */
  watch(trigger: object, steps?: readonly object[]): Promise<string>;
  /** Returns the inputs of a workflow's runs in order, once there are so many and all have ended. */
  inputs(workflow: string, count: number): Promise<EventInput[]>;
  /** Returns the runs of a workflow, oldest first, once there are so many and all have ended. */
  runs(workflow: string, count: number): Promise<EventRun[]>;
  /** Resolves once every event that was committed before is processed. */
  settled(): Promise<void>;
  /** Returns the names of the service's own triggers on a table. */
  triggers(table: string): Promise<string[]>;
  stop(): Promise<void>;
}

export interface EventInput {
  readonly event: string;
  readonly schema: string;
  readonly table: string;
  readonly old: Readonly<Record<string, unknown>> | null;
  readonly new: Readonly<Record<string, unknown>> | null;
  readonly changed: readonly string[];
  readonly omitted?: readonly string[];
  readonly occurredAt: string;
}

export interface EventRun {
  readonly id: string;
  readonly status: string;
  readonly origin: string;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly input: EventInput;
  readonly text: string;
}

/** A workflow that returns its input. */
const echo = [{ id: "end", kind: "finish", result: "{{start.data}}" }];

/**
 * @param login the login of the service
 * @param environment further environment variables of its processes
 */
export async function openEventEnvironment(
  login: TestLogin | undefined = topologyLogin(),
  environment: Readonly<Record<string, string>> = {},
): Promise<EventEnvironment> {
  const test = await createTestDatabase(login === undefined ? {} : { login });
  return startEventEnvironment(test, environment);
}

/** Starts the service on a database that is prepared already. */
export async function startEventEnvironment(
  test: TestDatabase,
  environment: Readonly<Record<string, string>> = {},
): Promise<EventEnvironment> {
  const installation = await startTestEnvironment({ test, environment });
  const client = createClient(installation);
  const as = await client.signIn(signIn);
  const ask = (prefix: string) => (method: string, path: string, data?: unknown) =>
    client.ask(method, `${prefix}${path}`, {
      as,
      ...(data === undefined ? {} : { body: { data } }),
    });
  const admin = ask("/admin/api");
  const me = await client.ask("GET", "/api/auth/me", { as });
  const userId: string = me.body.data.id;
  const sql: EventEnvironment["sql"] = (text, parameters) => test.database.query(text, parameters);

  const runs = async (workflow: string, count: number): Promise<EventRun[]> => {
    const read = () =>
      sql<EventRun>(
        `select id, status, origin, error, input, input::text as text from system.workflow_runs
         where workflow_id = $1::text::uuid order by event_id, accepted_at`,
        [workflow],
      );
    await expect
      .poll(
        async () => {
          const now = await read();
          const ended = now.filter(({ status }) => !["QUEUED", "RUNNING"].includes(status));
          return [now.length, ended.length];
        },
        { timeout: 60_000, interval: 50 },
      )
      .toEqual([count, count]);
    return read();
  };
  return {
    test,
    userId,
    url: () => installation.url,
    sql,
    admin,
    data: ask("/api"),
    watch: async (trigger, steps = echo) => {
      const slug = `events-${randomUUID().slice(0, 8)}`;
      const definition = {
        trigger: { kind: "databaseEvent", executeAs: userId, ...trigger },
        steps,
      };
      const created = await admin("POST", "/workflows", { slug, name: slug, definition });
      expect(created.status).toBe(201);
      const { id } = created.body.data;
      const published = await admin("POST", `/workflows/${id}/publish`);
      expect(published.body).toMatchObject({ data: { published: { number: 1 }, problem: null } });
      const enabled = await admin("POST", `/workflows/${id}/enable`);
      expect(enabled.body).toMatchObject({ data: { enabled: true, problem: null } });
      return id;
    },
    runs,
    inputs: async (workflow, count) => (await runs(workflow, count)).map(({ input }) => input),
    settled: async () => {
      await expect
        .poll(
          async () => {
            const [row] = await sql<{ left: number }>(
              `select ((select count(*) from system.workflow_events)
                 + (select count(*) from system.workflow_runs where finished_at is null))::integer as left`,
            );
            return row?.left;
          },
          { timeout: 60_000, interval: 50 },
        )
        .toBe(0);
    },
    triggers: async (table) => {
      const rows = await sql<{ name: string }>(
        `select tgname::text as name from pg_trigger where tgrelid = to_regclass($1::text) and tgname like 'rowhouse%' order by 1`,
        [table],
      );
      return rows.map(({ name }) => name.replace(/_[0-9a-f-]{36}$/, ""));
    },
    stop: () => installation.stop(),
  };
}
