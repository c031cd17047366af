import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { reportSealedValues } from "@rowhouse/admin-api";
import { configurationConnections, loadSample } from "@rowhouse/configuration";
import { connectLogins, createSnapshotStore, type Database, startDatabase } from "@rowhouse/db";
import { StartError } from "@rowhouse/errors";
import { openStorage, storagePlace } from "@rowhouse/files";
import { serveGateway } from "@rowhouse/gateway";
import { keepFile } from "@rowhouse/local-postgres";
import {
  createLogger,
  installationSecrets,
  type Logger,
  openTelemetry,
  type RunningProcess,
  reportNode,
  sessionUrlOf,
  startReports,
  systemPlaceOf,
  watchPools,
} from "@rowhouse/service";
import { settingDefinitions } from "@rowhouse/settings";
import { consoleConnections, openSqlConsole } from "@rowhouse/sql-console";
import { createVault } from "@rowhouse/vault";
import { connectionsFor } from "@rowhouse/workflow-worker";
import { queueConnections, trialsMax } from "@rowhouse/workflows";
import { type Composition, compose } from "./compose.ts";
import type { StandaloneConfig } from "./config.ts";
import { ensureLocalAdministrator } from "./first-administrator.ts";
import { greet } from "./greeting.ts";
import { type DatabaseServer, openServer } from "./open-server.ts";

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

/** What this process has started, to be stopped in the reverse order. */
class StartedParts {
  readonly #ends: (() => Promise<unknown>)[] = [];

  add(end: () => Promise<unknown>): void {
    this.#ends.push(end);
  }

  async stop(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) await end();
  }
}

/**
 * Starts database, services, worker and gateway in this process. A failed start stops the parts that it had started.
 *
 * @throws StartError for a fault that the operator can correct
 */
export async function startStandalone(
  config: StandaloneConfig,
  options: { readonly sample: boolean },
): Promise<Standalone> {
  const started = new StartedParts();
  try {
    return await startParts(config, options, started);
  } catch (error) {
    await started.stop();
    throw error;
  }
}

async function startParts(
  config: StandaloneConfig,
  options: { readonly sample: boolean },
  started: StartedParts,
): Promise<Standalone> {
  const logger = createLogger("standalone", config.LOG_LEVEL);
  reportNode(logger);
  const telemetry = await openTelemetry(config);
  started.add(() => telemetry.stop());
  if (config.ROWHOUSE_SECRET === undefined) {
    await checkInstallationSecret(config.ROWHOUSE_DATA_DIR);
  }
  const server = await openServer(config);
  started.add(() => server.stop());
  const database = await openServiceDatabase(config, server, logger);
  started.add(() => database.close());
  await server.guard(database);
  const administrator = await ensureLocalAdministrator(database, config);
  const sampleLoaded = options.sample && (await loadSample(database));

  const databaseUrl = server.place.directUrl ?? server.place.url;
  const stopping = new AbortController();
  const services = { config, logger, telemetry, database, server, started };
  const parts = await startServices({ ...services, stopping: stopping.signal });
  const address = { port: config.PORT, hostname: config.HOST };
  const edge = await serveGateway(parts.gateway, logger.child({ service: "gateway" }), address);
  started.add(() => edge.stop(requestGraceMs));
  started.add(async () => stopping.abort());

  const greeting = greet({
    url: edge.url,
    administrator,
    adminEmail: config.ROWHOUSE_ADMIN_EMAIL,
    databaseUrlFile: server.embedded
      ? await writeDatabaseUrl(config.ROWHOUSE_DATA_DIR, databaseUrl)
      : undefined,
    filesElsewhere: server.filesElsewhere,
    sampleLoaded,
  });
  return { url: edge.url, databaseUrl, greeting, stop: () => started.stop() };
}

/** Opens the pool of the requests, and migrates the database. */
function openServiceDatabase(
  config: StandaloneConfig,
  { place, embedded }: Pick<DatabaseServer, "embedded" | "place">,
  logger: Logger,
): Promise<Database> {
  const queue = queueConnections.adding + queueConnections.taking;
  return startDatabase(
    {
      ...place,
      applicationName: "standalone",
      connectionsMax: config.DATABASE_CONNECTIONS,
      uses: {
        exports: settingDefinitions["data.max_exports"].default,
        imports: settingDefinitions["limits.imports_at_once"].default,
        trials: trialsMax,
        console: consoleConnections,
        configuration: configurationConnections,
        ...(config.REDIS_URL === undefined ? { queue } : {}),
      },
      workerMax: connectionsFor(workerConcurrency),
      ...startReports(logger, config),
      // Only one process uses an embedded database.
      closesService: embedded,
      migrationsWaitMs: databaseWaitMs,
    },
    { waitMs: databaseWaitMs },
  );
}

