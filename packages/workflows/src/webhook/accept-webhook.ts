import { randomUUID } from "node:crypto";
import { type Database, toAppError } from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import type { RateLimit } from "@rowhouse/limits";
import type { WebhookTrigger } from "../definition/definition.ts";
import type { EndedRun } from "../model/run.ts";
import { type HandOff, wakeForRun } from "../queue/hand-off.ts";
import type { WakeUpQueue } from "../queue/wake-up-queue.ts";
import type { Expectation } from "../reply/expected-runs.ts";
import type { RunWaiter } from "../reply/run-waiter.ts";
import type { Acceptance, AcceptedRun, AcceptRun, CallPermit } from "../run/accept-run.ts";
import { requestCancellation } from "../run/cancel-run.ts";
import type { LoadWebhook, Webhook } from "./load-webhook.ts";
import { type ReadDeps, readCall, readEarly } from "./read-call.ts";
import { permitOf, type RememberedCalls } from "./remembered-calls.ts";
import { acceptOnce, type KeyedCall } from "./repeated-call.ts";
import type {
  AuthenticatedCaller,
  AuthorizedCall,
  WebhookCaller,
  WebhookRequest,
} from "./webhook-request.ts";

export interface WebhookDeps extends StartDeps, ReadDeps {
  readonly loadWebhook: LoadWebhook;
  readonly rememberedCalls: RememberedCalls;
  readonly rateLimit: Pick<RateLimit, "check">;
  readonly settings: () => WebhookSettings | Promise<WebhookSettings>;
}

export interface WebhookSettings {
  /** `workflows.max_sync_wait_ms`. */
  readonly maxSyncWaitMs: number;
}

/** A response whose body is JSON text. */
export interface WebhookAnswer {
  readonly status: 200 | 202;
  readonly body: string;
  /** Whether the call's `Idempotency-Key` belongs to a run that existed before. */
  readonly isRepeated: boolean;
}

/**
 * Handles one call of a webhook. Checks, in this order: route, method, rate limit, credential and grant, signature,
 * body.
 *
 * @throws AppError WORKFLOW_NOT_FOUND, RATE_LIMIT_EXCEEDED, AUTHENTICATION_REQUIRED, ACTION_DENIED,
 * WORKFLOW_WEBHOOK_INVALID_PAYLOAD, IDEMPOTENCY_CONFLICT, WORKFLOW_SYNC_TIMEOUT with `meta.run`
 */
export async function acceptWebhook(
  deps: WebhookDeps,
  request: WebhookRequest,
): Promise<WebhookAnswer> {
  const asked = {
    ...request,
    readBody: once(request.readBody),
    authenticate: once(request.authenticate),
  };
  const answer = await callRemembered(deps, asked);
  if (answer !== undefined) return answer;
  const counted = { ...deps, rateLimit: { check: once(() => deps.rateLimit.check(request.ip)) } };
  return untilWritten(() => callPublished(counted, asked));
}

/**
 * Repeats a call until its run is written: if another version is published before that, the call is checked against
 * that version.
 *
 * @throws AppError WORKFLOW_NOT_FOUND
 */
export async function untilWritten(
  call: () => Promise<WebhookAnswer | undefined>,
): Promise<WebhookAnswer> {
  for (let attempt = 1; attempt <= versionsMax; attempt += 1) {
    const answer = await call();
    if (answer !== undefined) return answer;
  }
  throw notFound();
}

/** The limit of versions that one call is checked against. */
const versionsMax = 10;

function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

/** @returns undefined if another version was published before the run was written */
async function callPublished(
  deps: WebhookDeps,
  request: WebhookRequest,
): Promise<WebhookAnswer | undefined> {
  const webhook = await deps.loadWebhook(request.slug);
  if (webhook === undefined || webhook.trigger.method !== request.method) throw notFound();
  if (webhook.trigger.access === "PUBLIC") {
    await deps.rateLimit.check(request.ip);
    return callWebhook(deps, request, webhook, undefined);
  }
  const { proof, ...caller } = await requireInvoker(webhook, request);
  const permit = proof && permitOf(request.slug, webhook, caller, proof);
  if (permit !== undefined && request.remembered !== undefined) {
    const { credential } = request.remembered;
    deps.rememberedCalls.keep(request.slug, credential, { webhook, caller, permit });
  }
  return callWebhook(deps, request, webhook, caller);
}

/**
 * Accepts the run of a call that was authorized before, if the accepting statement proves that nothing has changed:
 * workflow, version, credential, rights and invoke grant.
 *
 * @returns undefined if the call must be checked in order, which also determines the error of an invalid call
 */
