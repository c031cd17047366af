import { setTimeout as sleep } from "node:timers/promises";
import { type Database, type Queryable, toAppError } from "@rowhouse/db";
import type { JsonObject } from "../base/json.ts";
import { isTransient, RunFault, stepTimeout } from "../base/run-fault.ts";
import type { EffectStep, Priority } from "../definition/definition.ts";
import { isRepeatable } from "../interpret/retry.ts";
import { checkOutput } from "../interpret/run-bounds.ts";
import type { Answer } from "../interpret/wait.ts";
import { type Claim, LeaseLost } from "../model/run.ts";
import { explainUnknownCaller, requireToken } from "../model/run-token.ts";
import type { HostRules } from "../outgoing/address-guard.ts";
import type { SecretReader } from "../secrets/secret-reader.ts";
import type { Flight } from "./flight.ts";
import { runHttpStep } from "./http-step.ts";
import { mailOf } from "./mail-step.ts";
import type { RowEngine } from "./row-engine.ts";
import { deleteRowsInput, getRowInput, listRowsInput, updateRowsInput } from "./row-input.ts";
import { acceptChildRun } from "./start-child.ts";

export interface EffectDeps {
  readonly database: Database;
  readonly rows: RowEngine;
  /** The hosts that steps may reach. */
  readonly hostRules: () => HostRules | Promise<HostRules>;
  readonly mails: RunMails;
  readonly secrets: SecretReader;
  /** Wakes a worker for a run that was just accepted. */
  readonly wakeRun: (runId: string, priority: Priority) => void;
}

/** The outbox of mails. */
export interface RunMails {
  /** Adds a mail to the outbox, in the given transaction. */
  put(transaction: Queryable, mail: RunMail): Promise<void>;
  /** Signals new mails in the outbox. Call it after the commit. */
  wake(): void;
}

export interface RunMail {
  readonly runId: string;
  /** Identifies the mail among those of the run. */
  readonly about: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
}

type StepOf<Kind extends EffectStep["kind"]> = Extract<EffectStep, { kind: Kind }>;

/** Immediate retries of an effect on rows after a deadlock or a serialization failure. */
const retriesMax = 3;

/**
 * Carries out one effect and writes all entries that follow from it, up to the next effects.
 *
 * @param secretNames the secrets that steps of this definition use
 * @throws LeaseLost, and AppError SERVICE_UNAVAILABLE
 */
export async function runEffect(
  deps: EffectDeps,
  claim: Claim,
  flight: Flight,
  secretNames: readonly string[],
): Promise<void> {
  const { step, input } = flight.request;
  const { rows } = deps;
  const { token } = claim;
  const as = { userId: claim.executeAsUserId, tokenId: token?.id ?? null };
  switch (step.kind) {
    case "createRow": {
      const { schema, table } = step;
      const values = input.values as JsonObject;
      return writeRows(deps, claim, flight, (on) =>
        rows.createRow({ schema, table, values }, as, on),
      );
    }
    case "updateRows":
      return writeRows(deps, claim, flight, (on) =>
        rows.updateRows(updateRowsInput(step, input), as, on),
      );
    case "deleteRows":
      return writeRows(deps, claim, flight, (on) =>
        rows.deleteRows(deleteRowsInput(step, input), as, on),
      );
    case "listRows":
      return read(deps, claim, flight, (on) => rows.listRows(listRowsInput(step, input), as, on));
    case "getRow":
      return read(deps, claim, flight, (on) => rows.getRow(getRowInput(step, input), as, on));
    case "runWorkflow":
      return startChild(deps, claim, flight, step);
    case "sendEmail":
      await write(deps, flight, async (on) => {
        await requireToken(on, token);
        return putMails(deps.mails, on, claim.runId, flight.request);
      });
      return deps.mails.wake();
    case "httpRequest":
      return sendHttp(deps, claim, flight, step, secretNames);
    default:
      return step satisfies never;
  }
}

/**
 * One transaction holds the effect, its journal entry, the computed steps after it and, if they reach it, the end of
 * the run.
 */
