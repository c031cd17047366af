import { setTimeout as sleep } from "node:timers/promises";
import { type Arrangement, type Backend, openArrangement } from "./arrangement.ts";
import { findViolations } from "./check.ts";
import { disturb } from "./disturbances.ts";
import { countOpenRuns, startLoad } from "./load.ts";
import { createChance } from "./random.ts";

export interface ChaosOptions {
  readonly backend: Backend;
  /** How long to disturb, at least. */
  readonly seconds: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

export interface ChaosReport {
  readonly runs: number;
  /** Runs that killed workers held. */
  readonly orphans: number;
  /** What was promised and does not hold. */
  readonly violations: readonly string[];
  /** What the processes logged. */
  readonly logs: string;
}

/** As long as runs end there is hope; after this long without one, there is none. */
const hopelessMs = 60_000;

/** Starts an installation, calls and disturbs it, lets it come to rest, and looks at what it has left. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { backend, seconds, seed } = options;
  const begun = Date.now();
  const say = (line: string) =>
    options.say(`${((Date.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${line}`);
  say(`chaos on ${backend}, seed ${seed}`);
  const arrangement = await openArrangement(backend);
  try {
    const chance = createChance(seed);
    const load = startLoad(arrangement, chance.fork());
    const disturbed = await disturb(arrangement, chance.fork(), seconds, say);
    say("the disturbances are over");
    await load.stop();
    await settle(arrangement);
    const runs = await countRuns(arrangement);
    say(`at rest after ${load.calls.length} calls and ${runs} runs`);
    for (const [answer, count] of load.answers) say(`${String(count).padStart(6)} × ${answer}`);
    const violations = await findViolations(arrangement, load.calls, disturbed);
    return {
      runs,
      orphans: disturbed.orphans.length,
      violations: [...disturbed.deaths, ...load.faults, ...violations],
      logs: logsOf(arrangement),
    };
  } finally {
    await arrangement.close();
    say("closed");
  }
}

async function settle(arrangement: Arrangement): Promise<void> {
  let open = await countOpenRuns(arrangement);
  let movedAt = Date.now();
  while (open > 0 && Date.now() - movedAt < hopelessMs) {
    await sleep(200);
    const now = await countOpenRuns(arrangement);
    if (now !== open) movedAt = Date.now();
    open = now;
  }
}

async function countRuns({ database }: Arrangement): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    "select count(*)::integer as count from system.workflow_runs",
  );
  return row?.count ?? 0;
}

function logsOf({ workers, apis, gateways }: Arrangement): string {
  return [...workers, ...apis, ...gateways]
    .map((member) => `== ${member.name}\n${member.output()}`)
    .join("\n");
}
