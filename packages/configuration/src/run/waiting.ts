import { nestedDatabase } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import { type Step, stepOrder, type World } from "../model/part.ts";

/**
 * Runs steps in their order. One that creates an object and fails because something is missing waits for the next turn, since
 * another one may create that: a function can name a table whose default calls the function.
 */
export class WaitingSteps {
  readonly #run: (step: Step) => Promise<void>;
  readonly #onFailure: (step: Step, error: unknown) => void;
  #waiting: { readonly step: Step; readonly error: AppError }[] = [];
  #order = 0;

  /**
   * @param run runs a step; a failure leaves nothing of it
   * @param onFailure receives a failure of a step that does not wait, or has waited in vain
   */
  constructor(run: (step: Step) => Promise<void>, onFailure: (step: Step, error: unknown) => void) {
    this.#run = run;
    this.#onFailure = onFailure;
  }

  /** Call it before each step that has another order than the one before, and at the end. */
  async begin(order: number): Promise<void> {
    if (this.#waiting.length > 0) await this.#again();
    if (order >= stepOrder.resources && this.#order < stepOrder.resources) this.giveUp();
    this.#order = order;
  }

  async run(step: Step): Promise<void> {
    try {
      await this.#run(step);
    } catch (error) {
      if (mayWait(step) && isAbsence(error)) this.#waiting.push({ step, error });
      else this.#onFailure(step, error);
    }
  }

  /** Runs the steps that wait, until a turn helps none of them. */
  async #again(): Promise<void> {
    for (let before = Number.POSITIVE_INFINITY; this.#waiting.length < before; ) {
      const waiting = this.#waiting;
      before = waiting.length;
      this.#waiting = [];
      for (const { step } of waiting) await this.run(step);
    }
  }

  /** Reports the steps that still wait. */
  giveUp(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { step, error } of waiting) this.#onFailure(step, error);
  }
}

/** Whether a step creates what others may need. */
export function mayWait({ order, kind, preview }: Step): boolean {
  const isCreating = order >= stepOrder.schemas && order < stepOrder.resources;
  return isCreating && preview === undefined && /^(?:sql|table|view)\./.test(kind);
}

function isAbsence(error: unknown): error is AppError {
  return (
    error instanceof AppError &&
    error.status < 500 &&
    error.faults.every(({ details }) => details?.missing === true)
  );
}

/** Runs a step in a savepoint; what a failed one has said for the audit log is gone with it. */
export async function runInSavepoint(
  world: World,
  step: Step,
  isConsented: (consent: string) => boolean,
): Promise<void> {
  const { collected } = world.actor;
  const before = collected?.length ?? 0;
  try {
    const { database } = world;
    await database.transaction((transaction) =>
      step.run({ ...world, database: nestedDatabase(database, transaction) }, isConsented),
    );
  } catch (error) {
    collected?.splice(before);
    throw error;
  }
}