async function inTransaction(
  deps: Pick<EffectDeps, "database">,
  flight: Flight,
  work: (transaction: Queryable) => Promise<Answer>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await flight.exclusively((enter) =>
        deps.database.transaction(async (transaction) => {
          const answer = await capture(flight, async () => {
            const { timeoutMs } = flight.request.step;
            if (timeoutMs !== undefined) await limitStatements(transaction, timeoutMs);
            return work(transaction);
          });
          // Roll back first, so that the writes of the effect are undone before the fault is recorded.
          if (answer.kind === "FAULT") throw new EffectFault(answer);
          await enter();
          await flight.advance(transaction, answer);
        }),
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

function write(
  deps: EffectDeps,
  flight: Flight,
  work: (on: Queryable) => Promise<unknown>,
): Promise<void> {
  return inTransaction(deps, flight, async (on) => outputOf(await work(on)));
}

/** Records which run writes, so that events of its rows have their cause. */
function writeRows(
  deps: EffectDeps,
  { runId, token }: Claim,
  flight: Flight,
  work: (on: Queryable) => Promise<unknown>,
): Promise<void> {
  return write(deps, flight, async (on) => {
    // Sent without waiting: one connection runs its statements in order.
    const [, output] = await Promise.all([
      on.query("select set_config('rowhouse.run', $1::text, true)", [runId], { prepare: true }),
      work(on).catch((error: unknown) => explainUnknownCaller(deps.database, token, error)),
    ]);
    return output;
  });
}

/** Adds one mail for each recipient, so that a failed delivery affects no other recipient. */
async function putMails(
  mails: RunMails,
  on: Queryable,
  runId: string,
  { input, path }: Flight["request"],
): Promise<unknown> {
  const letter = mailOf(input);
  for (const [index, to] of letter.to.entries()) {
    await mails.put(on, { ...letter, to, runId, about: `run ${runId} ${path} ${index}` });
  }
  return { to: letter.to };
}

async function read(
  deps: EffectDeps,
  { token }: Claim,
  flight: Flight,
  work: (on: Queryable | undefined) => Promise<unknown>,
): Promise<void> {
  const { timeoutMs } = flight.request.step;
  const answer = await capture(flight, async () => {
    const find = (on?: Queryable) =>
      work(on).catch((error: unknown) => explainUnknownCaller(deps.database, token, error));
    if (timeoutMs === undefined) return outputOf(await find());
    return deps.database.transaction(async (transaction) => {
      await limitStatements(transaction, timeoutMs);
      return outputOf(await find(transaction));
    });
  });
  return conclude(deps, flight, answer);
}

async function startChild(
  deps: EffectDeps,
  claim: Claim,
  flight: Flight,
  step: StepOf<"runWorkflow">,
): Promise<void> {
  let runId = "";
  await inTransaction(deps, flight, async (transaction) => {
    await requireToken(transaction, claim.token);
    runId = await acceptChildRun(transaction, claim, step.workflow, flight.request.input.input);
    return step.wait ? { kind: "CHILD", runId } : outputOf({ run: runId });
  });
  // The same priority as the parent, which may wait for it.
  if (runId !== "") deps.wakeRun(runId, claim.priority);
}

async function sendHttp(
  deps: EffectDeps,
  claim: Claim,
  flight: Flight,
  step: StepOf<"httpRequest">,
  secretNames: readonly string[],
): Promise<void> {
  const { request, signal } = flight;
  if (request.started && !isRepeatable(step)) {
    const error = new RunFault(
      "STEP_OUTCOME_UNKNOWN",
      "The request was sent, but the worker stopped before it recorded the response",
    );
    return conclude(deps, flight, { kind: "FAULT", error });
  }
  // Read before the intent is recorded: if the database is unreachable, no request has an unknown outcome.
  const [secrets, rules, refused] = await Promise.all([
    deps.secrets.load(secretNames),
    deps.hostRules(),
    requireToken(deps.database, claim.token).catch(faultOf),
  ]);
  if (refused !== undefined) return conclude(deps, flight, refused);
  if (!request.started) {
    const mayBegin = await flight.exclusively(async (enter) => {
      await enter();
      return flight.begin();
    });
    if (!mayBegin) return;
  }
  const key = `${claim.runId}:${request.path}`;
  flight.checkLease();
  const answer = await capture(flight, async () =>
    outputOf(await runHttpStep(step, request, secrets, key, rules, signal)),
  );
  return conclude(deps, flight, answer);
}

function faultOf(error: unknown): Answer {
  if (error instanceof RunFault) return { kind: "FAULT", error };
  throw error;
}

/** Records the outcome of an effect outside any transaction. */
function conclude(
  deps: Pick<EffectDeps, "database">,
  flight: Flight,
  answer: Answer,
): Promise<void> {
  return flight.exclusively(async (enter) => {
    await enter();
    await flight.advance(deps.database, answer);
  });
}

function outputOf(output: unknown): Answer {
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
async function capture(flight: Flight, work: () => Promise<Answer>): Promise<Answer> {
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
  readonly answer: Answer;

  constructor(answer: Answer) {
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
