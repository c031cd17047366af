import { type AccountMails, type MailConfig, openAccountMails } from "@rowhouse/accounts";
import {
  createSnapshotStore,
  type Database,
  type OtherUses,
  type SnapshotStore,
  startDatabase,
} from "@rowhouse/db";
import { keptConnectionsGraceMs, serve } from "@rowhouse/http";
import { createVault, type Vault } from "@rowhouse/vault";
import { createLogger, type Logger } from "./logger.ts";
import { type Metrics, watchPools } from "./metrics.ts";
import { openTelemetry, type TelemetryConfig } from "./open-telemetry.ts";
import {
  type DatabasePlace,
  databasePlace,
  installationSecrets,
  sessionUrlOf,
} from "./read-environment.ts";
import { reportNode } from "./report-node.ts";
import type { RunningProcess } from "./run-process.ts";
import { startReports } from "./start-reports.ts";
import type { Tracing } from "./tracing.ts";

/** The variables that every service process reads. */
export type ServiceConfig = TelemetryConfig &
  MailConfig &
  Parameters<typeof databasePlace>[0] &
  Parameters<typeof installationSecrets>[0] &
  Parameters<typeof startReports>[1] & {
    readonly PORT: number;
    readonly LOG_LEVEL: Parameters<typeof createLogger>[1];
    readonly DATABASE_WAIT_MS: number;
    /** How long the process still answers after SIGTERM, in milliseconds. */
    readonly DRAIN_MS?: number | undefined;
  };

export type ServiceProcessOptions = {
  /** The service in logs, metrics and the names of its database sessions. */
  readonly name: string;
  readonly config: ServiceConfig;
  /** Size of the connection pool. */
  readonly connectionsMax: number;
  /** Connections besides the pool, by purpose. */
  readonly uses: OtherUses;
  /** Aborts when the process receives SIGTERM or SIGINT. */
  readonly signal: AbortSignal;
};

export type ListenOptions = {
  /** The service in the log line that gives its address. */
  readonly name: string;
  /** Runs before the server stops: what must finish while health checks are still answered. */
  readonly beforeStop?: () => Promise<void>;
  /** Runs after the server and the mail have stopped, and before the database closes. */
  readonly afterStop?: () => Promise<void>;
};

/** What a service process has from its start to its end. */
export type ServiceProcess = {
  readonly logger: Logger;
  readonly metrics: Metrics | undefined;
  readonly tracing: Tracing | undefined;
  /** Where the database is. */
  readonly place: DatabasePlace;
  /** The server itself, past a pooler, as the login that keeps the schema `system`: for the queue and the SQL console. */
  readonly sessionUrl: string;
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  /** The first one seals; all of them open. */
  readonly secrets: readonly [string, ...string[]];
  readonly vault: Vault;
  readonly mails: AccountMails;
  /** Serves `app` on the configured port. */
  listen(
    app: { fetch: Parameters<typeof serve>[0] },
    options: ListenOptions,
  ): Promise<RunningProcess>;
};

/**
 * Opens what every service process has, and waits for a database that is reachable and migrated.
 *
 * @throws StartError if the database or a port cannot be used
 */
export async function openServiceProcess(options: ServiceProcessOptions): Promise<ServiceProcess> {
  const { name, config } = options;
  const logger = createLogger(name, config.LOG_LEVEL);
  reportNode(logger);
  const telemetry = await openTelemetry(config);
  const { metrics, tracing } = telemetry;
  const place = databasePlace(config);
  const database = await startDatabase(
    {
      ...place,
      applicationName: name,
      connectionsMax: options.connectionsMax,
      uses: options.uses,
      ...startReports(logger, config),
    },
    {
      waitMs: config.DATABASE_WAIT_MS,
      onWait: (sentence) => logger.warn(sentence),
      signal: options.signal,
    },
  );
  if (metrics !== undefined) watchPools(metrics, { [name]: database });
  const snapshots = createSnapshotStore(database.service, metrics?.snapshotLoaded);
  const secrets = installationSecrets(config);
  const vault = createVault(() => secrets);
  const mails = openAccountMails({ database, snapshots, vault }, config, logger);
  return {
    logger,
    metrics,
    tracing,
    place,
    sessionUrl: await sessionUrlOf(place, database),
    database,
    snapshots,
    secrets,
    vault,
    mails,
    listen: async (app, { name: title, beforeStop, afterStop }) => {
      const { DRAIN_MS: drainMs } = config;
      const server = await serve(app.fetch, {
        port: config.PORT,
        hostname: config.HOST,
        ...(drainMs === undefined ? {} : { idleGraceMs: keptConnectionsGraceMs }),
      });
      logger.info({ url: server.url }, `The ${title} is listening`);
      return {
        ...(drainMs === undefined ? {} : { drain: () => server.drain(drainMs) }),
        stop: async () => {
          await beforeStop?.();
          await server.stop();
          await mails.close();
          await afterStop?.();
          await database.close();
          await telemetry.stop();
        },
      };
    },
  };
}
