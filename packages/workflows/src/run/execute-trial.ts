import { createError } from "@rowhouse/errors";
import { UserSemaphore } from "@rowhouse/limits";
import type { CompiledDefinition } from "../compile/compiled.ts";
import { conclude } from "../effect/carry-out.ts";
import type { EffectDeps } from "../effect/effect-deps.ts";
import type { Flight } from "../effect/flight.ts";
import { type Claim, type Outcome, runFailed } from "../model/run.ts";
import { answerStep } from "../trial/answer-step.ts";
import type { TrialDeps } from "../trial/trial-context.ts";
import { TrialFiles } from "../trial/trial-files.ts";
import { TrialRows } from "../trial/trial-rows.ts";
import { type Executed, Execution, type ExecutionDeps } from "./execution.ts";
import type { Hold } from "./keep-lease.ts";
import { TimeLimit } from "./time-limit.ts";

/** The time limit of a trial in milliseconds. PostgreSQL ends its transaction within 10 s. */
const trialMs = 9500;

/** Trials in progress in one process at most: each has a connection of its own. */
export const trialsMax = 2;

/** Lets the trials of one process wait for each other, and those of one workflow for those of others. */
export function createTrialSlots(): UserSemaphore {
  return new UserSemaphore({
    permits: trialsMax,
    perUser: trialsMax,
    waitingMax: 1000,
    waitMs: 60_000,
    busy: () => createError("SERVICE_UNAVAILABLE"),
  });
}

interface ExecuteTrialDeps extends ExecutionDeps, TrialDeps, Pick<EffectDeps, "files"> {
  readonly trials: UserSemaphore;
}

/** Returns the end of a trial that a process has begun and lost: its rows are rolled back, so it cannot continue. */
export function interruptedTrial({ journal, lostLeases }: Claim): Outcome | undefined {
  if (journal.size === 0 && lostLeases === 0) return undefined;
  return runFailed("TEST_INTERRUPTED", "The process that ran this test has stopped");
}

/**
 * Executes a trial to its end: rows in a transaction that is rolled back, everything else described or mocked. It never
 * parks, and a worker that stops waits for it.
 *
 * @param leftMs the rest of the run's time limit
 * @throws LeaseLost, and AppError SERVICE_UNAVAILABLE if too many other trials wait
 */
export function executeTrial(
  deps: ExecuteTrialDeps,
  claim: Claim,
  hold: Hold,
  definition: CompiledDefinition,
  leftMs: number,
): Promise<Executed> {
  return deps.trials.within(claim.workflowId, async () => {
    if (hold.isStopping()) return { kind: "HAND_BACK" };
    const ownMs = Math.min(leftMs, trialMs);
    const rows = new TrialRows(deps.database, claim.runId, ownMs);
    const context = {
      deps: { ...deps, files: new TrialFiles(deps.files) },
      claim,
      rows,
      secretNames: definition.secrets,
    };
    const patient = { ...hold, isStopping: () => false };
    const limit = new TimeLimit(ownMs, leftMs > trialMs ? trialTimedOut() : undefined);
    const execution = new Execution(deps, claim, patient, limit);
    try {
      return await execution.run(definition, async (flight: Flight) =>
        conclude(deps, flight, await answerStep(context, flight)),
      );
    } finally {
      await rows.close();
    }
  });
}

function trialTimedOut(): Outcome {
  return runFailed("TEST_TIMED_OUT", "A test without effects must end within 10 seconds");
}
