import { setTimeout as sleep } from "node:timers/promises";
import {
  type Database,
  poolOf,
  type Queryable,
  readPostgresFailure,
  toAppError,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { isTransient, RunFault, stepTimeout } from "../base/run-fault.ts";
import { checkOutput } from "../interpret/run-bounds.ts";
import type { EffectAnswer } from "../interpret/wait.ts";
import { type Claim, LeaseLost } from "../model/run.ts";
import { explainUnknownCaller } from "../model/run-token.ts";
import type { Flight } from "./flight.ts";

interface OnDatabase {
  readonly database: Database;
}

/** Immediate retries of an effect on rows after a deadlock or a serialization failure. */
const retriesMax = 3;

/**
 * Databases in which a deferred constraint has failed a commit. Only their effects check such constraints before it,
 * because that takes one more round trip.
 */
const deferring = new WeakSet<Database>();

/**
 * One transaction holds the effect, its journal entry, the computed steps after it and, if they reach it, the end of
 * the run.
 *
 * @param pool of the login that the effect needs; by default of the one that keeps the schema `system`
 */
export async function inTransaction(
  deps: OnDatabase,
  flight: Flight,
  work: (transaction: Queryable) => Promise<EffectAnswer>,
  pool: Database = deps.database,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await flight.exclusively((enter) =>
        pool
          .transaction(async (transaction) => {
            const answer = await capture(flight, async () => {
              const { timeoutMs } = flight.request.step;
              if (timeoutMs !== undefined) await limitStatements(transaction, timeoutMs);
              const found = await work(transaction);
              if (deferring.has(pool)) await checkConstraints(transaction);
              return found;
            });
            // Roll back first, so that the writes of the effect are undone before the fault is recorded.
            if (answer.kind === "FAULT") throw new EffectFault(answer);
            await enter();
            await flight.resume(transaction, answer);
          })
          .catch((error: unknown) => repeatIfDeferred(pool, error)),
      );
      return;
    } catch (error) {
      if (error instanceof EffectFault) return conclude(deps, flight, error.answer);
      // Retry only if the effect itself failed: the state machine has not moved. Otherwise the next claim reads the
      // journal.
      if (!(error instanceof TransientFault)) throw error;
      if (attempt > retriesMax) throw error.reason;
      await sleep(25 * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}

/** Checks the deferred constraints of a transaction now. */
export async function checkConstraints(transaction: Queryable): Promise<void> {
  await transaction.query("set constraints all immediate");
}

/**
 * Throws SERVICE_UNAVAILABLE for the first commit that a deferred constraint has failed: the state machine has moved
 * already, so the next claim repeats the step, and then finds the fault before it moves. Throws any other error again.
 */
function repeatIfDeferred(database: Database, error: unknown): never {
  const isViolation = readPostgresFailure(error)?.code.startsWith("23") === true;
  if (!isViolation || deferring.has(database)) throw error;
  deferring.add(database);
  throw createError("SERVICE_UNAVAILABLE", { cause: error });
}

/** Carries out an effect that writes rows of the system schema. */
export function write(
  deps: OnDatabase,
  flight: Flight,
  work: (on: Queryable) => Promise<unknown>,
  pool: Database = deps.database,
): Promise<void> {
  return inTransaction(deps, flight, async (on) => outputOf(await work(on)), pool);
}

/** Records which run writes, so that events of its rows have their cause. */
export function writeRowsOfRun(
  deps: OnDatabase,
  { runId, token }: Claim,
  flight: Flight,
  { schema, work }: RowWork,
): Promise<void> {
  const writeRows = async (on: Queryable) => {
    // Sent without waiting: one connection runs its statements in order.
    const [, output] = await Promise.all([
      on.query("select set_config('rowhouse.run', $1::text, true)", [runId], { prepare: true }),
      work(on).catch((error: unknown) => explainUnknownCaller(deps.database, token, error)),
    ]);
    return output;
  };
  return write(deps, flight, writeRows, poolOf(deps.database, schema));
}

/** A write of rows of one schema. */
export interface RowWork {
  readonly schema: string;
  readonly work: (on: Queryable) => Promise<unknown>;
}

/** Carries out an effect that only reads. */
export async function read(
  deps: OnDatabase,
  { token }: Claim,
  flight: Flight,
  work: (on: Queryable | undefined) => Promise<unknown>,
): Promise<void> {
  const { timeoutMs } = flight.request.step;
  const answer = await capture(flight, async () => {
    const find = (on?: Queryable) =>
      work(on).catch((error: unknown) => explainUnknownCaller(deps.database, token, error));
    if (timeoutMs === undefined) return outputOf(await find());
    return deps.database.service.transaction(async (transaction) => {
      await limitStatements(transaction, timeoutMs);
      return outputOf(await find(transaction));
    });
  });
  return conclude(deps, flight, answer);
}

/** Records the outcome of an effect outside any transaction. */
export function conclude(deps: OnDatabase, flight: Flight, answer: EffectAnswer): Promise<void> {
  return flight.exclusively(async (enter) => {
    await enter();
    await flight.resume(deps.database, answer);
  });
}

/** @throws RunFault OUTPUT_TOO_LARGE, OUTPUT_TOO_DEEP */
export function outputOf(output: unknown): Extract<EffectAnswer, { kind: "OUTPUT" }> {
  checkOutput(output);
  return { kind: "OUTPUT", output };
}

async function limitStatements(transaction: Queryable, timeoutMs: number): Promise<void> {
  await transaction.query("select set_config('statement_timeout', $1::text, true)", [
    String(timeoutMs),
  ]);
}

/**
 * Turns errors into faults.
 *
 * @throws TransientFault if a later attempt may succeed, LeaseLost if this process may have been frozen past its lease
 */
export async function capture(
  flight: Flight,
  work: () => Promise<EffectAnswer>,
): Promise<EffectAnswer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    const known = error instanceof RunFault ? error : toAppError(error);
    if (isTransient(known)) throw new TransientFault(known);
    if (known.code !== "QUERY_TIMEOUT") return { kind: "FAULT", error: known };
    // A statement's timeout, like the lease, runs on while the process is frozen.
    flight.checkLease();
    const { timeoutMs } = flight.request.step;
    return { kind: "FAULT", error: timeoutMs === undefined ? known : stepTimeout() };
  }
}

/** Rolls a transaction back with a fault to record. */
class EffectFault extends Error {
  override readonly name = "EffectFault";
  readonly answer: EffectAnswer;

  constructor(answer: EffectAnswer) {
    super("The effect failed");
    this.answer = answer;
  }
}

/** Rolls a transaction back with a fault that may not recur. */
class TransientFault extends Error {
  override readonly name = "TransientFault";
  readonly reason: unknown;

  constructor(reason: unknown) {
    super("The effect may succeed later", { cause: reason });
    this.reason = reason;
  }
}
