import { randomUUID } from "node:crypto";
import type { Database } from "@rowhouse/db";
import { outcomeWithin } from "@rowhouse/limits";
import { type DocumentOptions, readDocuments } from "../documents/read-documents.ts";
import type { Missing } from "../model/part.ts";
import { parts } from "../parts/parts.ts";
import { readBuild } from "./build.ts";
import { compare } from "./compare.ts";
import { rolledBackGivingWay } from "./give-way.ts";
import { describeSteps } from "./plan-answer.ts";
import type { Files } from "./read-configuration.ts";
import { rehearse } from "./rehearse.ts";
import { failPlan, type Plan, type PlanAnswer, storePlan, touchPlanning } from "./stored-plans.ts";
import { type Caller, openWorld, planMs } from "./transaction.ts";
import type { Turns } from "./turns.ts";

export interface PlanOptions {
  /** Ends the plan and its transaction. */
  readonly signal?: AbortSignal | undefined;
  /**
   * After how many milliseconds the plan is answered although it is still being made: its caller then asks for it by its id,
   * and the plan ends if the caller stops asking. Without it, the plan is answered once it is made.
   */
  readonly waitMs?: number | undefined;
  /** Where the plan waits for others. */
  readonly turns?: Turns | undefined;
}

/**
 * Plans the changes that make the configuration what the files say. It changes nothing. Its transaction has a connection of
 * its own.
 *
 * @param files texts by path
 * @throws AppError with every fault at its file, line and column; SERVICE_UNAVAILABLE, also after `signal`; RATE_LIMIT_EXCEEDED
 */
export async function planConfiguration(
  database: Database,
  files: Files,
  options: DocumentOptions,
  caller: Caller,
  { signal, waitMs, turns }: PlanOptions = {},
): Promise<Plan> {
  const planId = randomUUID();
  const release = await turns?.begin(caller.actor.userId, signal);
  const left = new AbortController();
  const onLeft = () => left.abort(signal?.reason);
  if (signal?.aborted === true) onLeft();
  else signal?.addEventListener("abort", onLeft, { once: true });
  const making = make(database, planId, files, options, caller, left.signal).finally(release);
  if (waitMs === undefined || (await outcomeWithin(waitMs, making)) !== "LATE") {
    return making.finally(() => signal?.removeEventListener("abort", onLeft));
  }
  // From here on, the end of the request is not the end of the caller.
  signal?.removeEventListener("abort", onLeft);
  void watch(database, planId, making, left);
  await storePlan(database, planId, caller.actor.userId, await readBuild());
  return planOf(planId, "PLANNING", "", {
    steps: [],
    missing: [],
    notes: [],
    notInTransaction: [],
  });
}

async function make(
  database: Database,
  planId: string,
  files: Files,
  options: DocumentOptions,
  caller: Caller,
  signal: AbortSignal | undefined,
): Promise<Plan> {
  const documents = await readDocuments(files, parts, options);
  const beside: Pick<Database, "transaction"> = {
    transaction: (work) => database.stage(work, { timeoutMs: planMs, signal }),
  };
  const { steps, ahead, digest, missing, notes } = await rolledBackGivingWay(
    database,
    beside,
    async (transaction) => {
      const world = await openWorld(database, transaction, caller);
      const found = await compare(world, documents);
      const isWhole = found.ahead.length === 0;
      return {
        ...{ digest: found.digest, missing: found.missing, notes: found.notes },
        steps: await rehearse(world, found.steps, documents, isWhole),
        ahead: await rehearse(world, found.ahead, documents, true),
      };
    },
  );
  const needed = steps.filter(({ step }) => step.isOptional !== true);
  const consents = [...new Set(needed.flatMap((step) => step.consents))];
  const inFile = (one: Missing) => ({ ...one, document: documents.fileOf(one.document) });
  const answer = {
    steps: await describeSteps(steps, documents),
    missing: missing.map(inFile),
    notes: notes.map(inFile),
    notInTransaction: ahead.flatMap(({ preview }) => preview.sql),
  };
  const content = { files, options, digest, consents };
  const { userId } = caller.actor;
  await storePlan(database, planId, userId, await readBuild(), { content, answer });
  return planOf(planId, "PLANNED", digest, answer);
}

function planOf(planId: string, state: Plan["state"], digest: string, answer: PlanAnswer): Plan {
  const progress = { attempts: 0, done: null, current: null, applyId: null, errors: null };
  return { planId, state, digest, ...answer, ...progress };
}

const heartbeatMs = 5_000;

/** Says until a plan is made that it is being made, and ends it once its caller has stopped asking. */
async function watch(
  database: Database,
  planId: string,
  making: Promise<Plan>,
  left: AbortController,
): Promise<void> {
  while ((await outcomeWithin(heartbeatMs, making)) === "LATE") {
    const isLeft = await touchPlanning(database, planId).catch(() => false);
    if (isLeft) left.abort(new Error("The caller has stopped asking for the plan"));
  }
  await making.catch((error: unknown) => failPlan(database, planId, error)).catch(() => {});
}
