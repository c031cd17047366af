import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type MailLog, openAccountMails } from "@rowhouse/accounts";
import { createApp as createAdminApi } from "@rowhouse/admin-api";
import { createApp as createDataApi } from "@rowhouse/data-api";
import { createSnapshotStore, type Database } from "@rowhouse/db";
import { createLogger, type Service } from "@rowhouse/http";
import { openRateLimits } from "@rowhouse/rate-limit";
import { createSqlConsole } from "@rowhouse/sql-console";
import {
  type Edge,
  fetchThrough,
  installationSecret,
  startInstallation,
  type TestDatabase,
} from "@rowhouse/testing";
import { createVault } from "@rowhouse/vault";
import { openWorkflowConnections } from "@rowhouse/workflows";

/** What links in mails begin with. */
export const publicUrl = "https://house.example.com";
const mailFrom = "Rowhouse <house@example.com>";

export interface WayOptions {
  /** Where mails go; without it they become files. */
  readonly smtpUrl?: string;
  /** Hears what is said of mails, in this process. */
  readonly mailLog?: MailLog;
  /** Where calls are counted; without it, in the database. */
  readonly redisUrl?: string;
}

/** How the requests of a house reach its services, and what these do by themselves. */
export interface HouseWay {
  send(path: string, init: RequestInit, edge: Edge): Promise<Response>;
  /** Where mails become files. */
  readonly mailFolder: string;
  /** Resolves once nothing is being sent. */
  mailsIdle(): Promise<void>;
  deliver(): Promise<void>;
  moveClocks(aheadMs: number): Promise<void>;
  settle(): Promise<void>;
  /** Other processes on the same database. */
  again(): Promise<HouseWay>;
  /** Ends all but the database. */
  close(): Promise<void>;
}

export interface WayInProcess extends HouseWay {
  readonly services: readonly Service[];
}

/** Both APIs in this process. */
export async function openInProcess(
  test: TestDatabase,
  options: WayOptions,
  time = { aheadMs: 0 },
): Promise<WayInProcess> {
  const now = () => Date.now() + time.aheadMs;
  const { smtpUrl, mailLog, redisUrl } = options;
  const { service: database } = test;
  const logger = createLogger("test", "silent");
  const snapshots = createSnapshotStore(database);
  const vault = createVault(() => installationSecret);
  const workflows = await openWorkflowConnections({
    database,
    databaseUrl: test.url,
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
  const shared = { logger, database, snapshots, mails, vault, now };
  const dataApi = createDataApi({ ...shared, workflows, rateLimits });
  const sqlConsole = createSqlConsole({
    database,
    databaseUrl: test.url,
    consoleUrl: undefined,
    secret: () => installationSecret,
  });
  const adminApi = createAdminApi({ ...shared, sqlConsole });
  return {
    services: [dataApi, adminApi],
    send: async (path, init, edge) => {
      const service = path.startsWith("/api/") ? dataApi : adminApi;
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
    // Its statements follow one another per connection; a round over all of them is behind whatever was sent before.
    settle: async () => {
      for (let round = 0; round < 3; round += 1) {
        await Promise.all(
          Array.from({ length: 30 }, () => database.query("select pg_sleep(0.01)")),
        );
      }
    },
    again: () => openInProcess(test, options, time),
    close: async () => {
      await mails.close();
      await rm(folder, { recursive: true, force: true });
      await workflows.close();
      await rateLimits.close();
    },
  };
}

/** The processes that were chosen for the run, each request through another one. */
export async function openProcesses(test: TestDatabase, options: WayOptions): Promise<HouseWay> {
  const folder = await mkdtemp(join(tmpdir(), "rowhouse-mails-"));
  const { smtpUrl, redisUrl } = options;
  const installation = await startInstallation({
    // Whoever opened the house drops its database.
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
  const way: HouseWay = {
    send: (path, init, edge) => fetchThrough(installation, path, init, edge),
    mailFolder: join(folder, "mails"),
    mailsIdle: settle,
    deliver: settle,
    moveClocks: (aheadMs) => installation.moveClocks(aheadMs),
    settle,
    // Its requests reach them all anyhow.
    again: async () => ({ ...way, close: async () => {} }),
    close: async () => {
      await installation.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return way;
}

const quietMs = 600;

/** Waits until the processes have had nothing to do in the database, and no mail to send, for a while. */
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
