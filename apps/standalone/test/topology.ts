import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type MailLog, openAccountMails, templateCheck } from "@rowhouse/accounts";
import { createApp as createAdminApi } from "@rowhouse/admin-api";
import { openDataPlane } from "@rowhouse/data";
import { createApp as createDataApi } from "@rowhouse/data-api";
import { createSnapshotStore, type Database } from "@rowhouse/db";
import { openStorage } from "@rowhouse/files";
import type { Service } from "@rowhouse/http";
import { openRateLimits } from "@rowhouse/limits";
import { createMcpCallJournal } from "@rowhouse/mcp";
import { createLogger } from "@rowhouse/service";
import { createSqlConsole } from "@rowhouse/sql-console";
import {
  type Edge,
  fetchThrough,
  installationSecret,
  startTestEnvironment,
  type TestDatabase,
} from "@rowhouse/testing";
import { createVault } from "@rowhouse/vault";
import { openWorkflowConnections } from "@rowhouse/workflows";

/** Base of links in mails. */
export const publicUrl = "https://rowhouse.example.com";
const mailFrom = "Rowhouse <house@example.com>";

export interface TopologyOptions {
  /** The mail server; without it, mails are files. */
  readonly smtpUrl?: string;
  /** Receives log entries about mails, in this process. */
  readonly mailLog?: MailLog;
  /** Counters of rate limits; without it, they are in the database. */
  readonly redisUrl?: string;
}

/** How requests reach the services, and how the tests control their background work. */
export interface Topology {
  send(path: string, init: RequestInit, edge: Edge): Promise<Response>;
  /** Folder of mails that are files. */
  readonly mailFolder: string;
  /** Resolves once no mail is being sent. */
  mailsIdle(): Promise<void>;
  deliver(): Promise<void>;
  moveClocks(aheadMs: number): Promise<void>;
  settle(): Promise<void>;
  /** Starts other processes on the same database. */
  again(): Promise<Topology>;
  /** Stops everything except the database. */
  close(): Promise<void>;
}

export interface InProcessTopology extends Topology {
  readonly services: readonly Service[];
}

const dataApiPaths = /^\/(?:api\/|mcp(?:\?|$)|oauth\/|\.well-known\/)/;

/** Both APIs in this process. */
export async function openInProcess(
  test: TestDatabase,
  options: TopologyOptions,
  time = { aheadMs: 0 },
): Promise<InProcessTopology> {
  const now = () => Date.now() + time.aheadMs;
  const { smtpUrl, mailLog, redisUrl } = options;
  const { service: database } = test;
  const logger = createLogger("test", "silent");
  const snapshots = createSnapshotStore(database);
  const vault = createVault(() => installationSecret);
  const workflows = await openWorkflowConnections({
    database,
    databaseUrl: test.sessionUrl,
    redisUrl: undefined,
    vault,
    report: () => {},
  });
  const folder = await mkdtemp(join(tmpdir(), "rowhouse-mails-"));
  const config = {
    MAIL_FROM: mailFrom,
    PUBLIC_URL: publicUrl,
    SMTP_URL: smtpUrl,
    ROWHOUSE_DATA_DIR: folder,
  };
  const mails = openAccountMails({ database, snapshots, vault }, config, mailLog ?? logger);
  const rateLimits = openRateLimits({ database, redisUrl, report: () => {} });
  const plane = openDataPlane({
    ...{ database, snapshots, onUnrecordedUse: () => {}, now },
    checks: [templateCheck],
  });
  const shared = { logger, database, snapshots, plane, mails, vault, now };
  const storage = openStorage({ kind: "DIRECTORY", path: join(folder, "files") });
  const sqlConsole = createSqlConsole({
    database,
    databaseUrl: test.sessionUrl,
    consoleUrl: undefined,
    secret: () => installationSecret,
  });
  const mcpCalls = createMcpCallJournal({ database, report: () => {} });
  const dataApi = createDataApi({
    ...shared,
    ...{ workflows, rateLimits, storage, sqlConsole, mcpCalls },
  });
  const adminApi = createAdminApi({ ...shared, rateLimits, sqlConsole });
  return {
    services: [dataApi, adminApi],
    send: async (path, init, edge) => {
      const service = dataApiPaths.test(path) ? dataApi : adminApi;
      return service.fetch(new Request(`http://localhost${path}`, init), { edge });
    },
    mailFolder: join(folder, "mails"),
    mailsIdle: () => mails.idle(),
    deliver: async () => {
      await mails.idle();
      mails.wake();
      await mails.idle();
    },
    moveClocks: async (aheadMs) => {
      time.aheadMs = aheadMs;
    },
    // Its statements run in order on each connection, so a statement on every connection waits for all earlier ones.
    settle: async () => {
      await mcpCalls.idle();
      for (let round = 0; round < 3; round += 1) {
        await Promise.all(
          Array.from({ length: 30 }, () => database.query("select pg_sleep(0.01)")),
        );
      }
    },
    again: () => openInProcess(test, options, time),
    close: async () => {
      await mcpCalls.close();
      await mails.close();
      await rm(folder, { recursive: true, force: true });
      await workflows.close();
      await rateLimits.close();
    },
  };
}

/** The processes of the chosen topology; each request uses the next gateway. */
export async function openProcesses(
  test: TestDatabase,
  options: TopologyOptions,
): Promise<Topology> {
  const folder = await mkdtemp(join(tmpdir(), "rowhouse-mails-"));
  const { smtpUrl, redisUrl } = options;
  const installation = await startTestEnvironment({
    // The caller drops its database.
    test: { ...test, drop: async () => {} },
    hasProxy: true,
    movesClocks: true,
    environment: {
      MAIL_FROM: mailFrom,
      PUBLIC_URL: publicUrl,
      ROWHOUSE_DATA_DIR: folder,
      ...(smtpUrl === undefined ? {} : { SMTP_URL: smtpUrl }),
      ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
    },
  });
  const settle = () => untilQuiet(test.database);
  const topology: Topology = {
    send: (path, init, edge) => fetchThrough(installation, path, init, edge),
    mailFolder: join(folder, "mails"),
    mailsIdle: settle,
    deliver: settle,
    moveClocks: (aheadMs) => installation.moveClocks(aheadMs),
    settle,
    // Its requests reach every process anyway.
    again: async () => ({ ...topology, close: async () => {} }),
    close: async () => {
      await installation.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return topology;
}

const quietMs = 600;

/** Waits until the processes have run no statement and sent no mail for a while. */
async function untilQuiet(database: Database): Promise<void> {
  for (let since = Date.now(); Date.now() - since < quietMs; await sleep(50)) {
    const [row] = await database.query<{ busy: boolean }>(
      `select exists (select from system.mails where due_at <= system.clock() or (attempts > 0 and due_at <= system.clock() + interval '3 minutes'))
         or exists (select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
                    and backend_type = 'client backend' and state <> 'idle') as busy`,
    );
    if (row?.busy !== false) since = Date.now();
  }
}
