import {
  type AccountMails,
  countWaitingMails,
  purgeIdentity,
  templateCheck,
} from "@rowhouse/accounts";
import {
  createRowEngine,
  type DataPlane,
  openDataPlane,
  purgeRowHistory,
  requestLimitsOf,
} from "@rowhouse/data";
import { type Database, purgeIdempotencyKeys, type SnapshotStore } from "@rowhouse/db";
import {
  countFiles,
  purgeVariants,
  type SendToHook,
  type Storage,
  startFileScans,
  startSweeps,
} from "@rowhouse/files";
import { createService, readinessOf, type Service } from "@rowhouse/http";
import { singleFlight } from "@rowhouse/limits";
import { purgeMcpCalls } from "@rowhouse/mcp";
import type { Logger, Metrics, Tracing } from "@rowhouse/service";
import { type Settings, settingsOf } from "@rowhouse/settings";
import { createDocuments, createPdfPrinter } from "@rowhouse/templates";
import {
  countOpenRuns,
  countPendingEvents,
  mailFailures,
  type RunWorker,
  reportFailures,
  sendRequest,
  startEventDispatcher,
  startRunWorker,
  startTimers,
  type WorkerConnections,
  wakeForRun,
} from "@rowhouse/workflows";
import { createAttachmentReader, createRunFiles } from "./run-files.ts";

export interface WorkerDependencies {
  readonly logger: Logger;
  /**
   * The pool that runs use. A run that creates a row holds one connection and may briefly need a second one, so the
   * pool must be larger than `concurrency`; `connectionsFor` returns its size.
   */
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  /** The bounds of the process, if it has other planes. */
  readonly bounds?: DataPlane["bounds"];
  readonly connections: WorkerConnections;
  /** The outbox for mails of steps. */
  readonly mails: Pick<
    AccountMails,
    "putRunMail" | "put" | "publicUrl" | "readAttachmentsBy" | "wake"
  >;
  /** Where the bytes of files are. */
  readonly storage: Storage;
  /** The program that prints documents to PDF files. */
  readonly chromium: ChromiumConfig;
  /** Maximum number of runs at once. */
  readonly concurrency: number;
  readonly metrics?: Metrics | undefined;
  readonly tracing?: Tracing | undefined;
}

