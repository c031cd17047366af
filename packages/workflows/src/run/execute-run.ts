import type { Mutex, UserSemaphore } from "@rowhouse/limits";
import { conclude } from "../effect/carry-out.ts";
import type { EffectDeps } from "../effect/effect-deps.ts";
import type { Flight } from "../effect/flight.ts";
import { runEffect } from "../effect/run-effect.ts";
import { executeAsGone } from "../model/missing-user.ts";
import { type Claim, LeaseLost, type Outcome, runFailed } from "../model/run.ts";
import { isTrial } from "../model/test-options.ts";
import { mockAnswer } from "../trial/mock-answer.ts";
import { executeTrial, interruptedTrial } from "./execute-trial.ts";
import { type Executed, Execution, type ExecutionDeps } from "./execution.ts";
import type { Hold } from "./keep-lease.ts";
import { runTimedOut, TimeLimit } from "./time-limit.ts";
import type { VersionCache } from "./version-cache.ts";
import type { JournalWriter } from "./write-journal.ts";

export interface ExecuteRunDeps extends EffectDeps, Pick<ExecutionDeps, "attemptMaxMs" | "report"> {
  readonly versions: VersionCache;
  readonly journal: JournalWriter;
  readonly watched: Mutex;
  readonly trials: UserSemaphore;
  readonly tracing?: RunTracing | undefined;
}

/** The limit of expired leases in a row: the first for any reason, the others while the run was computing. */
const lostLeasesMax = 2;

/** The limit of claims without parking or ending; a run that exceeds it would never end. */
const claimsMax = 100;

/**
 * Executes a claimed run to its end, or until it only waits.
 *
 * @throws LeaseLost, and AppError SERVICE_UNAVAILABLE if the database is unreachable; another claim then continues the
 * run
 */
export async function executeRun(
  deps: ExecuteRunDeps,
  claim: Claim,
  hold: Hold,
): Promise<Executed> {
  const trace = traceClaim(deps.tracing, claim);
  let executed: Executed | undefined;
  try {
    executed = await execute(deps, claim, hold, trace);
    return executed;
  } finally {
    trace?.end(executed);
  }
}

async function execute(
  deps: ExecuteRunDeps,
  claim: Claim,
  hold: Hold,
  trace: RunTrace | undefined,
): Promise<Executed> {
  const end = async (outcome: Outcome | undefined): Promise<Executed> => {
    const { ended } = await deps.journal.write(deps.database, {
      runId: claim.runId,
      fence: claim.fence,
      entries: [],
      outcome,
      cancellableAfter: outcome === undefined ? 0 : undefined,
    });
    if (ended === undefined) throw new Error("the end of a run was not written");
    return { kind: "ENDED", ended };
  };
  if (claim.cancelRequested) return end(undefined);
  const refusal = refusalOf(claim);
  if (refusal !== undefined) return end(refusal);
  const definition = await deps.versions.load(claim.versionId);
  const leftMs = definition.timeLimitSeconds * 1000 - claim.ageMs;
  if (leftMs <= 0) return end(runTimedOut());
  if (hold.lost.aborted) throw new LeaseLost("Another worker holds the run");
  if (isTrial(claim.testOptions)) {
    const interrupted = interruptedTrial(claim);
    if (interrupted !== undefined) return end(interrupted);
    return executeTrial(deps, claim, hold, definition, leftMs);
  }
  const execution = new Execution(deps, claim, hold, new TimeLimit(leftMs));
  const carryOut = (flight: Flight) => {
    const mock = mockAnswer(claim.testOptions, flight.request.step.id);
    if (mock !== undefined) return conclude(deps, flight, mock);
    return runEffect(deps, claim, flight, definition.secrets);
  };
  return execution.run(
    definition,
    trace === undefined ? carryOut : (flight) => trace.step(flight, carryOut),
  );
}

function refusalOf(claim: Claim): Outcome | undefined {
  if (claim.executeAs === "GONE") {
    return { status: "FAILED", result: null, error: executeAsGone };
  }
  if (claim.executeAs === "INACTIVE") {
    return runFailed("EXECUTE_AS_INACTIVE", "The user this run executes as is not active");
  }
  if (claim.lostLeases >= lostLeasesMax) {
    const message =
      "Two workers stopped, or were frozen, while they computed the next step of this run";
    return runFailed("RUN_STALLED", message);
  }
  if (claim.claims > claimsMax) {
    return runFailed("RUN_ABANDONED", "The run was started many times and never reached its end");
  }
  return undefined;
}

/** Starts spans; `openTracing` of @rowhouse/service returns one that sends them to a collector. */
export interface RunTracing {
  begin(
    name: string,
    begin: {
      readonly kind: "CONSUMER" | "INTERNAL";
      readonly parent?: string | null;
      readonly attributes: Readonly<Record<string, string | number>>;
    },
  ): Span;
}

interface Span {
  /** The parent of the spans within this one (W3C `traceparent`). */
  readonly traceParent: string;
  end(end: {
    readonly attributes?: Readonly<Record<string, string>>;
    readonly failed: boolean;
  }): void;
}

/** The trace of one claim, within the trace of its run. */
interface RunTrace {
  /** Carries out an effect in a span of its own. */
  step(flight: Flight, carryOut: (flight: Flight) => Promise<void>): Promise<void>;
  /** @param executed the result of the claim; undefined if it was lost */
  end(executed: Executed | undefined): void;
}

/**
 * Starts the span of a claim, under the request or the run that started the run. Returns undefined without tracing.
 */
function traceClaim(tracing: RunTracing | undefined, claim: Claim): RunTrace | undefined {
  if (tracing === undefined) return undefined;
  const { runId, workflowId, fence } = claim;
  const run = tracing.begin("run", {
    kind: "CONSUMER",
    parent: claim.traceParent,
    attributes: {
      "rowhouse.run.id": runId,
      "rowhouse.workflow.id": workflowId,
      "rowhouse.run.fence": fence,
    },
  });
  return {
    step: (flight, carryOut) => traceStep(tracing, run, flight, carryOut),
    end: (executed) => {
      const status =
        executed?.kind === "ENDED" ? executed.ended.status : (executed?.kind ?? "LOST");
      const failed = executed === undefined || status === "FAILED";
      run.end({ attributes: { "rowhouse.run.status": status }, failed });
    },
  };
}

async function traceStep(
  tracing: RunTracing,
  run: Span,
  flight: Flight,
  carryOut: (flight: Flight) => Promise<void>,
): Promise<void> {
  const { step, path, attempt } = flight.request;
  const span = tracing.begin(`step ${step.kind}`, {
    kind: "INTERNAL",
    parent: run.traceParent,
    attributes: { "rowhouse.step.path": path, "rowhouse.step.attempt": attempt },
  });
  let failed = true;
  try {
    await carryOut({
      ...flight,
      resume: async (queryable, answer) => {
        await flight.resume(queryable, answer);
        failed = answer.kind === "FAULT";
      },
    });
  } finally {
    span.end({ failed });
  }
}
