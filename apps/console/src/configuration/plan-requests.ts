import { type AdminOperations, type Fault, RowhouseError } from "@rowhouse/client";
import { client } from "../shell/client.ts";
import type { Plan } from "./configuration-queries.ts";

type PlanData = AdminOperations["POST /configuration/plan"]["data"];
type ApplyData = AdminOperations["POST /configuration/apply"]["data"];

/** After this time the service answers although it still works, so that no proxy cuts the connection; in seconds. */
const wait = 20;
const pauseMs = 1000;

/** Makes a plan, for as long as the service works on it. @throws RowhouseError */
export async function planFiles(data: PlanData, signal: AbortSignal): Promise<Plan> {
  const begun = await client.admin.post("/configuration/plan", { data: { ...data, wait }, signal });
  const plan = await untilEnd(begun.data, "PLANNING", signal);
  if (plan.state === "FAILED" && plan.attempts === 0) throw failureOf(plan);
  return plan;
}

/**
 * Applies a plan, for as long as the service works on it. If an answer is lost, the stored plan says what has become of it.
 *
 * @returns the number of steps
 * @throws RowhouseError
 */
export async function applyPlanned(
  plan: Plan,
  data: Omit<ApplyData, "planId" | "digest">,
): Promise<number> {
  const { planId, digest } = plan;
  let failure: unknown;
  try {
    const body = { ...data, planId, digest, wait };
    const { state, steps } = (await client.admin.post("/configuration/apply", { data: body })).data;
    if (state === "APPLIED") return steps;
  } catch (error) {
    const isLost = error instanceof RowhouseError && (error.status === 0 || error.status >= 500);
    if (!isLost) throw error;
    failure = error;
  }
  const end = await untilEnd(await read(planId), "APPLYING");
  if (end.state === "APPLIED") return end.steps.length;
  throw end.attempts > plan.attempts ? failureOf(end) : failure;
}

async function read(planId: string, signal?: AbortSignal): Promise<Plan> {
  const path = { id: planId };
  const options = signal === undefined ? { path } : { path, signal };
  return (await client.admin.get("/configuration/plans/{id}", options)).data;
}

async function untilEnd(begun: Plan, state: Plan["state"], signal?: AbortSignal): Promise<Plan> {
  let plan = begun;
  while (plan.state === state) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    plan = await read(plan.planId, signal);
  }
  return plan;
}

/** Returns the error that the request would have got. */
function failureOf({ errors }: Plan): RowhouseError {
  const [first = noReason, ...rest]: readonly Fault[] = errors ?? [];
  const request = { method: "POST", path: "/admin/api/configuration", status: 400 };
  return new RowhouseError({ ...request, faults: [first, ...rest] });
}

const noReason: Fault = { code: "INTERNAL_ERROR", message: "The service gave no reason" };
