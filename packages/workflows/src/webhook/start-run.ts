import { type Database, toAppError } from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import { type HandOff, wakeForRun } from "../queue/hand-off.ts";
import type { WakeUpQueue } from "../queue/wake-up-queue.ts";
import type { Expectation } from "../reply/expected-runs.ts";
import type { RunWaiter } from "../reply/run-waiter.ts";
import type { Acceptance, AcceptedRun, AcceptRun, CallPermit } from "../run/accept-run.ts";
import { acceptOnce, type KeyedCall } from "./repeated-call.ts";

export interface StartDeps {
  readonly database: Database;
  readonly queue: Pick<WakeUpQueue, "wake">;
  readonly handOff: Pick<HandOff, "offer" | "reserve">;
  readonly acceptRun: AcceptRun;
  readonly waiter: RunWaiter;
}

export interface Accepted {
  readonly id: string;
  /** Set for a caller that waits. */
  readonly expectation: Expectation | undefined;
  readonly isRepeated: boolean;
}

/**
 * Accepts the run and starts it, or finds the run that the call's key belongs to.
 *
 * @param permit for a call without a key
 * @returns undefined if the workflow is disabled or has published another version, or the permit does not hold
 */
export async function accept(
  deps: StartDeps,
  run: AcceptedRun,
  call: KeyedCall | null,
  permit?: CallPermit,
): Promise<Accepted | undefined> {
  const { waiter } = deps;
  const isAwaited = run.replyChannel !== null;
  const expectation = isAwaited ? waiter.expect(run.id) : undefined;
  try {
    const accepted = await (call === null ? begin(deps, run, permit) : beginOnce(deps, call, run));
    if (accepted?.isNew === true) return { id: run.id, expectation, isRepeated: false };
    expectation?.forget();
    if (accepted === undefined) return undefined;
    const { id } = accepted;
    return { id, expectation: isAwaited ? waiter.expectAccepted(id) : undefined, isRepeated: true };
  } catch (error) {
    expectation?.forget();
    const known = error instanceof AppError ? error : toAppError(error);
    // The workflow was deleted meanwhile.
    throw known.code === "FOREIGN_KEY_VIOLATION" ? notFound() : known;
  }
}

interface Begun {
  readonly id: string;
  readonly isNew: boolean;
}

async function begin(
  deps: Pick<StartDeps, "acceptRun" | "handOff" | "queue">,
  run: AcceptedRun,
  permit: CallPermit | undefined,
): Promise<Begun | undefined> {
  const slot = deps.handOff.reserve();
  let acceptance: Acceptance | undefined;
  try {
    acceptance = await deps.acceptRun({ run, slot, permit });
  } finally {
    if (acceptance?.kind !== "HELD") slot?.free();
  }
  if (acceptance === undefined) return undefined;
  if (acceptance.kind === "HELD") slot?.hold(acceptance.claim);
  else wakeForRun(deps, run.id, run.priority);
  return { id: run.id, isNew: true };
}

async function beginOnce(
  deps: Pick<StartDeps, "database" | "handOff" | "queue">,
  call: KeyedCall,
  run: AcceptedRun,
): Promise<Begun | undefined> {
  const accepted = await acceptOnce(deps.database, call, run);
  if (accepted?.isNew === true) wakeForRun(deps, run.id, run.priority);
  return accepted;
}

/** The same error for an unknown, unpublished or disabled workflow, one without a webhook, and a wrong method. */
export function notFound(): AppError {
  return createError("WORKFLOW_NOT_FOUND");
}
