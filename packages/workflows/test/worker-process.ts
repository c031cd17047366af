/**
 * A worker in a process of its own, for tests that kill or freeze it. With TIMERS_MS it also runs the worker's
 * periodic tasks, at that interval. Inside the transaction of every row whose note is "held" it writes that note to
 * standard output and waits for HOLD_MS. On a query for the allowed hosts it writes "asked" and returns them after
 * HOLD_HOSTS_MS. Its statements time out after STATEMENT_MS. A step "freeze" writes "frozen" and computes forever.
 */
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "@rowhouse/db";
import { createVault } from "@rowhouse/vault";
import {
  openWorkerConnections,
  startRunWorker,
  startTimers,
  wakeForRun,
} from "@rowhouse/workflows";
import { RunJournal } from "../src/interpret/run-journal.ts";
import { noFiles } from "./no-files.ts";
import { createSqlRowEngine } from "./sql-row-engine.ts";

const {
  DATABASE_URL = "",
  REDIS_URL,
  HOLD_MS = "0",
  HOLD_HOSTS_MS = "0",
  LEASE_MS = "10000",
  STATEMENT_MS = "60000",
  TIMERS_MS,
} = process.env;
const database = openDatabase({
  url: DATABASE_URL,
  applicationName: "worker-process",
  statementTimeoutMs: Number(STATEMENT_MS),
});
const report = (error: unknown) => process.stderr.write(`${String(error)}\n`);
const connections = await openWorkerConnections({
  database,
  databaseUrl: DATABASE_URL,
  redisUrl: REDIS_URL,
  vault: createVault(() => "a secret of the tests' own"),
  report,
});
const rows = createSqlRowEngine(database);
const { calculate } = RunJournal.prototype;
RunJournal.prototype.calculate = function (path, kind, work) {
  if (path === "freeze") {
    writeSync(1, "frozen\n");
    for (;;);
  }
  return calculate.call(this, path, kind, work);
};
const worker = startRunWorker({
  ...connections,
  database,
  report,
  mails: { put: async () => {}, wake: () => {} },
  ...noFiles,
  hostRules: async () => {
    process.stdout.write("asked\n");
    await sleep(Number(HOLD_HOSTS_MS));
    return { allowed: ["127.0.0.1"], public: null };
  },
  leaseMs: Number(LEASE_MS),
  rows: {
    ...rows,
    createRow: async (input, asUserId, on) => {
      const row = await rows.createRow(input, asUserId, on);
      if (input.values.note === "held") {
        process.stdout.write("held\n");
        await sleep(Number(HOLD_MS));
        process.stdout.write("released\n");
      }
      return row;
    },
  },
});
if (TIMERS_MS !== undefined) {
  startTimers({
    database,
    queue: connections.queue,
    endOverdue: worker.endOverdue,
    wakeRun: (runId, priority) => wakeForRun(connections, runId, priority),
    retentionDays: () => 30,
    report,
    reconcileEveryMs: Number(TIMERS_MS),
  });
}
process.stdout.write("ready\n");