interface ServiceParts {
  readonly config: StandaloneConfig;
  readonly logger: Logger;
  readonly telemetry: Awaited<ReturnType<typeof openTelemetry>>;
  readonly database: Database;
  readonly server: DatabaseServer;
  readonly started: StartedParts;
  readonly stopping: AbortSignal;
}

/** Opens the other pools and composes the services on all of them. */
async function startServices(service: ServiceParts): Promise<Composition> {
  const { config, logger, database, started } = service;
  const { place } = service.server;
  const { metrics, tracing } = service.telemetry;
  const databaseUrl = await sessionUrlOf(place, database);
  const snapshots = createSnapshotStore(database.service, metrics?.snapshotLoaded);
  await snapshots.current();
  const workerDatabase = await connectLogins({
    ...place,
    applicationName: "standalone-worker",
    connectionsMax: connectionsFor(workerConcurrency),
  });
  started.add(() => workerDatabase.close());
  if (metrics !== undefined) {
    watchPools(metrics, { standalone: database, "standalone-worker": workerDatabase });
  }
  const secret = () => config.ROWHOUSE_SECRET ?? readInstallationSecret(config.ROWHOUSE_DATA_DIR);
  const vault = createVault(async () =>
    installationSecrets({ ...config, ROWHOUSE_SECRET: await secret() }),
  );
  await reportSealedValues({ database, vault }, logger);
  const { sqlConsole, close: closeConsole } = openSqlConsole(
    { ...systemPlaceOf(place), searchPath: database.searchPath },
    { databaseUrl, consoleUrl: config.SQL_CONSOLE_URL, secret },
    service.server.superuserUrl,
  );
  started.add(closeConsole);
  const parts = await compose({
    logger,
    stopping: service.stopping,
    metrics,
    tracing,
    database,
    workerDatabase,
    workerConcurrency,
    snapshots,
    databaseUrl,
    redisUrl: config.REDIS_URL,
    vault,
    storage: openStorage(storagePlace(config), logger),
    chromium: config,
    sqlConsole,
    mail: { ...config, PUBLIC_URL: config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}` },
  });
  started.add(() => parts.stop());
  return parts;
}

/**
 * Writes the URL of the embedded database, whose port may differ at each start, to a file that only its owner may read.
 * So its password is in no log of the output.
 *
 * @returns the path of the file
 * @throws the error of the file system
 */
async function writeDatabaseUrl(directory: string, url: string): Promise<string> {
  const path = resolve(join(directory, "database-url"));
  const partial = `${path}.${process.pid}`;
  await writeFile(partial, url, { mode: 0o600 });
  await rename(partial, path);
  return path;
}

/** Minimum length, as for ROWHOUSE_SECRET. */
const lengthMin = 32;

/**
 * Returns the installation's secret from its data directory, readable by its owner only; creates it on first use.
 *
 * @param folder the data directory
 * @throws StartError for a file without a valid secret; the file system's error if it cannot be written
 */
async function readInstallationSecret(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = pathIn(folder);
  return checked(path, await keepFile(path, () => randomBytes(32).toString("base64url")));
}

/**
 * Checks the secret of an earlier start, if there is one: an empty secret protects nothing, and a different one
 * decrypts nothing.
 *
 * @throws StartError for a file without a valid secret
 */
async function checkInstallationSecret(folder: string): Promise<void> {
  const path = pathIn(folder);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`The installation's secret cannot be read: ${reason}.`, { cause: error });
  }
  checked(path, text);
}

function checked(path: string, text: string): string {
  const secret = text.trim();
  if (secret.length >= lengthMin) return secret;
  throw new StartError(
    `The file ${path} has ${secret.length} characters and the installation's secret at least ${lengthMin}: restore it from a backup, or delete it if nothing is sealed yet.`,
  );
}

function pathIn(folder: string): string {
  return join(folder, "secret");
}
