import { randomUUID } from "node:crypto";
import { openDatabase } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { createVault } from "@rowhouse/vault";
import {
  acceptWebhook,
  addInvokeGrant,
  createWorkflow,
  type DefinitionInput,
  type ListRunsRequest,
  openWorkerConnections,
  openWorkflowConnections,
  publishWorkflow,
  type RunWorker,
  type RunWorkerDeps,
  setWorkflowEnabled,
  startRunWorker,
  startTimers,
  type TestRequest,
  type WebhookCaller,
  type WebhookDeps,
  type WebhookRequest,
  wakeForRun,
} from "../src/index.ts";
import { noFiles } from "./no-files.ts";
import { createSqlRowEngine } from "./sql-row-engine.ts";

export const actor = { userId: null, tokenId: null, address: null, requestId: null };

export const vault = createVault(() => "a secret of the tests' own");

/** A test that runs like any other run. */
export const asTest = (data: unknown): TestRequest => ({
  data,
  effects: "REAL",
  mocks: {},
  until: null,
});

/** Every run of a workflow, newest first. */
export const runsOf = (workflowId: string | null): ListRunsRequest => ({
  workflowId,
  limit: 50,
  cursor: null,
  search: null,
  orderBy: "-acceptedAt",
  statuses: null,
  origins: null,
  callerUserId: null,
  executeAsUserId: null,
  parentRunId: null,
  requestId: null,
  errorCode: null,
  acceptedSince: null,
  acceptedUntil: null,
  finishedSince: null,
  finishedUntil: null,
  durationMinMs: null,
});

export interface TestEnvironmentOptions {
  /** The Redis server of queue, replies and rate limit; without it, they use PostgreSQL. */
  readonly redisUrl?: string | undefined;
  readonly allowedHosts?: readonly string[];
  readonly maxSyncWaitMs?: number;
  /** The clock that signatures are checked by. */
  readonly now?: () => number;
  /** Workers that start with the environment; one by default. */
  readonly workers?: number;
  readonly leaseMs?: number;
  readonly reconcileEveryMs?: number;
  /**
   * Whether the workers share the API's process, and so its hand-off; by default every run goes through the queue.
   */
  readonly oneProcess?: boolean;
}

type Trigger = Partial<DefinitionInput["trigger"]>;

