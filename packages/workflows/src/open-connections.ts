import type { Database } from "@rowhouse/db";
import { openRateLimits, type RateLimit } from "@rowhouse/limits";
import type { Vault } from "@rowhouse/vault";
import type { Priority } from "./definition/definition.ts";
import { createHandOff, type HandOff } from "./queue/hand-off.ts";
import { migrateQueue } from "./queue/migrate-queue.ts";
import { openWakeUpQueue } from "./queue/open-queue.ts";
import type { QueueServer, WakeUpQueue } from "./queue/wake-up-queue.ts";
import { createPostgresReplyBus, createRedisReplyBus, type ReplyBus } from "./reply/reply-bus.ts";
import { openRunWaiter, type RunWaiter } from "./reply/run-waiter.ts";
import { type AcceptRun, createAcceptRun } from "./run/accept-run.ts";
import { createVersionCache, type VersionCache } from "./run/version-cache.ts";
import { createSecretReader, type SecretReader } from "./secrets/secret-reader.ts";
import { createLoadWebhook, type LoadWebhook } from "./webhook/load-webhook.ts";
import { createRememberedCalls, type RememberedCalls } from "./webhook/remembered-calls.ts";

/** The limit of calls of public webhooks per minute and source, over all processes. */
const publicCallsPerMinute = 60;

export interface ConnectionOptions {
  readonly database: Database;
  /** The URL of the same database, for the queue, whose library has its own driver. */
  readonly databaseUrl: string;
  /** The Redis server of queue, replies and rate limit; without it, they use the database. */
  readonly redisUrl: string | undefined;
  /** Decrypts the secrets of workflows. */
  readonly vault: Pick<Vault, "open">;
  /** Receives errors that no caller waits for. */
  readonly report: (error: unknown) => void;
}

type QueueOptions = Pick<ConnectionOptions, "databaseUrl" | "redisUrl" | "report">;

/** The connections of a process that executes runs. */
export interface WorkerConnections {
  readonly queueServer: QueueServer;
  readonly queue: WakeUpQueue;
  /** Passes runs from callers of this process to its worker, if it has one. */
  readonly handOff: HandOff;
  readonly replies: ReplyBus;
  readonly versions: VersionCache;
  readonly secrets: SecretReader;
  close(): Promise<void>;
}

/** The connections of a process that also handles webhook calls. */
export interface WorkflowConnections extends WorkerConnections {
  readonly rateLimit: RateLimit;
  readonly waiter: RunWaiter;
  readonly loadWebhook: LoadWebhook;
  readonly rememberedCalls: RememberedCalls;
  readonly acceptRun: AcceptRun;
}

/** The connections of a process that only starts runs: it wakes workers and waits for no result. */
export interface RunStarter {
  wakeRun(runId: string, priority: Priority): void;
  readonly queue: Pick<WakeUpQueue, "isConnected">;
  close(): Promise<void>;
}

/** Opens the queue for waking workers only. */
export async function openRunStarter(options: QueueOptions): Promise<RunStarter> {
  const { queue } = await openQueue(options);
  return {
    queue,
    wakeRun: (runId, priority) => queue.wake({ runId, fence: "0", priority }),
    close: () => queue.close(),
  };
}

/** Migrates the queue's own tables and opens it for adding. */
async function openQueue({
  databaseUrl,
  redisUrl,
  report,
}: QueueOptions): Promise<Pick<WorkerConnections, "queueServer" | "queue">> {
  const queueServer: QueueServer =
    redisUrl === undefined
      ? { kind: "POSTGRES", url: databaseUrl }
      : { kind: "REDIS", url: redisUrl };
  if (queueServer.kind === "POSTGRES") await migrateQueue(databaseUrl);
  return { queueServer, queue: openWakeUpQueue(queueServer, report) };
}

export async function openWorkerConnections(
  options: ConnectionOptions,
): Promise<WorkerConnections> {
  const { database, redisUrl, vault, report } = options;
  const { queueServer, queue } = await openQueue(options);
  const replies =
    redisUrl === undefined
      ? createPostgresReplyBus(database, report)
      : createRedisReplyBus(redisUrl, report);
  return {
    queueServer,
    queue,
    handOff: createHandOff(),
    replies,
    versions: createVersionCache(database),
    secrets: createSecretReader(database, vault),
    close: async () => {
      await queue.close();
      await replies.close();
    },
  };
}

/** Opens all connections, for a process that handles webhook calls. */
export async function openWorkflowConnections(
  options: ConnectionOptions,
): Promise<WorkflowConnections> {
  const { database, redisUrl, report } = options;
  const connections = await openWorkerConnections(options);
  const rateLimits = openRateLimits({ database, redisUrl, report });
  const waiter = await openRunWaiter(database, connections.replies, report);
  return {
    ...connections,
    rateLimit: rateLimits.limit({
      name: "webhook",
      callsPerMinute: publicCallsPerMinute,
      withoutCounters: "REFUSE",
    }),
    waiter,
    loadWebhook: createLoadWebhook(database, connections.versions),
    rememberedCalls: createRememberedCalls(),
    acceptRun: createAcceptRun(database),
    close: async () => {
      await waiter.close();
      await rateLimits.close();
      await connections.close();
    },
  };
}
