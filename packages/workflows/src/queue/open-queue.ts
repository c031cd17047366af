import { sessionOptions } from "@rowhouse/db";
import { settleWithin } from "@rowhouse/limits";
import { createPostgresBackend, type Job, Queue, Worker, type WorkerOptions } from "bullmq";
import type { Redis } from "ioredis";
import type { Priority } from "../definition/definition.ts";
import { GatheringRedis } from "./gathering-redis.ts";
import type {
  QueueServer,
  ReportFailure,
  WakeUp,
  WakeUpListener,
  WakeUpQueue,
} from "./wake-up-queue.ts";

/** The registry of resources (packages/db) excludes this schema by its name. */
const queueSchema = "rowhouse_queue";
export const queueName = "workflow-runs";
const batchMax = 500;
const takingPool = 4;
/** Maximum connections of a process to a queue in PostgreSQL. A worker needs one more to listen. */
export const queueConnections = { adding: 4, taking: takingPool + 1 } as const;
/** The limit of wake-ups in transit. While the queue is unreachable, further ones are left to the reconciler. */
const backlogMax = 10_000;
/** How long closing waits for the server, in milliseconds; at most twice. */
const closeTimeoutMs = 1_500;
/**
 * How long a server may leave a command without an answer, in milliseconds: longer than BullMQ blocks for a job. The
 * connection is then closed, and the commands are sent again on a new one.
 */
const silenceMs = 30_000;

/** BullMQ's priorities, lowest first. Both backends keep the order of jobs of one priority. */
const rankOf: Readonly<Record<Priority, number>> = { HIGH: 1, NORMAL: 2, LOW: 3 };

function priorityOf(rank: number | undefined): Priority {
  if (rank === rankOf.HIGH) return "HIGH";
  return rank === rankOf.LOW ? "LOW" : "NORMAL";
}

/** The job id makes a second wake-up for the same claim a duplicate, which BullMQ drops. */
const toJob = ({ runId, fence, priority = "NORMAL" }: WakeUp) => ({
  name: "run",
  data: { runId },
  opts: {
    jobId: `${runId}-${fence}`,
    priority: rankOf[priority],
    attempts: 1,
    removeOnComplete: true,
    removeOnFail: true,
  },
});

/**
 * Opens the queue for adding wake-ups. Redis and PostgreSQL differ only in the factory.
 *
 * @param report receives errors; nothing here throws because of the queue's server
 */
export function openWakeUpQueue(server: QueueServer, report: ReportFailure): WakeUpQueue {
  const { queue, isConnected, disconnect } = openQueue(server, report);
  const adding = new Set<Promise<unknown>>();

  return {
    wake: (wakeUp) => {
      if (adding.size >= backlogMax) return;
      const { name, data, opts } = toJob(wakeUp);
      // One by one: on PostgreSQL, `addBulk` creates temporary tables, which takes ten times as long for one job.
      const added: Promise<unknown> = queue
        .add(name, data, opts)
        .catch(report)
        .finally(() => adding.delete(added));
      adding.add(added);
    },
    wakeAll: async (wakeUps) => {
      for (let start = 0; start < wakeUps.length; start += batchMax) {
        await queue.addBulk(wakeUps.slice(start, start + batchMax).map(toJob));
      }
    },
    isConnected,
    countWaiting: () => queue.getJobCountByTypes("waiting", "prioritized"),
    close: async () => {
      await settleWithin(closeTimeoutMs, Promise.all(adding));
      await settleWithin(closeTimeoutMs, queue.close());
      disconnect();
    },
  };
}

export interface ConsumerOptions {
  /** Maximum number of runs at once. */
  readonly concurrency: number;
  /** How long BullMQ leaves a job to a worker that stops renewing it, in milliseconds. */
  readonly lockMs: number;
  /** Executes a run. An error is reported, and the run is left to the reconciler. */
  readonly process: (runId: string, priority: Priority) => Promise<void>;
  readonly report: ReportFailure;
}

