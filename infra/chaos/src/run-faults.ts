import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "./faults.ts";
import { openSoakEnvironment } from "./soak-environment.ts";
import { startSteadyLoad } from "./steady-load.ts";

export interface FaultReport {
  /** Violated guarantees. */
  readonly violations: readonly string[];
  readonly logs: string;
}

/** Each kind of request succeeds again within this time, without a restart. */
const recoveryMsMax = 45_000;
const restMs = 1000;

/** Causes one fault after another on seven processes under a light load, and reports the responses. */
export async function runFaults(
  faults: readonly Fault[],
  say: (line: string) => void,
): Promise<FaultReport> {
  const violations: string[] = [];
  const installation = await openSoakEnvironment(7);
  try {
    const load = startSteadyLoad(installation, { callers: 1, restMs: 100 });
    await load.untilWell(recoveryMsMax);
    const before = load.take().filter(({ fault }) => fault !== undefined);
    violations.push(...before.map(({ kind, fault }) => `before the first fault: ${kind} ${fault}`));
    for (const { name, allowed, run } of faults) {
      say(name);
      const begun = Date.now();
      const wrong = await run(installation, (what) => say(`    ${what}`));
      const ended = Date.now();
      try {
        await load.untilWell(recoveryMsMax);
      } catch (error) {
        wrong.push(String(error));
      }
      const wellMs = Date.now() - ended;
      await sleep(restMs);
      const outcomes = load.take();
      const errors = new Map<string, number>();
      for (const { kind, fault } of outcomes) {
        if (fault === undefined) continue;
        if (!errors.has(fault) && !allowed.includes(fault)) wrong.push(`${kind}: ${fault}`);
        errors.set(fault, (errors.get(fault) ?? 0) + 1);
      }
      const count = [...errors.values()].reduce((sum, one) => sum + one, 0);
      const told = [...errors].map(([fault, times]) => `${times} × ${fault}`).join(", ");
      say(
        `    ${((ended - begun) / 1000).toFixed(1)} s, ${outcomes.length} requests, ${count} errors${told && `: ${told}`}; recovered after ${(wellMs / 1000).toFixed(1)} s`,
      );
      for (const sentence of wrong) say(`    WRONG: ${sentence}`);
      violations.push(...wrong.map((sentence) => `${name}: ${sentence}`));
    }
    await load.stop();
    violations.push(...(await load.findLost()));
    for (const member of installation.members) {
      if (member.hasDied()) violations.push(`${member.name} has exited`);
    }
    const logs = installation.members.map((one) => `== ${one.name}\n${one.output()}`).join("\n");
    return { violations, logs };
  } finally {
    await installation.close();
  }
}