async function callRemembered(
  deps: WebhookDeps,
  request: WebhookRequest,
): Promise<WebhookAnswer | undefined> {
  const { slug, remembered } = request;
  if (remembered === undefined) return undefined;
  const known = deps.rememberedCalls.find(slug, remembered.credential);
  if (known === undefined || known.webhook.trigger.method !== request.method) return undefined;
  const { webhook, caller, permit } = known;
  const read = await readEarly(deps, request, remembered.readSmallBody, webhook.trigger);
  if (read === undefined) return undefined;
  const run = runOf(deps, request, webhook, caller, read.input);
  const accepted = run && (await accept(deps, run, null, permit));
  if (accepted === undefined) {
    deps.rememberedCalls.forget(slug, remembered.credential);
    return undefined;
  }
  remembered.onProven(caller);
  return answerOf(deps, request, webhook.trigger, accepted);
}

/**
 * Accepts the run of an authorized call and waits for it as the workflow configures.
 *
 * @param caller undefined for a public webhook
 * @returns undefined if another version was published before the run was written
 * @throws AppError as `acceptWebhook`
 */
export async function callWebhook(
  deps: Omit<WebhookDeps, "rateLimit" | "rememberedCalls">,
  request: AuthorizedCall,
  webhook: Webhook,
  caller: WebhookCaller | undefined,
): Promise<WebhookAnswer | undefined> {
  const { trigger } = webhook;
  if (trigger.executeAs === null && caller === undefined) throw notFound();
  const { input, call } = await readCall(deps, request, trigger);
  const run = runOf(deps, request, webhook, caller, input);
  const accepted = run && (await accept(deps, run, call));
  return accepted === undefined ? undefined : answerOf(deps, request, trigger, accepted);
}

/** @returns undefined without a user to execute as */
function runOf(
  { waiter }: Pick<WebhookDeps, "waiter">,
  request: AuthorizedCall,
  { trigger, ...webhook }: Webhook,
  caller: WebhookCaller | undefined,
  input: string,
): AcceptedRun | undefined {
  const executeAsUserId = trigger.executeAs ?? caller?.userId;
  if (executeAsUserId === undefined) return undefined;
  return {
    id: randomUUID(),
    workflowId: webhook.workflowId,
    versionId: webhook.versionId,
    input,
    callerUserId: caller?.userId ?? null,
    executeAsUserId,
    token: caller?.token ?? null,
    replyChannel: trigger.response === "SYNCHRONOUS" ? waiter.channel : null,
    requestId: request.requestId,
    traceParent: request.traceParent ?? null,
    priority: webhook.priority,
  };
}

/** @throws AppError WORKFLOW_SYNC_TIMEOUT with `meta.run` */
async function answerOf(
  deps: Pick<WebhookDeps, "database" | "settings">,
  request: Pick<WebhookRequest, "signal">,
  trigger: WebhookTrigger,
  { id, expectation, isRepeated }: Accepted,
): Promise<WebhookAnswer> {
  if (expectation === undefined) {
    return { status: 202, body: `{"data":{"run":"${id}"}}`, isRepeated };
  }

  const { maxSyncWaitMs } = await deps.settings();
  const waitMs = Math.min(trigger.waitSeconds * 1000, maxSyncWaitMs);
  const ended = await expectation.ended(waitMs, request.signal);
  if (ended !== undefined) return { status: 200, body: renderEndedRun(ended), isRepeated };
  // A caller that disconnects does not cancel the run.
  if (trigger.onTimeout === "CANCEL" && request.signal?.aborted !== true) {
    await requestCancellation(deps.database, id);
  }
  throw createError("WORKFLOW_SYNC_TIMEOUT", { meta: { run: id } });
}

/** Returns `{ data: { id, status, result, error } }`. Steps are never part of it. */
export function renderEndedRun(
  run: Omit<EndedRun, "status"> & { readonly status: string },
): string {
  return `{"data":{"id":"${run.id}","status":"${run.status}","result":${run.result ?? "null"},"error":${run.error ?? "null"}}}`;
}

async function requireInvoker(
  webhook: Webhook,
  request: WebhookRequest,
): Promise<AuthenticatedCaller> {
  const caller = await request.authenticate();
  // Administrators also need the grant.
  const mayInvoke = caller.roleIds.some((id) => webhook.invokeRoleIds.includes(id));
  if (!mayInvoke) throw createError("ACTION_DENIED");
  return caller;
}

interface StartDeps {
  readonly database: Database;
  readonly queue: Pick<WakeUpQueue, "wake">;
  readonly handOff: Pick<HandOff, "offer" | "reserve">;
  readonly acceptRun: AcceptRun;
  readonly waiter: RunWaiter;
}

interface Accepted {
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
async function accept(
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
function notFound(): AppError {
  return createError("WORKFLOW_NOT_FOUND");
}
