import { createPrincipalCache } from "@rowhouse/access";
import { type AccountMails, countWaitingMails, purgeIdentity } from "@rowhouse/accounts";
import {
  createDataEngine,
  createRowEngine,
  forgetAnswers,
  purgeRowHistory,
  requestLimitsOf,
} from "@rowhouse/data";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { createService, type Logger, readinessOf, type Service } from "@rowhouse/http";
import { type Settings, settingsOf } from "@rowhouse/settings";
import type { Metrics, Tracing } from "@rowhouse/telemetry";
import {
  countOpenRuns,
  startEventDispatcher,
  startRunWorker,
  startTimers,
  type WorkerConnections,
  wakeForRun,
} from "@rowhouse/workflows";

export interface WorkerDependencies {
  readonly logger: Logger;
  /**
   * The pool that runs use. A run that creates a row holds one connection and may briefly need a second one, so the
   * pool must be larger than `concurrency`; `connectionsFor` returns its size.
   */
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  readonly connections: WorkerConnections;
  /** The outbox for mails of steps. */
  readonly mails: Pick<AccountMails, "putRunMail" | "wake">;
  /** Maximum number of runs at once. */
  readonly concurrency: number;
  readonly metrics?: Metrics | undefined;
  readonly tracing?: Tracing | undefined;
}

export interface Worker {
  /** Serves `/livez` and `/readyz`; the worker has no other route. */
  readonly service: Service;
  /** Takes no more runs. Each run in progress ends or is handed back. */
  close(): Promise<void>;
}

/** Returns the pool size for a number of concurrent runs. */
export function connectionsFor(concurrency: number): number {
  return concurrency + 4;
}

/** Executes runs from the queue, and runs the periodic tasks: events, schedules, reconciling and purging. */
export function createWorker(dependencies: WorkerDependencies): Worker {
  const { logger, database, snapshots, connections, mails, concurrency, metrics } = dependencies;
  const settings = async (): Promise<Settings> => settingsOf(await snapshots.fresh());
  const engine = createDataEngine({
    database,
    snapshots,
    // A run acts for a user, some under a token. Only requests with a token count as its uses.
    principals: createPrincipalCache(database, { record: () => {} }),
  });
  const report = (error: unknown, runId?: string) =>
    logger.error(
      { err: error, ...(runId === undefined ? {} : { runId }) },
      "A task of the worker failed",
    );
  const runs = startRunWorker({
    ...connections,
    database,
    rows: createRowEngine(engine, async () => requestLimitsOf(await settings())),
    mails: { put: mails.putRunMail, wake: mails.wake },
    hostRules: async () => {
      const now = await settings();
      return { allowed: now["workflows.allowed_hosts"], public: now["workflows.public_hosts"] };
    },
    onEnded: metrics?.runEnded,
    tracing: dependencies.tracing,
    report,
    concurrency,
  });
  if (metrics !== undefined) watchWork(metrics, dependencies, runs.activeCount);
  const events = startEventDispatcher({
    database,
    ...connections,
    report,
  });
  const timers = startTimers({
    database,
    queue: connections.queue,
    wakeRun: (runId, priority) => wakeForRun(connections, runId, priority),
    retentionDays: async () => (await settings())["workflows.run_retention_days"],
    purgeOthers: async () => {
      await forgetAnswers(database);
      const now = await settings();
      await purgeIdentity(database, now["api_keys.purge_after_days"]);
      await purgeRowHistory(database, now["data.history_retention_days"]);
    },
    report,
  });
  return {
    service: createService({
      logger,
      readiness: readinessOf({
        database: () => database.ping(),
        queue: () => connections.queue.countWaiting(),
      }),
    }),
    close: async () => {
      await events.close();
      await timers.close();
      await runs.close();
    },
  };
}

/** Adds the metrics of a worker: its own runs, and the work in the database that waits for any worker. */
function watchWork(
  metrics: Pick<Metrics, "watch">,
  { database, connections, concurrency }: WorkerDependencies,
  activeCount: () => number,
): void {
  metrics.watch({
    name: "rowhouse_worker_runs_active",
    help: "Runs that this worker holds",
    read: activeCount,
  });
  metrics.watch({
    name: "rowhouse_worker_concurrency",
    help: "Maximum number of runs that this worker holds",
    read: () => concurrency,
  });
  metrics.watch({
    name: "rowhouse_runs_open",
    help: "Runs of all workers that have not ended, by state: queued, running, waiting",
    label: "state",
    read: async () => {
      const { queued, running, waiting } = await countOpenRuns(database);
      return { queued, running, waiting };
    },
  });
  metrics.watch({
    name: "rowhouse_runs_oldest_queued_seconds",
    help: "Age of the oldest run that no worker has started, in seconds",
    read: async () => (await countOpenRuns(database)).oldestQueuedSeconds,
  });
  metrics.watch({
    name: "rowhouse_wake_ups_waiting",
    help: "Wake-ups in the queue that no worker has taken",
    read: () => connections.queue.countWaiting(),
  });
  metrics.watch({
    name: "rowhouse_mails_waiting",
    help: "Mails that no server has accepted yet",
    read: () => countWaitingMails(database),
  });
}