/** Takes wake-ups off the queue and processes them. */
export function listenForWakeUps(server: QueueServer, options: ConsumerOptions): WakeUpListener {
  const settings = {
    concurrency: options.concurrency,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
    // The run's lease decides who holds it, not the job's lock; a stalled job is simply delivered again. Until then
    // BullMQ drops other wake-ups for the same claim, so a worker that exits between job and claim must not block the
    // run for long.
    maxStalledCount: 1_000_000,
    lockDuration: options.lockMs,
    stalledInterval: options.lockMs / 2,
    runRetryDelay: 1000,
  } satisfies Partial<WorkerOptions>;
  const executing = new Set<Promise<void>>();
  const process = async (job: Pick<Job<{ readonly runId: string }>, "data" | "priority">) => {
    const executed = options
      .process(job.data.runId, priorityOf(job.priority))
      .finally(() => executing.delete(executed));
    executing.add(executed);
    await executed;
  };
  if (server.kind === "POSTGRES") {
    const worker = new Worker(
      queueName,
      process,
      { ...settings, connection: postgresConnection(server.url, takingPool) },
      createPostgresBackend,
    );
    worker.on("error", options.report);
    worker.on("failed", (_job, error) => options.report(error));
    return { close: () => worker.close() };
  }
  const connection = new GatheringRedis(server.url, {
    maxRetriesPerRequest: null,
    retryStrategy: backOff,
    socketTimeout: silenceMs,
  });
  connection.on("error", options.report);
  const worker = new Worker(queueName, process, { ...settings, connection, prefix: queueSchema });
  worker.on("error", options.report);
  worker.on("failed", (_job, error) => options.report(error));
  return {
    close: async () => {
      const closed = worker.close();
      while (executing.size > 0) await Promise.allSettled(executing);
      // While Redis is unreachable, BullMQ waits for it. A job that stays there stalls and is delivered again.
      await settleWithin(closeTimeoutMs, closed);
      await settleWithin(closeTimeoutMs, worker.disconnect());
      connection.disconnect();
    },
  };
}

interface OpenedQueue {
  readonly queue: Pick<RunQueue, "add" | "addBulk" | "close" | "getJobCountByTypes">;
  readonly isConnected: () => boolean | undefined;
  readonly disconnect: () => void;
}

type RunQueue = Queue<{ runId: string }, unknown, string>;

function openQueue(server: QueueServer, report: ReportFailure): OpenedQueue {
  if (server.kind === "POSTGRES") {
    const queue = new Queue(
      queueName,
      { connection: postgresConnection(server.url, queueConnections.adding) },
      createPostgresBackend,
    );
    queue.on("error", report);
    return {
      queue: queue as unknown as OpenedQueue["queue"],
      isConnected: () => undefined,
      disconnect: () => {},
    };
  }
  // While Redis is unreachable, adding fails at once; the reconciler adds the wake-up again.
  const connection = new GatheringRedis(server.url, {
    maxRetriesPerRequest: 1,
    retryStrategy: backOff,
    commandTimeout: 5000,
  });
  connection.on("error", () => {});
  return {
    queue: reopened(connection, report),
    isConnected: () => connection.status === "ready",
    disconnect: () => connection.disconnect(),
  };
}

/**
 * A BullMQ queue whose first commands to Redis failed never works again, even after its connection recovers. This
 * wrapper opens a new one on each use until one has started.
 */
function reopened(connection: Redis, report: ReportFailure): OpenedQueue["queue"] {
  let opening: Promise<RunQueue> | undefined;
  const open = async (): Promise<RunQueue> => {
    const queue: RunQueue = new Queue(queueName, {
      connection,
      prefix: queueSchema,
      skipWaitingForReady: true,
    });
    queue.on("error", report);
    try {
      await queue.waitUntilReady();
      return queue;
    } catch (error) {
      opening = undefined;
      await queue.close().catch(() => {});
      throw error;
    }
  };
  const current = () => {
    opening ??= open();
    return opening;
  };
  current().catch(() => {});
  return {
    add: async (...job) => (await current()).add(...job),
    addBulk: async (jobs) => (await current()).addBulk(jobs),
    getJobCountByTypes: async (...types) => (await current()).getJobCountByTypes(...types),
    close: async () => {
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}

function backOff(attempt: number): number {
  return Math.min(attempt * 100, 2000);
}

/**
 * Commits of the queue do not wait for the disk: a crash may lose the last wake-ups, as a flushed Redis does, and the
 * reconciler adds them again.
 */
export function postgresConnection(url: string, connectionsMax: number) {
  return {
    connectionString: url,
    schema: queueSchema,
    max: connectionsMax,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    query_timeout: silenceMs,
    options: `${sessionOptions} -c synchronous_commit=off`,
    application_name: "workflow-queue",
  };
}
