import { type MailConfig, openAccountMails, templateCheck } from "@rowhouse/accounts";
import { createApp as createAdminApi } from "@rowhouse/admin-api";
import { openDataPlane } from "@rowhouse/data";
import { createApp as createDataApi } from "@rowhouse/data-api";
import type { Database, SnapshotStore } from "@rowhouse/db";
import type { Storage } from "@rowhouse/files";
import {
  createApp as createGateway,
  createThrottle,
  type Gateway,
  inProcess,
} from "@rowhouse/gateway";
import { readinessOf } from "@rowhouse/http";
import { openRateLimits } from "@rowhouse/limits";
import { createMcpCallJournal } from "@rowhouse/mcp";
import { titleFor } from "@rowhouse/permissions";
import { type Logger, type Metrics, type Tracing, watchRedis } from "@rowhouse/service";
import { fileBodyBytes, settingDefinitions, settingsOf } from "@rowhouse/settings";
import type { SqlConsole } from "@rowhouse/sql-console";
import type { Vault } from "@rowhouse/vault";
import { createWorker } from "@rowhouse/workflow-worker";
import { openWorkflowConnections, reportFailures, wakeForRun } from "@rowhouse/workflows";

export interface ComposeOptions {
  readonly logger: Logger;
  readonly database: Database;
  /** A separate pool for runs, so that runs and requests do not wait for each other's connections. */
  readonly workerDatabase: Database;
  readonly workerConcurrency: number;
  readonly snapshots: SnapshotStore;
  readonly databaseUrl: string;
  readonly redisUrl: string | undefined;
  readonly mail: MailConfig;
  readonly vault: Vault;
  readonly storage: Storage;
  readonly chromium: Parameters<typeof createWorker>[0]["chromium"];
  readonly sqlConsole: SqlConsole;
  /** Aborts when the process is about to stop. */
  readonly stopping: AbortSignal;
  readonly metrics: Metrics | undefined;
  readonly tracing: Tracing | undefined;
}

export interface Composition {
  readonly gateway: Gateway;
  /** Stops background work: the worker first, then the queue. */
  stop(): Promise<void>;
}

/** Composes the four services without sockets in between. */
export async function compose(options: ComposeOptions): Promise<Composition> {
  const { database, snapshots, metrics, tracing } = options;
  const loggerFor = (service: string) => options.logger.child({ service });
  const workflows = await openWorkflowConnections({
    database,
    databaseUrl: options.databaseUrl,
    redisUrl: options.redisUrl,
    vault: options.vault,
    report: reportFailures(options.logger, "A queue operation failed"),
  });
  const rateLimits = openRateLimits({
    database,
    redisUrl: options.redisUrl,
    report: (error) =>
      options.logger.error({ err: error }, "The rate limit counters are unavailable"),
  });
  if (metrics !== undefined) {
    const { isConnected } = workflows.queue;
    watchRedis(metrics, { limits: rateLimits.isConnected, queue: isConnected });
  }
  const mails = openAccountMails(
    { database, snapshots, vault: options.vault },
    options.mail,
    options.logger,
  );
  const mcpCalls = createMcpCallJournal({
    database,
    report: (error, lost) =>
      options.logger.error({ err: error, lost }, "Calls of agents were not recorded"),
  });
  const plane = openDataPlane({
    database,
    snapshots,
    metrics,
    checks: [templateCheck],
    titleFor,
    onUnrecordedUse: (error) =>
      options.logger.warn({ err: error }, "The last use of a token was not written"),
  });
  const dataApi = createDataApi({
    logger: loggerFor("data-api"),
    metrics,
    tracing,
    database,
    snapshots,
    plane,
    workflows,
    mails,
    rateLimits,
    vault: options.vault,
    storage: options.storage,
    sqlConsole: options.sqlConsole,
    mcpCalls,
  });
  const adminApi = createAdminApi({
    logger: loggerFor("admin-api"),
    metrics,
    tracing,
    database,
    snapshots,
    plane,
    mails,
    rateLimits,
    vault: options.vault,
    sqlConsole: options.sqlConsole,
    stopping: options.stopping,
    wakeRun: (runId, priority) => wakeForRun(workflows, runId, priority),
  });
  const worker = createWorker({
    logger: loggerFor("workflow-worker"),
    metrics,
    tracing,
    database: options.workerDatabase,
    snapshots,
    bounds: plane.bounds,
    connections: workflows,
    mails,
    storage: options.storage,
    chromium: options.chromium,
    concurrency: options.workerConcurrency,
  });

  const settings = () => {
    const snapshot = snapshots.peek();
    return snapshot === undefined ? undefined : settingsOf(snapshot);
  };
  const gateway = createGateway({
    logger: loggerFor("gateway"),
    onAnswered: metrics?.answersOf("gateway"),
    tracing,
    dataApi: inProcess(dataApi),
    adminApi: inProcess(adminApi),
    corsOrigins: () => settings()?.["security.cors_origins"] ?? [],
    refreshSettings: async () => {
      await snapshots.fresh();
    },
    trustedProxies: () => settings()?.["security.trusted_proxies"] ?? [],
    bodyBytesMax: () =>
      settings()?.["limits.body_bytes"] ?? settingDefinitions["limits.body_bytes"].default,
    importBytesMax: () =>
      settings()?.["limits.import_bytes"] ?? settingDefinitions["limits.import_bytes"].default,
    fileBytesMax: () =>
      fileBodyBytes(
        settings() ?? { "files.max_bytes": settingDefinitions["files.max_bytes"].default },
      ),
    throttle: createThrottle(rateLimits, () => settings()?.["security.requests_per_minute"] ?? 0),
    readiness: readinessOf(database, {
      queue: () => workflows.queue.countWaiting(),
    }),
  });
  return {
    gateway,
    stop: async () => {
      await mcpCalls.close();
      await worker.close();
      await mails.close();
      await rateLimits.close();
      await workflows.close();
    },
  };
}
