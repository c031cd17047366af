import { tellSealedValues } from "@rowhouse/admin-api";
import {
  connectDatabase,
  createSnapshotStore,
  openDatabase,
  spareConnections,
  startDatabase,
} from "@rowhouse/db";
import { serveGateway } from "@rowhouse/gateway";
import {
  createLogger,
  installationSecrets,
  openTelemetry,
  type RunningProcess,
  tellConnections,
} from "@rowhouse/http";
import { settingDefinitions } from "@rowhouse/settings";
import { consolePool, createSqlConsole } from "@rowhouse/sql-console";
import { watchPools } from "@rowhouse/telemetry";
import { createVault } from "@rowhouse/vault";
import { connectionsFor } from "@rowhouse/workflow-worker";
import { queueConnections } from "@rowhouse/workflows";
import { compose } from "./compose.ts";
import type { StandaloneConfig } from "./config.ts";
import { ensureAdministrator } from "./first-administrator.ts";
import { greet } from "./greeting.ts";
import { checkInstallationSecret, readInstallationSecret } from "./installation-secret.ts";
import { loadSample } from "./load-sample.ts";
import { openServer } from "./open-server.ts";

export interface Standalone extends RunningProcess {
  readonly url: string;
  readonly databaseUrl: string;
  /** The text for the operator. */
  readonly greeting: string;
}

// Less than the time that `runProcess` allows for the whole stop.
const requestGraceMs = 8000;
const workerConcurrency = 16;
// An operator waits interactively for the error message.
const databaseWaitMs = 4000;

/**
 * Starts database, services, worker and gateway in this process. A failed start stops the parts that it had started.
 *
 * @throws StartError for a fault that the operator can correct
 */
export async function startStandalone(
  config: StandaloneConfig,
  options: { readonly sample: boolean },
): Promise<Standalone> {
  const started: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const end of started.splice(0).reverse()) await end();
  };
  try {
    const logger = createLogger("standalone", config.LOG_LEVEL);
    const telemetry = await openTelemetry(config);
    started.push(() => telemetry.stop());
    const { metrics, tracing } = telemetry;
    if (config.ROWHOUSE_SECRET === undefined) {
      await checkInstallationSecret(config.ROWHOUSE_DATA_DIR);
    }
    const server = await openServer(config);
    started.push(() => server.stop());

    const { place } = server;
    const databaseUrl = place.directUrl ?? place.url;
    const database = await startDatabase(
      {
        ...place,
        applicationName: "standalone",
        connectionsMax: config.DATABASE_CONNECTIONS,
        uses: {
          exports: settingDefinitions["data.max_exports"].default,
          console:
            settingDefinitions["sql_console.max_runs"].default +
            1 +
            consolePool.connectionsMax +
            spareConnections,
          worker: connectionsFor(workerConcurrency) + spareConnections,
          ...(config.REDIS_URL === undefined
            ? { queue: queueConnections.adding + queueConnections.taking }
            : {}),
        },
        onConnections: tellConnections(logger, config),
        migrationsWaitMs: databaseWaitMs,
      },
      { waitMs: databaseWaitMs },
    );
    started.push(() => database.close());
    const administrator = await ensureAdministrator(database, config);
    const sampleLoaded = options.sample && (await loadSample(database));

    const snapshots = createSnapshotStore(database, metrics?.snapshotLoaded);
    await snapshots.current();
    const workerDatabase = await connectDatabase({
      ...place,
      applicationName: "standalone-worker",
      connectionsMax: connectionsFor(workerConcurrency),
    });
    started.push(() => workerDatabase.close());
    if (metrics !== undefined) {
      watchPools(metrics, { standalone: database, "standalone-worker": workerDatabase });
    }
    const secret = () => config.ROWHOUSE_SECRET ?? readInstallationSecret(config.ROWHOUSE_DATA_DIR);
    const vault = createVault(async () =>
      installationSecrets({ ...config, ROWHOUSE_SECRET: await secret() }),
    );
    await tellSealedValues({ database, vault }, logger);
    const consoleDatabase = openDatabase({ ...place, ...consolePool });
    started.push(() => consoleDatabase.close());
    const parts = await compose({
      logger,
      metrics,
      tracing,
      database,
      workerDatabase,
      workerConcurrency,
      snapshots,
      databaseUrl,
      redisUrl: config.REDIS_URL,
      vault,
      sqlConsole: createSqlConsole({
        database: consoleDatabase,
        databaseUrl,
        consoleUrl: config.SQL_CONSOLE_URL,
        secret,
      }),
      mail: { ...config, PUBLIC_URL: config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}` },
    });
    started.push(() => parts.stop());

    const address = { port: config.PORT, hostname: config.HOST };
    const edge = await serveGateway(parts.gateway, logger.child({ service: "gateway" }), address);
    started.push(() => edge.stop(requestGraceMs));

    const greeting = greet({
      url: edge.url,
      administrator,
      adminEmail: config.ROWHOUSE_ADMIN_EMAIL,
      databaseUrl: server.embedded ? databaseUrl : undefined,
      filesElsewhere: server.filesElsewhere,
      sampleLoaded,
    });
    return { url: edge.url, databaseUrl, greeting, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
