import { setTimeout as sleep } from "node:timers/promises";
import { type AdminOperations, type Client, type Fault, RowhouseError } from "@rowhouse/client";
import { CommandError } from "../../base/command-error.ts";
import type { Plan } from "./exit-code.ts";
import { exitCodes } from "./exit-code.ts";

type PlanData = AdminOperations["POST /configuration/plan"]["data"];
type ApplyData = AdminOperations["POST /configuration/apply"]["data"];
type AppliedPlan = AdminOperations["POST /configuration/apply"]["answer"]["data"];

/** After this time the service answers although it still works, so that no proxy cuts the connection; in seconds. */
const wait = 20;
const pauseMs = 1_000;
const pauseMaxMs = 10_000;
/** How often a plan is asked for whose answer was lost: it changes nothing. */
const planTriesMax = 5;

/**
 * Makes a plan, for as long as the service works on it.
 *
 * @throws RowhouseError, also with the faults of a plan that the service makes after its answer
 */
export async function makePlanOf(
  client: Client,
  data: PlanData,
  patienceMs: number,
): Promise<Plan> {
  const until = Date.now() + patienceMs;
  let tries = 1;
  let plan: Plan | undefined;
  while (plan === undefined) {
    try {
      plan = (await client.admin.post("/configuration/plan", { data: { ...data, wait } })).data;
    } catch (error) {
      if (isBusy(error) && Date.now() < until) {
        await sleep(retryMs(error));
        continue;
      }
      if (!isLost(error) || isUnreachable(error) || tries === planTriesMax) throw error;
      await sleep(pauseMs * tries);
      tries += 1;
    }
  }
  return untilMade(client, plan, patienceMs);
}

/**
 * Reads a plan that is made, as the service has stored it.
 *
 * @throws RowhouseError, also with the faults of a plan that was not made
 */
export async function readMade(client: Client, planId: string, patienceMs: number): Promise<Plan> {
  return untilMade(client, await askForPlan(client, planId, patienceMs), patienceMs);
}

async function untilMade(client: Client, begun: Plan, patienceMs: number): Promise<Plan> {
  let plan = begun;
  while (plan.state === "PLANNING") {
    await sleep(pauseMs);
    plan = await askForPlan(client, plan.planId, patienceMs);
  }
  // A plan that was made has errors only of an apply.
  if (plan.state === "FAILED" && plan.attempts === 0) throw failureOf(plan, "plan");
  return completed(plan);
}

/** Returns a plan with the lists that the answer of another version may lack. */
function completed({ missing = [], ...plan }: Plan): Plan {
  const steps = plan.steps.map(({ changes = [], moreChanges = 0, isOptional = false, ...step }) => {
    const whole = changes.map((change) => ({ ...{ diff: null, leftOut: 0 }, ...change }));
    return { ...step, changes: whole, moreChanges, isOptional };
  });
  return { ...plan, missing, steps };
}

/** Reads a plan; asks again while the service cannot be reached. @throws RowhouseError */
async function askForPlan(client: Client, planId: string, patienceMs: number): Promise<Plan> {
  const until = Date.now() + patienceMs;
  for (let pause = pauseMs; ; pause = Math.min(pause * 2, pauseMaxMs)) {
    try {
      const path = { id: planId };
      return (await client.admin.get("/configuration/plans/{id}", { path })).data;
    } catch (error) {
      if (!isLost(error) || Date.now() + pause > until) throw error;
      await sleep(pause);
    }
  }
}

/**
 * Applies a plan, for as long as the service works on it. If an answer is lost, the stored plan says what has become of it;
 * a plan is applied once, so that the request can be sent again if it has not arrived.
 *
 * @param plan as it was last read
 * @throws RowhouseError; CommandError with the exit code for a lost answer
 */
export async function applyOnce(
  client: Client,
  plan: Plan,
  data: Omit<ApplyData, "planId" | "digest">,
  patienceMs: number,
): Promise<AppliedPlan> {
  const { planId, digest } = plan;
  let until = Date.now() + patienceMs;
  for (let pause = pauseMs; ; pause = Math.min(pause * 2, pauseMaxMs)) {
    try {
      const body = { ...data, planId, digest, wait };
      const applied = (await client.admin.post("/configuration/apply", { data: body })).data;
      if (applied.state === "APPLIED") return applied;
      until = Date.now() + patienceMs;
    } catch (error) {
      if (isBusy(error)) {
        if (Date.now() > until) throw error;
        await sleep(retryMs(error));
        continue;
      }
      if (!isLost(error) && !isBeingApplied(error)) throw error;
    }
    const end = await readEnd(client, plan, patienceMs);
    if (end.state === "APPLIED") {
      const { applyId, steps } = end;
      return { planId, state: "APPLIED", applyId, steps: steps.length, isRepeated: false };
    }
    if (end.attempts > plan.attempts) throw failureOf(end, "apply");
    // The request has not arrived.
    if (Date.now() + pause > until) throw lost(planId, "the service has not received it");
    await sleep(pause);
  }
}

/** Returns a plan once no apply of it is in progress. @throws CommandError if that cannot be learned */
async function readEnd(client: Client, { planId }: Plan, patienceMs: number): Promise<Plan> {
  for (;;) {
    let plan: Plan;
    try {
      plan = await askForPlan(client, planId, patienceMs);
    } catch (error) {
      throw lost(planId, error instanceof Error ? error.message : String(error));
    }
    if (plan.state !== "APPLYING") return plan;
    await sleep(pauseMs);
  }
}

function lost(planId: string, reason: string): CommandError {
  return new CommandError(
    `The answer was lost (${reason}), and whether the plan was applied is unknown. Ask again: rowhouse apply --plan ${planId} --yes`,
    exitCodes.lost,
  );
}

/** Returns the error that the request would have got. */
function failureOf({ errors }: Plan, work: "plan" | "apply"): RowhouseError {
  const [first = noReason, ...rest] = errors ?? [];
  return new RowhouseError({
    ...{ method: "POST", path: `/admin/api/configuration/${work}`, faults: [first, ...rest] },
    status: first.code === "SERVICE_UNAVAILABLE" ? 503 : 400,
  });
}

const noReason: Fault = { code: "INTERNAL_ERROR", message: "The service gave no reason" };

/** Whether the service may have done what was asked: no response, one of a proxy, or a failure of the service. */
function isLost(error: unknown): error is RowhouseError {
  if (!(error instanceof RowhouseError)) return false;
  return error.status === 0 || error.status >= 500 || error.code === "RESPONSE_INVALID";
}

function isBusy(error: unknown): error is RowhouseError {
  return error instanceof RowhouseError && error.status === 429;
}

function retryMs({ retryAfterSeconds = 5 }: RowhouseError): number {
  return retryAfterSeconds * 1000;
}

function isBeingApplied(error: unknown): boolean {
  if (!(error instanceof RowhouseError) || error.code !== "CONFLICT") return false;
  return error.faults.some(({ details }) => details?.state === "APPLYING");
}

/** Whether no connection was opened. */
function isUnreachable({ cause }: RowhouseError): boolean {
  const reason = cause instanceof Error ? cause.cause : undefined;
  const code = reason instanceof Error && "code" in reason ? reason.code : undefined;
  return ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"].includes(String(code));
}
