import { setTimeout as sleep } from "node:timers/promises";
import { memoryOf } from "./memory.ts";
import { openSoakEnvironment, type SoakEnvironment } from "./soak-environment.ts";
import { type Outcome, startSteadyLoad } from "./steady-load.ts";
import { observer } from "./upgrade-environment.ts";

export interface SoakOptions {
  readonly processes: 4 | 7;
  readonly minutes: number;
  /** Callers of each kind of request. */
  readonly callers: number;
  /** Receives the figures of each minute. */
  readonly say: (line: string) => void;
}

const sampleMs = 5000;
/** Permitted growth of a process from the second to the last quarter; the first quarter is for warming up. */
const growthMax = 1.25;

/**
 * Runs a load of every kind at a constant rate for minutes.
 *
 * @returns a sentence for each error, each lost row or run, and each process whose memory has grown
 */
export async function runSoak({
  processes,
  minutes,
  callers,
  say,
}: SoakOptions): Promise<string[]> {
  const violations: string[] = [];
  const installation = await openSoakEnvironment(processes);
  try {
    const samples: Map<string, number>[] = [];
    const load = startSteadyLoad(installation, { callers, restMs: 20 });
    const end = Date.now() + minutes * 60_000;
    for (let minute = 1; Date.now() < end; minute += 1) {
      const until = Math.min(end, Date.now() + 60_000);
      while (Date.now() < until) {
        await sleep(Math.min(sampleMs, until - Date.now()));
        samples.push(memoryOf(installation.members));
      }
      const outcomes = load.take();
      const errors = faultsOf(outcomes);
      violations.push(...errors);
      say(
        `minute ${minute}: ${outcomes.length} requests, ${errors.length} errors, ${latency(outcomes)}; ${await countConnections(installation)} connections`,
      );
      const memory = [...(samples.at(-1) ?? [])].map(([name, mib]) => `${name} ${mib.toFixed(0)}`);
      say(`    MiB: ${memory.join(", ")}`);
    }
    await load.stop();
    const last = load.take();
    violations.push(...faultsOf(last), ...(await load.findLost()));
    for (const { name } of installation.members) {
      const [before, after] = [quarter(samples, name, 1), quarter(samples, name, 3)];
      say(
        `${name}: ${before.toFixed(0)} MiB in the second quarter, ${after.toFixed(0)} in the last`,
      );
      if (after > before * growthMax) {
        violations.push(`${name} has grown from ${before.toFixed(0)} to ${after.toFixed(0)} MiB`);
      }
    }
    return violations;
  } finally {
    await installation.close();
  }
}

function faultsOf(outcomes: readonly Outcome[]): string[] {
  return outcomes.flatMap(({ kind, fault }) => (fault === undefined ? [] : [`${kind}: ${fault}`]));
}

function latency(outcomes: readonly Outcome[]): string {
  const sorted = outcomes.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}

/** Returns the median memory of a process in one quarter of the run, from 0. */
function quarter(samples: readonly Map<string, number>[], name: string, index: number): number {
  const size = samples.length / 4;
  const part = samples
    .slice(Math.floor(index * size), Math.floor((index + 1) * size))
    .map((sample) => sample.get(name) ?? 0)
    .toSorted((a, b) => a - b);
  return part[Math.floor(part.length / 2)] ?? 0;
}

async function countConnections({ database }: SoakEnvironment): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and application_name <> $1::text`,
    [observer],
  );
  return row?.count ?? 0;
}