/** One API process and its workers, on a database of their own. */
export async function openTestEnvironment(options: TestEnvironmentOptions = {}) {
  const test: TestDatabase = await createTestDatabase();
  const { database } = test;
  const failures: unknown[] = [];
  const report = (error: unknown) => failures.push(error);
  // The worker has its own connections, as in a separate process.
  const workerDatabase = openDatabase({
    url: test.url,
    applicationName: "test-worker",
    connectionsMax: 20,
  });
  const { redisUrl } = options;
  const open = { databaseUrl: test.sessionUrl, redisUrl, report, vault };
  const [api, working] = await Promise.all([
    openWorkflowConnections({ ...open, database }),
    openWorkerConnections({ ...open, database: workerDatabase }),
  ]);
  const {
    queue,
    queueServer,
    handOff,
    waiter,
    acceptRun,
    loadWebhook,
    rememberedCalls,
    rateLimit,
    versions,
    secrets,
  } = api;
  const rows = createSqlRowEngine(workerDatabase);
  // A second administrator, so that the runner can be deactivated.
  await database.query(
    `with admin as (insert into system.users (email) values ('admin@example.org') returning id)
     insert into system.role_members (role_id, user_id)
     select r.id, admin.id from system.roles r, admin where r.is_administrators`,
  );
  const [user] = await database.query<{ id: string }>(
    "insert into system.users (email, name) values ('runner@example.org', 'Runner') returning id",
  );
  const userId = user?.id ?? "";
  await database.query(
    "create table public.trip (id bigint generated always as identity primary key, note text check (note <> 'refused'), distance numeric, meta jsonb)",
  );

  // Replaces the outbox, which is a package of the same level.
  await database.query(
    "create table public.mail (about text primary key, recipient text, subject text, body text)",
  );

  const [callers] = await database.query<{ id: string }>(
    "insert into system.roles (name) values ('Callers') returning id",
  );
  const callersId = callers?.id ?? "";

  const workers = new Set<RunWorker>();
  const startWorker = (more: Partial<RunWorkerDeps> = {}): RunWorker => {
    const worker = startRunWorker({
      database: workerDatabase,
      rows,
      mails: {
        put: async (on, { about, to, subject, text }) => {
          await on.query(
            "insert into public.mail values ($1::text, $2::text, $3::text, $4::text)",
            [about, to, subject, text],
          );
        },
        wake: () => {},
      },
      ...noFiles,
      ...(options.oneProcess === true ? api : working),
      report,
      concurrency: 8,
      hostRules: () => ({ allowed: options.allowedHosts ?? [], public: null }),
      ...(options.leaseMs === undefined ? {} : { leaseMs: options.leaseMs }),
      ...more,
    });
    workers.add(worker);
    return worker;
  };
  for (let count = 0; count < (options.workers ?? 1); count += 1) startWorker();
  const timers = startTimers({
    database,
    queue,
    endOverdue: async (runId, priority) => {
      await [...workers][0]?.endOverdue(runId, priority);
    },
    wakeRun: (runId, priority) => wakeForRun(api, runId, priority),
    retentionDays: () => 30,
    report,
    reconcileEveryMs: options.reconcileEveryMs ?? 5000,
  });

  const settings = async () => ({
    "limits.body_bytes": 1_048_576,
    "workflows.max_sync_wait_ms": options.maxSyncWaitMs ?? 30_000,
  });
  const webhookDeps = {
    ...{ database, queue, acceptRun, loadWebhook, rememberedCalls, handOff, waiter, secrets },
    now: options.now ?? Date.now,
    settings: { current: settings, fresh: settings },
  };
  const call = async (
    slug: string,
    request: Partial<Omit<WebhookRequest, "body">> & {
      body?: unknown;
      caller?: WebhookCaller;
      authenticate?: WebhookDeps["authenticate"];
      readBody?: () => Promise<Uint8Array>;
    } = {},
  ) => {
    const { body, caller, ...rest } = request;
    const {
      authenticate = async () => {
        if (caller === undefined) throw createError("AUTHENTICATION_REQUIRED");
        return caller;
      },
      readBody = async () =>
        new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body ?? {})),
      ...more
    } = rest;
    let bytes: Promise<Uint8Array> | undefined;
    const read = () => {
      bytes ??= readBody();
      return bytes;
    };
    const answer = await acceptWebhook(
      { ...webhookDeps, rateLimit, authenticate, recordProven: () => {} },
      {
        slug,
        method: "POST",
        search: "",
        headers: { "content-type": "application/json" },
        ip: "203.0.113.7",
        requestId: null,
        authorization: null,
        idempotencyKey: request.headers?.["idempotency-key"] ?? null,
        body: { declaredBytes: null, read },
        ...more,
      },
    );
    return {
      status: answer.status,
      isRepeated: answer.isRepeated,
      body: JSON.parse(answer.body) as { data: Ended },
      text: answer.body,
    };
  };

  return {
    ...test,
    test,
    queueServer,
    queue,
    rows,
    versions,
    waiter,
    rateLimit,
    userId,
    /** A caller with the grants that `allow` has added. */
    caller: { userId, roleIds: [callersId] },
    allow: async ({ id }: { readonly id: string }): Promise<void> => {
      await addInvokeGrant(database, id, callersId, actor);
    },
    failures,
    workers,
    startWorker,
    call,
    /** What a call of a workflow as a tool needs. */
    webhookDeps,
    /** Publishes and enables a workflow. Returns its slug and id. */
    publish: async (
      steps: DefinitionInput["steps"],
      trigger: Trigger = {},
      more: Partial<DefinitionInput> = {},
      slug = `flow-${randomUUID().slice(0, 8)}`,
    ): Promise<{ slug: string; id: string }> => {
      const definition = {
        trigger: { kind: "webhook", executeAs: userId, ...trigger },
        steps,
        ...more,
      };
      const { id } = await createWorkflow(database, { slug, name: slug, definition }, actor);
      await publishWorkflow({ database, vault }, id, actor);
      await setWorkflowEnabled(database, id, true, actor);
      return { slug, id };
    },
    readRun: async (id: string) => {
      const [run] = await database.query<{
        status: string;
        fence: string;
        error: { code: string } | null;
        result: unknown;
      }>(
        "select status, fence::text, error, result from system.workflow_runs where id = $1::text::uuid",
        [id],
      );
      if (run === undefined) throw new Error("no such run");
      return run;
    },
    countTrips: async (): Promise<number> => {
      const [row] = await database.query<{ count: number }>(
        "select count(*)::integer as count from public.trip",
      );
      return row?.count ?? 0;
    },
    close: async () => {
      await Promise.all([...workers].map((worker) => worker.close()));
      await timers.close();
      await working.close();
      await api.close();
      await workerDatabase.close();
      await test.drop();
    },
  };
}

export interface Ended {
  readonly id: string;
  readonly run: string;
  readonly status: string;
  readonly result: unknown;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly step: string | null;
  } | null;
}

export type TestEnvironment = Awaited<ReturnType<typeof openTestEnvironment>>;
