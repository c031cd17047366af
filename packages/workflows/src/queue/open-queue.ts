import { sessionOptions } from "@rowhouse/db";
import { createPostgresBackend, type Job, Queue, Worker, type WorkerOptions } from "bullmq";
import type { Redis } from "ioredis";
import { settleWithin } from "../base/settle-within.ts";
import type { Priority } from "../definition/definition.ts";
import { GatheringRedis } from "./gathering-redis.ts";
import type {
  QueueServer,
  ReportFailure,
  WakeUp,
  WakeUpListener,
  WakeUpQueue,
} from "./wake-up-queue.ts";

/** Left out of the registry of resources by that name (packages/db). */
const queueSchema = "rowhouse_queue";
export const queueName = "workflow-runs";
const batchMax = 500;
const takingPool = 4;
/** Connections of a process to a queue in Postgres, at most; whoever takes wake-ups listens on one more. */
export const queueConnections = { adding: 4, taking: takingPool + 1 } as const;
/** Wake-ups on their way; what comes while the queue is out of reach is left to the reconciler. */
const backlogMax = 10_000;
/** How long a stop waits for Redis, twice at most. */
const farewellMs = 1_500;

/** BullMQ's numbers, of which the lowest goes first; on both backends jobs of one number keep their order. */
const rankOf: Readonly<Record<Priority, number>> = { HIGH: 1, NORMAL: 2, LOW: 3 };

function priorityOf(rank: number | undefined): Priority {
  if (rank === rankOf.HIGH) return "HIGH";
  return rank === rankOf.LOW ? "LOW" : "NORMAL";
}

/** The id makes a wake-up for the same claim a duplicate, which BullMQ drops. */
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
 * Opens the queue for adding wake-ups. Only the factory differs between Redis and Postgres.
 *
 * @param report hears of what went wrong; nothing here throws because of the queue's server
 */
export function openWakeUpQueue(server: QueueServer, report: ReportFailure): WakeUpQueue {
  const { queue, disconnect } = openQueue(server, report);
  const adding = new Set<Promise<unknown>>();

  return {
    wake: (wakeUp) => {
      if (adding.size >= backlogMax) return;
      const { name, data, opts } = toJob(wakeUp);
      // One by one: on Postgres, `addBulk` makes temporary tables, which for one job takes ten times as long.
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
    countWaiting: () => queue.getJobCountByTypes("waiting", "prioritized"),
    close: async () => {
      await settleWithin(farewellMs, Promise.all(adding));
      await settleWithin(farewellMs, queue.close());
      disconnect();
    },
  };
}

export interface ListenOptions {
  /** Runs at once, at most. */
  readonly concurrency: number;
  /** How long a job that a worker took, and gave no sign of life of, is left to it, in milliseconds. */
  readonly lockMs: number;
  /** Executes a run; a throw is reported and leaves the run to the reconciler. */
  readonly process: (runId: string, priority: Priority) => Promise<void>;
  readonly report: ReportFailure;
}

/** Takes wake-ups off the queue and processes them. */
export function listenForWakeUps(server: QueueServer, options: ListenOptions): WakeUpListener {
  const settings = {
    concurrency: options.concurrency,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
    // A run's lease, not the job's lock, says who holds it; a job that stalls is simply delivered again. Until then no
    // other wake-up for the same claim is added: a worker that died between job and claim must not hold it for long.
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
  });
  connection.on("error", options.report);
  const worker = new Worker(queueName, process, { ...settings, connection, prefix: queueSchema });
  worker.on("error", options.report);
  worker.on("failed", (_job, error) => options.report(error));
  return {
    close: async () => {
      const closed = worker.close();
      while (executing.size > 0) await Promise.allSettled(executing);
      // While Redis is away, BullMQ waits for it to come back. What remains there, a stalled job, is delivered again.
      await settleWithin(farewellMs, closed);
      await settleWithin(farewellMs, worker.disconnect());
      connection.disconnect();
    },
  };
}

interface OpenedQueue {
  readonly queue: Pick<RunQueue, "add" | "addBulk" | "close" | "getJobCountByTypes">;
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
    return { queue: queue as unknown as OpenedQueue["queue"], disconnect: () => {} };
  }
  // An add fails at once while Redis is away; the reconciler adds again.
  const connection = new GatheringRedis(server.url, {
    maxRetriesPerRequest: 1,
    retryStrategy: backOff,
    commandTimeout: 5000,
  });
  connection.on("error", () => {});
  return { queue: reopened(connection, report), disconnect: () => connection.disconnect() };
}

/**
 * A queue of BullMQ whose first words to Redis failed answers nothing ever after, although its connection comes back. So
 * it is made again, whenever it is asked for something, until one has begun.
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
 * A crash may lose what BullMQ wrote last, like a flushed Redis: the reconciler brings it back, so no commit of the
 * queue waits for the disk.
 */
export function postgresConnection(url: string, connectionsMax: number) {
  return {
    connectionString: url,
    schema: queueSchema,
    max: connectionsMax,
    keepAlive: true,
    options: `${sessionOptions} -c synchronous_commit=off`,
    application_name: "workflow-queue",
  };
}
