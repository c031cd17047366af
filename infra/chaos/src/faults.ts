import { setTimeout as sleep } from "node:timers/promises";
import { loadFixture } from "@rowhouse/testing";
import { idle, readSlowly, sendBombs } from "./hostile-callers.ts";
import type { Member } from "./member.ts";
import { memoryOf } from "./memory.ts";
import type { SoakEnvironment } from "./soak-environment.ts";
import { codeOf } from "./steady-load.ts";

/** A fault, and the errors that callers may receive during it. */
export interface Fault {
  readonly name: string;
  /** Permitted errors of the load; all others are violations. */
  readonly allowed: readonly string[];
  /** Causes and ends the fault. Returns violated expectations. */
  run(installation: SoakEnvironment, say: (what: string) => void): Promise<string[]>;
}

/** Duration of each fault; the tests include the short ones. */
export interface FaultLengths {
  readonly killedMs: number;
  readonly redisAwayMs: number;
  readonly postgresAwayMs: number;
  readonly lockedSeconds: number;
  readonly diskFullMs: number;
  readonly slowMs: number;
  readonly idleMs: number;
  readonly idleConnections: number;
}

export const wholeLengths: FaultLengths = {
  killedMs: 5000,
  redisAwayMs: 20_000,
  postgresAwayMs: 5000,
  lockedSeconds: 15,
  diskFullMs: 10_000,
  slowMs: 15_000,
  idleMs: 20_000,
  idleConnections: 10_000,
};

/** Far less than the amount that slow readers have requested. */
const growthMibMax = 200;

const unavailable = "503 SERVICE_UNAVAILABLE";
/** An export that has started signals an error by breaking off. */
const brokenOff = "200 BROKEN OFF";
const lateRun = "504 WORKFLOW_SYNC_TIMEOUT";

/** All faults, in order. */
export function createFaults(lengths: FaultLengths): Fault[] {
  const kill = async (members: readonly Member[]) => {
    await Promise.all(members.map((member) => member.kill()));
    await sleep(lengths.killedMs);
    await Promise.all(members.map((member) => member.start()));
    return [];
  };
  return [
    {
      name: "a Data API killed and restarted",
      allowed: [unavailable, brokenOff],
      run: ({ dataApis }) => kill(dataApis.slice(0, 1)),
    },
    {
      name: "every Data API and Admin API killed and restarted",
      allowed: [unavailable, brokenOff],
      run: ({ dataApis, adminApis }) => kill([...dataApis, ...adminApis]),
    },
    {
      name: "every worker killed and restarted",
      allowed: [lateRun],
      run: ({ workers }) => kill(workers),
    },
    {
      name: `Redis unavailable for ${lengths.redisAwayMs / 1000} s`,
      allowed: [unavailable, lateRun],
      run: async ({ redis }) => {
        await redis.crash(lengths.redisAwayMs);
        return [];
      },
    },
    {
      name: `PostgreSQL killed without warning, unavailable for ${lengths.postgresAwayMs / 1000} s`,
      allowed: [unavailable, brokenOff, lateRun],
      run: async ({ postgres }) => {
        await postgres.crash(lengths.postgresAwayMs);
        return [];
      },
    },
    {
      name: `pools exhausted: a table locked for ${lengths.lockedSeconds} s, with 200 additional readers`,
      allowed: [unavailable, "504 QUERY_TIMEOUT", lateRun, "RUN FAILED QUERY_TIMEOUT"],
      run: (installation) => exhaustPools(installation, lengths.lockedSeconds),
    },
    {
      name: "disk full: 53100, raised by triggers on rows and on runs",
      allowed: [unavailable, "RUN FAILED SERVICE_UNAVAILABLE"],
      run: (installation) => fillDisk(installation, lengths.diskFullMs),
    },
    {
      name: "20 callers that read one byte a second of lists and of exports of 40 MB",
      // One user may run this many exports in parallel, and these belong to the load's own user.
      allowed: ["429 RATE_LIMIT_EXCEEDED"],
      run: async (installation, say) => {
        await loadFixture(
          installation.database,
          "insert into public.wide (title) select repeat('x', 200) from generate_series(1, 200000)",
        );
        const before = memoryOf(installation.members);
        const reading = readSlowly(installation, 20, lengths.slowMs);
        await sleep(lengths.slowMs / 2);
        const grown = [...memoryOf(installation.members)].map(
          ([name, mib]) => [name, Math.round(mib - (before.get(name) ?? 0))] as const,
        );
        await reading;
        say(`grown by ${grown.map(([name, mib]) => `${name} ${mib} MiB`).join(", ")}`);
        return grown
          .filter(([, mib]) => mib > growthMibMax)
          .map(([name, mib]) => `${name} has grown by ${mib} MiB`);
      },
    },
    {
      name: `${lengths.idleConnections} idle connections`,
      allowed: [],
      run: async (installation, say) => {
        const opened = await idle(installation, lengths.idleConnections, lengths.idleMs);
        say(`${opened} open at once`);
        return [];
      },
    },
    {
      name: "body bombs",
      allowed: [],
      run: async (installation) =>
        (await sendBombs(installation))
          .filter(({ answer, expected }) => answer !== expected)
          .map(({ name, answer, expected }) => `${name}: ${answer} instead of ${expected}`),
    },
  ];
}

/** Holds a lock that every statement on a table waits for, with more waiting callers than connections. */
async function exhaustPools(
  { database, session, url }: SoakEnvironment,
  seconds: number,
): Promise<string[]> {
  const locked = database.transaction(async (transaction) => {
    await transaction.query("lock table public.entries in access exclusive mode");
    await transaction.query(`select pg_sleep(${seconds})`);
  });
  await sleep(200);
  const answers = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const answer = await fetch(`${url()}/api/public/table/entries?limit=1`, {
        headers: { authorization: `Bearer ${session}` },
      });
      return `${answer.status} ${answer.ok ? "" : codeOf(await answer.text())}`.trim();
    }),
  );
  await locked;
  const right = ["200", unavailable, "504 QUERY_TIMEOUT"];
  return answers.filter((answer) => !right.includes(answer));
}

/** Makes PostgreSQL raise the error of a file that it cannot extend, whenever a row or a run is written. */
async function fillDisk({ database }: SoakEnvironment, ms: number): Promise<string[]> {
  const tables = ["public.entries", "system.workflow_runs"];
  await database.query(`
    create function public.disk_is_full() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
  for (const table of tables) {
    await database.query(
      `create trigger disk_is_full before insert on ${table} for each row execute function public.disk_is_full()`,
    );
  }
  await sleep(ms);
  for (const table of tables) await database.query(`drop trigger disk_is_full on ${table}`);
  await database.query("drop function public.disk_is_full()");
  return [];
}
