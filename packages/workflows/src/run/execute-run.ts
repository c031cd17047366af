import { interpret } from "./interpret.ts";
import { type Claim, LeaseLost, type Outcome, type TerminalStatus } from "./run.ts";
import { type EffectDeps, runEffect, writeUnder } from "./run-effect.ts";
import type { VersionCache } from "./version-cache.ts";

export interface ExecuteRunDeps extends EffectDeps {
  readonly versions: VersionCache;
}

export interface Hold {
  /** Aborts when another worker holds the run. */
  readonly lost: AbortSignal;
  /** Whether this worker is to stop: the run is then handed back after the step in progress. */
  readonly isStopping: () => boolean;
}

/** A worker that takes a run this often without ending it will not end it the next time either. */
const claimsMax = 100;

/**
 * Runs a claimed run to its end.
 *
 * @returns its terminal status, or `HAND_BACK` where this worker is to stop first
 * @throws LeaseLost, and AppError SERVICE_UNAVAILABLE where the database was out of reach; another claim goes on then
 */
export async function executeRun(
  deps: ExecuteRunDeps,
  claim: Claim,
  hold: Hold,
): Promise<TerminalStatus | "HAND_BACK"> {
  const write = writeUnder(deps.database, claim);
  if (claim.cancelRequested) return requireEnd(await write([], undefined, 0));
  const refusal = refusalOf(claim);
  if (refusal !== undefined) return requireEnd(await write([], refusal, undefined));
  const definition = await deps.versions.load(claim.versionId);
  const interpretation = interpret(definition, claim.input, claim.journal, Date.now);
  let next = interpretation.steps.next();
  while (next.done !== true) {
    if (hold.lost.aborted) throw new LeaseLost("Another worker holds the run");
    if (hold.isStopping()) return "HAND_BACK";
    const advanced = await runEffect(deps, claim, interpretation, next.value, hold.lost);
    if (advanced.kind === "ENDED") return advanced.status;
    next = advanced.next;
  }
  // Reached where no effect was left to carry the end of the run.
  return requireEnd(await write(interpretation.pending, next.value, undefined));
}

function refusalOf(claim: Claim): Outcome | undefined {
  const refuse = (code: string, message: string): Outcome => ({
    status: "FAILED",
    result: null,
    error: { code, message, step: null },
  });
  if (!claim.executeAsActive) {
    return refuse("EXECUTE_AS_INACTIVE", "The user this run executes as is not active");
  }
  if (BigInt(claim.fence) > claimsMax) {
    return refuse("RUN_ABANDONED", "The run was begun many times and never reached its end");
  }
  return undefined;
}

function requireEnd(status: TerminalStatus | undefined): TerminalStatus {
  if (status === undefined) throw new Error("the end of a run was not written");
  return status;
}