/** The variables of the program that prints documents. */
export interface ChromiumConfig {
  readonly CHROMIUM_PATH?: string | undefined;
  readonly CHROMIUM_SANDBOX: "on" | "off";
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
  const { storage, chromium } = dependencies;
  const settings = async (): Promise<Settings> => settingsOf(await snapshots.fresh());
  // A run acts for a user, some under a token. Only requests with a token count as its uses.
  const { engine } = openDataPlane({
    ...{ database, snapshots, bounds: dependencies.bounds },
    checks: [templateCheck],
  });
  const report = reportFailures(logger, "A task of the worker failed");
  const rows = createRowEngine(engine, async () => requestLimitsOf(await settings()));
  const files = createRunFiles({ database, storage, rows, settings });
  mails.readAttachmentsBy(createAttachmentReader(files));
  const printer = createPdfPrinter({
    path: chromium.CHROMIUM_PATH,
    isSandboxed: chromium.CHROMIUM_SANDBOX === "on",
    report: (failure) => logger.warn(failure, "A document was not printed to a PDF file"),
  });
  const runs = startRunWorker({
    ...connections,
    database,
    rows,
    files,
    documents: createDocuments(database, printer),
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
  if (metrics !== undefined) watchWork(metrics, dependencies, runs);
  const events = startEventDispatcher({
    database,
    ...connections,
    report,
  });
  const timers = startTimers({
    database,
    queue: connections.queue,
    endOverdue: runs.endOverdue,
    wakeRun: (runId, priority) => wakeForRun(connections, runId, priority),
    retentionDays: async () => (await settings())["workflows.run_retention_days"],
    mailFailures: () =>
      mailFailures({
        database,
        failureMailMinutes: async () => (await settings())["workflows.failure_mail_minutes"],
        publicUrl: mails.publicUrl,
        wakeMails: mails.wake,
        putFailureMail: (transaction, { userId, to, ...variables }) =>
          mails.put(transaction, {
            ...{ template: "workflow.failures", to, secret: null, variables },
            target: { kind: "user", id: userId },
            goodFor: "24 hours",
          }),
      }),
    purgeOthers: async () => {
      await purgeIdempotencyKeys(database);
      const now = await settings();
      await purgeIdentity(database, now["api_keys.purge_after_days"]);
      await purgeRowHistory(database, now["data.history_retention_days"]);
      await purgeMcpCalls(database, now["mcp.call_retention_days"]);
      await purgeVariants(database, now["files.image_presets"]);
    },
    report,
  });
  const sweeps = startSweeps({ database, storage, report, onSwept: metrics?.objectsSwept });
  const scans = startFileScans({
    database,
    storage,
    scanUrl: async () => (await settings())["files.scan_url"],
    send: sendToScanHook,
    report,
  });
  return {
    service: createService({
      logger,
      readiness: readinessOf(database, {
        queue: () => connections.queue.countWaiting(),
      }),
    }),
    close: async () => {
      await events.close();
      await Promise.all([timers.close(), sweeps.close(), scans.close()]);
      await runs.close();
    },
  };
}

/**
 * Sends a file to the scan hook. Only the session of an administrator can set its URL, which may be in a private network;
 * a redirect to another host is not followed.
 */
const sendToScanHook: SendToHook = ({ content, bytes, signal, ...request }) =>
  sendRequest(
    { ...request, method: "POST", body: { content, bytes }, responseBytesMax: 65_536 },
    { allowed: [new URL(request.url).host], public: null },
    signal,
  );

/** Adds the metrics of a worker: its own runs, and the work in the database that waits for any worker. */
function watchWork(
  metrics: Pick<Metrics, "watch">,
  { database, connections, concurrency }: WorkerDependencies,
  runs: Pick<RunWorker, "activeCount" | "stillSeconds">,
): void {
  metrics.watch({
    name: "rowhouse_worker_runs_active",
    help: "Runs that this worker holds",
    read: runs.activeCount,
  });
  metrics.watch({
    name: "rowhouse_worker_run_still_seconds",
    help: "Time since the run that has been still for longest, of those that this worker holds, began or recorded something, in seconds",
    read: runs.stillSeconds,
  });
  metrics.watch({
    name: "rowhouse_worker_concurrency",
    help: "Maximum number of runs that this worker holds",
    read: () => concurrency,
  });
  // One statement for the metrics of a scrape.
  const open = singleFlight(() => countOpenRuns(database));
  metrics.watch({
    name: "rowhouse_runs_open",
    help: "Runs of all workers that have not ended, by state: queued, limited, running, waiting",
    label: "state",
    read: async () => {
      const { queued, limited, running, waiting } = await open();
      return { queued, limited, running, waiting };
    },
  });
  metrics.watch({
    name: "rowhouse_runs_oldest_queued_seconds",
    help: "Age of the oldest run that waits for a worker, in seconds",
    read: async () => (await open()).oldestQueuedSeconds,
  });
  const events = singleFlight(() => countPendingEvents(database));
  metrics.watch({
    name: "rowhouse_events_pending",
    help: "Changes of rows that have started no run yet",
    read: async () => (await events()).count,
  });
  metrics.watch({
    name: "rowhouse_events_oldest_pending_seconds",
    help: "Age of the oldest change of a row that has started no run yet, in seconds",
    read: async () => (await events()).oldestSeconds,
  });
  metrics.watch({
    name: "rowhouse_wake_ups_waiting",
    help: "Wake-ups in the queue that no worker has taken",
    read: () => connections.queue.countWaiting(),
  });
  const files = singleFlight(() => countFiles(database));
  metrics.watch({
    name: "rowhouse_files_bytes",
    help: "Stored bytes by kind: files, variants (stored image presets), uploads that no file has taken",
    label: "kind",
    read: async () => (await files()).bytes,
  });
  metrics.watch({
    name: "rowhouse_uploads_open",
    help: "Uploads that no file has taken, by state: receiving, complete",
    label: "state",
    read: async () => (await files()).uploads,
  });
  metrics.watch({
    name: "rowhouse_object_removals_waiting",
    help: "Objects that wait for their removal from the storage",
    read: async () => (await files()).removals,
  });
  metrics.watch({
    name: "rowhouse_mails_waiting",
    help: "Mails that no server has accepted yet",
    read: () => countWaitingMails(database),
  });
}
