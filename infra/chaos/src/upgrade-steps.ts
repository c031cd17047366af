import type { Member } from "./member.ts";
import type { SteadyLoad } from "./steady-load.ts";

/** The results of the steps so far. */
export interface Steps {
  readonly violations: string[];
  readonly requests: () => number;
  /** Executes one step, and reports the outcomes of the load until each kind of request has succeeded after it. */
  take(name: string, work?: () => Promise<unknown>): Promise<void>;
}

/** Each kind of request succeeds again within this time, also on a busy machine. */
const wellMsMax = 60_000;

/** Runs steps under a load; an error of a step, and each request that fails meanwhile, is a violation. */
export function createSteps(load: SteadyLoad, say: (line: string) => void): Steps {
  const violations: string[] = [];
  let requests = 0;
  return {
    violations,
    requests: () => requests,
    take: async (name, work) => {
      const begun = Date.now();
      try {
        await work?.();
        await load.untilWell(wellMsMax);
      } catch (error) {
        violations.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      }
      const outcomes = load.take();
      requests += outcomes.length;
      const faults = new Map<string, number>();
      for (const { kind, fault } of outcomes) {
        if (fault === undefined) continue;
        const sentence = `${kind}: ${fault}`;
        faults.set(sentence, (faults.get(sentence) ?? 0) + 1);
      }
      for (const [fault, times] of faults) violations.push(`${name}: ${times} × ${fault}`);
      const failed = [...faults.values()].reduce((sum, one) => sum + one, 0);
      const seconds = ((Date.now() - begun) / 1000).toFixed(1);
      say(`  ${name}: ${seconds} s, ${outcomes.length} requests, ${failed} failed`);
    },
  };
}

/** Returns the output of the processes, each under its name. */
export function logsOf(members: readonly Member[]): string {
  return members.map((one) => `== ${one.name}\n${one.output()}`).join("\n");
}
