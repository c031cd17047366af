import { setTimeout as sleep } from "node:timers/promises";
import { type Backend, type ChaosEnvironment, openChaosEnvironment } from "./chaos-environment.ts";
import { findViolations } from "./check.ts";
import { disturb } from "./disturbances.ts";
import { countOpenRuns, startLoad } from "./load.ts";
import { createChance } from "./random.ts";

export interface ChaosOptions {
  readonly backend: Backend;
  /** Minimum duration of the disturbances. */
  readonly seconds: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

export interface ChaosReport {
  readonly runs: number;
  /** Runs that killed workers held. */
  readonly orphans: number;
  /** Violated guarantees. */
  readonly violations: readonly string[];
  readonly logs: string;
}

/** Waits as long as runs keep ending, and gives up after this time without an end. */
const hopelessMs = 60_000;

/** Starts a topology, calls and disturbs it, waits until all runs have ended, and checks the result. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { backend, seconds, seed } = options;
  const begun = Date.now();
  const say = (line: string) =>
    options.say(`${((Date.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${line}`);
  say(`chaos on ${backend}, seed ${seed}`);
  const environment = await openChaosEnvironment(backend);
  try {
    const chance = createChance(seed);
    const load = startLoad(environment, chance.fork());
    const disturbed = await disturb(environment, chance.fork(), seconds, say);
    say("the disturbances are over");
    await load.stop();
    await settle(environment);
    const runs = await countRuns(environment);
    say(`all runs have ended after ${load.calls.length} calls and ${runs} runs`);
    for (const [answer, count] of load.answers) say(`${String(count).padStart(6)} × ${answer}`);
    const violations = await findViolations(environment, load.calls, disturbed);
    return {
      runs,
      orphans: disturbed.orphans.length,
      violations: [...disturbed.deaths, ...load.faults, ...violations],
      logs: logsOf(environment),
    };
  } finally {
    await environment.close();
    say("closed");
  }
}

async function settle(environment: ChaosEnvironment): Promise<void> {
  let open = await countOpenRuns(environment);
  let movedAt = Date.now();
  while (open > 0 && Date.now() - movedAt < hopelessMs) {
    await sleep(200);
    const now = await countOpenRuns(environment);
    if (now !== open) movedAt = Date.now();
    open = now;
  }
}

async function countRuns({ database }: ChaosEnvironment): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    "select count(*)::integer as count from system.workflow_runs",
  );
  return row?.count ?? 0;
}

function logsOf({ workers, apis, gateways }: ChaosEnvironment): string {
  return [...workers, ...apis, ...gateways]
    .map((member) => `== ${member.name}\n${member.output()}`)
    .join("\n");
}
