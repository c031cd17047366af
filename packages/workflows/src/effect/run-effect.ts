import type { RunActor } from "@rowhouse/access";
import type { Queryable } from "@rowhouse/db";
import { RunFault } from "../base/run-fault.ts";
import type { EffectStep } from "../definition/definition.ts";
import { isRepeatable } from "../interpret/retry.ts";
import type { EffectAnswer } from "../interpret/wait.ts";
import type { Claim } from "../model/run.ts";
import { requireToken } from "../model/run-token.ts";
import {
  capture,
  conclude,
  inTransaction,
  outputOf,
  read,
  write,
  writeRowsOfRun,
} from "./carry-out.ts";
import { createFile } from "./create-file.ts";
import type { EffectDeps } from "./effect-deps.ts";
import type { Flight } from "./flight.ts";
import { runHttpStep } from "./http-step.ts";
import { mailOf } from "./mail-step.ts";
import { describeAttachments } from "./read-file.ts";
import { readWork, writeWork } from "./row-work.ts";
import { acceptChildRun } from "./start-child.ts";

type StepOf<Kind extends EffectStep["kind"]> = Extract<EffectStep, { kind: Kind }>;

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
  const { token } = claim;
  const as = { userId: claim.executeAsUserId, tokenId: token?.id ?? null };
  switch (step.kind) {
    case "createRow":
    case "updateRows":
    case "deleteRows":
      return writeRowsOfRun(deps, claim, flight, writeWork(deps.rows, step, input, as));
    case "listRows":
    case "getRow":
    case "readFile":
      return read(deps, claim, flight, readWork(deps, step, input, as));
    case "runWorkflow":
      return startChild(deps, claim, flight, step);
    case "sendEmail":
      await write(deps, flight, async (on) => {
        await requireToken(on, token);
        return putMails(deps, on, claim.runId, flight.request, as);
      });
      return deps.mails.wake();
    case "renderDocument":
    case "storeFile":
      return createFile(deps, claim, flight, step, as);
    case "httpRequest":
      return sendHttp(deps, claim, flight, step, secretNames);
    default:
      return step satisfies never;
  }
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

function faultOf(error: unknown): EffectAnswer {
  if (error instanceof RunFault) return { kind: "FAULT", error };
  throw error;
}

/** Adds one mail for each recipient, so that a failed delivery affects no other recipient. */
async function putMails(
  { mails, files }: EffectDeps,
  on: Queryable,
  runId: string,
  { input, path }: Flight["request"],
  as: RunActor,
): Promise<unknown> {
  const letter = mailOf(input);
  const attachments = await describeAttachments(files, letter.attachments, as);
  for (const [index, to] of letter.to.entries()) {
    const about = `run ${runId} ${path} ${index}`;
    await mails.put(on, { ...letter, attachments, as, to, runId, about });
  }
  return { to: letter.to };
}
