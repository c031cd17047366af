import { setTimeout as sleep } from "node:timers/promises";
import { type Database, type Queryable, toAppError } from "@rowhouse/db";
import type { EffectStep } from "../definition/definition.ts";
import type { JsonObject } from "../json.ts";
import type { AllowedHosts } from "../outgoing/address-guard.ts";
import type { ListRowsInput, RowEngine } from "../row-engine.ts";
import { isRepeatable, runHttpStep } from "./http-step.ts";
import {
  checkOutput,
  type EffectOutcome,
  type EffectRequest,
  type Interpretation,
} from "./interpret.ts";
import {
  type Claim,
  type JournalEntry,
  LeaseLost,
  type Outcome,
  type TerminalStatus,
} from "./run.ts";
import { isTransient, RunFault } from "./run-fault.ts";
import { writeJournal } from "./write-journal.ts";

export interface EffectDeps {
  readonly database: Database;
  readonly rows: RowEngine;
  /** Hosts that steps may reach although their address is not public. */
  readonly allowedHosts: () => AllowedHosts | Promise<AllowedHosts>;
}

/** What follows from an effect once it is in the journal. */
export type Advanced =
  | { readonly kind: "ENDED"; readonly status: TerminalStatus }
  | { readonly kind: "NEXT"; readonly next: IteratorResult<EffectRequest, Outcome> };

type StepOf<Kind extends EffectStep["kind"]> = Extract<EffectStep, { kind: Kind }>;

/** How often a row is tried again at once after a deadlock or a failed serialization. */
const retriesMax = 3;

/**
 * Carries one effect out and writes everything that follows from it up to the next effect.
 *
 * @throws LeaseLost, and AppError SERVICE_UNAVAILABLE
 */
export async function runEffect(
  deps: EffectDeps,
  claim: Claim,
  interpretation: Interpretation,
  request: EffectRequest,
  lost: AbortSignal,
): Promise<Advanced> {
  const { step } = request;
  switch (step.kind) {
    case "createRow":
      return createRow(deps, claim, interpretation, step, request);
    case "listRows": {
      const input = listRowsInput(step, request.input);
      const outcome = await capture(() => deps.rows.listRows(input, claim.executeAsUserId));
      return advance(deps.database, claim, interpretation, outcome);
    }
    case "httpRequest":
      return sendHttp(deps, claim, interpretation, step, request, lost);
    default:
      return step satisfies never;
  }
}

/** The statement that writes under a claim's fencing number. */
export function writeUnder(queryable: Queryable, claim: Claim) {
  return (
    entries: readonly JournalEntry[],
    outcome: Outcome | undefined,
    cancellableAfter: number | undefined,
  ): Promise<TerminalStatus | undefined> =>
    writeJournal(queryable, {
      runId: claim.runId,
      fence: claim.fence,
      entries,
      outcome,
      cancellableAfter,
    });
}

/** The row, its journal entry, the pure steps after it and, where they reach it, the run's end: one transaction. */
async function createRow(
  deps: EffectDeps,
  claim: Claim,
  interpretation: Interpretation,
  step: StepOf<"createRow">,
  request: EffectRequest,
): Promise<Advanced> {
  const input = {
    schema: step.schema,
    table: step.table,
    values: request.input.values as JsonObject,
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await deps.database.transaction(async (transaction) => {
        const outcome = await capture(() =>
          deps.rows.createRow(input, claim.executeAsUserId, transaction),
        );
        // Out of the transaction, so that what the row did is undone before the fault is written.
        if (outcome.kind === "FAULT") throw new EffectFault(outcome);
        return advance(transaction, claim, interpretation, outcome);
      });
    } catch (error) {
      if (error instanceof EffectFault) {
        return advance(deps.database, claim, interpretation, error.outcome);
      }
      // The machine has not moved as long as the row itself was what failed; else the next claim reads what was written.
      if (!(error instanceof TransientFault)) throw error;
      if (attempt > retriesMax) throw error.reason;
      await sleep(25 * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}

async function sendHttp(
  deps: EffectDeps,
  claim: Claim,
  interpretation: Interpretation,
  step: StepOf<"httpRequest">,
  { input, path, position, started }: EffectRequest,
  lost: AbortSignal,
): Promise<Advanced> {
  if (started && !isRepeatable(step)) {
    const error = new RunFault(
      "STEP_OUTCOME_UNKNOWN",
      "The request was sent, and the worker stopped before it knew the answer",
    );
    return advance(deps.database, claim, interpretation, { kind: "FAULT", error });
  }
  if (!started) {
    const before = interpretation.pending.splice(0);
    const intent: JournalEntry = {
      path,
      position,
      kind: step.kind,
      status: "STARTED",
      output: null,
      error: null,
      startedAt: Date.now(),
      finishedAt: null,
    };
    const write = writeUnder(deps.database, claim);
    const status = await write([...before, intent], undefined, before.length);
    if (status !== undefined) return { kind: "ENDED", status };
  }
  const allowed = await deps.allowedHosts();
  const outcome = await capture(() =>
    runHttpStep(step, input, `${claim.runId}:${path}`, allowed, lost),
  );
  if (lost.aborted) throw new LeaseLost("Another worker holds the run");
  return advance(deps.database, claim, interpretation, outcome);
}

/** Passes an effect's outcome to the machine and writes all that follows from it up to the next effect. */
async function advance(
  queryable: Queryable,
  claim: Claim,
  interpretation: Interpretation,
  outcome: EffectOutcome,
): Promise<Advanced> {
  const inProgress = interpretation.pending.length + 1;
  const next = interpretation.steps.next(outcome);
  const entries = interpretation.pending.splice(0);
  const end = next.done === true ? next.value : undefined;
  const isLast = end !== undefined && (entries.length === inProgress || end.status === "FAILED");
  const write = writeUnder(queryable, claim);
  const status = await write(entries, end, isLast ? undefined : inProgress);
  return status === undefined ? { kind: "NEXT", next } : { kind: "ENDED", status };
}

/** @throws TransientFault where a later attempt may succeed */
async function capture(work: () => Promise<unknown>): Promise<EffectOutcome> {
  try {
    const output = await work();
    checkOutput(output);
    return { kind: "OUTPUT", output };
  } catch (error) {
    const known = error instanceof RunFault ? error : toAppError(error);
    if (isTransient(known)) throw new TransientFault(known);
    return { kind: "FAULT", error: known };
  }
}

/** Leaves a transaction with a fault that is to be written. */
class EffectFault extends Error {
  override readonly name = "EffectFault";
  readonly outcome: EffectOutcome;

  constructor(outcome: EffectOutcome) {
    super("The effect failed");
    this.outcome = outcome;
  }
}

/** Leaves a transaction with a fault that may pass. */
class TransientFault extends Error {
  override readonly name = "TransientFault";
  readonly reason: unknown;

  constructor(reason: unknown) {
    super("The effect may succeed later", { cause: reason });
    this.reason = reason;
  }
}

function listRowsInput(step: StepOf<"listRows">, input: JsonObject): ListRowsInput {
  return {
    schema: step.schema,
    table: step.table,
    ...(step.fields === undefined ? {} : { fields: step.fields }),
    ...(step.where === undefined ? {} : { where: input.where }),
    ...(step.orderBy === undefined ? {} : { orderBy: step.orderBy }),
    ...(step.limit === undefined ? {} : { limit: step.limit }),
  };
}
