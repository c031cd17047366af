import { randomUUID } from "node:crypto";
import { type Database, type KeyedRequest, toAppError } from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import type { RateLimit } from "@rowhouse/limits";
import type { EndedRun } from "../model/run.ts";
import { type HandOff, wakeForRun } from "../queue/hand-off.ts";
import type { WakeUpQueue } from "../queue/wake-up-queue.ts";
import type { RunWaiter } from "../reply/run-waiter.ts";
import type { Acceptance, AcceptedRun, AcceptRun, CallPermit } from "../run/accept-run.ts";
import { requestCancellation } from "../run/cancel-run.ts";
import type { LoadWebhook, Webhook } from "./load-webhook.ts";
import { type ReadDeps, readCall, readEarly } from "./read-call.ts";
import { permitOf, type RememberedCalls } from "./remembered-calls.ts";
import { acceptOnce } from "./repeated-call.ts";
import {
  type AcceptedCall,
  type AuthenticatedCall,
  type AuthenticatedCaller,
  type ReadCall,
  settingsFor,
  type UnreadCall,
  type WebhookCaller,
  type WebhookRequest,
} from "./webhook-call.ts";

// The states of a call (webhook-call.ts), and the checks that lead from one to the next:
//
//   UNREAD ──────────▶ AUTHENTICATED ────────────▶ READ ─────▶ ACCEPTED ──▶ answer
//     │    workflow          ▲    │  body size       │  run        now, or after the end of the run
//     │    method            │    │  signature       │  written
//     │    rate | credential │    │  key             │
//     │           grant      │    │  body            └──▶ UNREAD: another version was published
//     │                      │    │  query
//     └── remembered ────────┘    └──▶ UNREAD: a remembered call that is invalid
//
// A remembered call skips the checks before AUTHENTICATED: the statement that writes its run proves them.

/** What calls of a process need. */
export interface WebhookDeps extends AcceptDeps {
  readonly rememberedCalls: RememberedCalls;
  readonly rateLimit: Pick<RateLimit, "check">;
  /**
   * Returns the caller of the header `Authorization`.
   *
   * @throws AppError AUTHENTICATION_REQUIRED
   */
  readonly authenticate: (authorization: string | null) => Promise<AuthenticatedCaller>;
  /** Receives the caller of each remembered call that was proven. */
  readonly recordProven: (caller: WebhookCaller) => void;
}

/** What a call needs once its caller is known. */
export interface AcceptDeps extends ReadDeps {
  readonly database: Database;
  readonly queue: Pick<WakeUpQueue, "wake">;
  readonly handOff: Pick<HandOff, "offer" | "reserve">;
  readonly loadWebhook: LoadWebhook;
  readonly acceptRun: AcceptRun;
  readonly waiter: RunWaiter;
}

/** A response whose body is JSON text. */
export interface WebhookAnswer {
  readonly status: 200 | 202;
  readonly body: string;
  /** Whether the call's `Idempotency-Key` belongs to a run that existed before. */
  readonly isRepeated: boolean;
}

/**
 * Handles one call of a webhook.
 *
 * @throws AppError WORKFLOW_NOT_FOUND, RATE_LIMIT_EXCEEDED, AUTHENTICATION_REQUIRED, ACTION_DENIED,
 * WORKFLOW_WEBHOOK_INVALID_PAYLOAD, IDEMPOTENCY_CONFLICT, WORKFLOW_SYNC_TIMEOUT with `meta.run`
 */
export async function acceptWebhook(
  deps: WebhookDeps,
  request: WebhookRequest,
): Promise<WebhookAnswer> {
  const remembered = await acceptRemembered(deps, request);
  if (remembered !== undefined) return answer(deps, remembered);
  let unread: UnreadCall = { state: "UNREAD", request, isCounted: false, caller: undefined };
  return untilAccepted(deps, async () => {
    const call = await authenticate(deps, unread);
    const isCounted = unread.isCounted || call.caller === undefined;
    unread = { ...unread, isCounted, caller: unread.caller ?? call.caller };
    return call;
  });
}

/**
 * Repeats a call until its run is written: if another version is published before that, the call is checked against
 * that version.
 *
 * @throws AppError as `acceptWebhook`
 */
export async function untilAccepted(
  deps: AcceptDeps,
  check: () => Promise<AuthenticatedCall>,
): Promise<WebhookAnswer> {
  for (let attempt = 1; attempt <= versionsMax; attempt += 1) {
    const authenticated = await check();
    const read = await readCall(deps, authenticated);
    const accepted = await accept(deps, read);
    if (accepted !== undefined) return answer(deps, accepted);
  }
  throw notFound();
}

/** The limit of versions that one call is checked against. */
const versionsMax = 10;

/** UNREAD → AUTHENTICATED. Checks, in this order: workflow, method, and rate or credential and grant. */
async function authenticate(deps: WebhookDeps, call: UnreadCall): Promise<AuthenticatedCall> {
  const { request, isCounted } = call;
  const webhook = await deps.loadWebhook(request.slug);
  if (webhook === undefined || webhook.trigger.method !== request.method) throw notFound();
  if (webhook.trigger.access === "PUBLIC") {
    if (!isCounted) await deps.rateLimit.check(request.ip);
    if (webhook.trigger.executeAs === null) throw notFound();
    return { state: "AUTHENTICATED", request, webhook, caller: undefined };
  }
  const caller = call.caller ?? (await deps.authenticate(request.authorization));
  // Administrators also need the grant.
  const mayInvoke = caller.roleIds.some((id) => webhook.invokeRoleIds.includes(id));
  if (!mayInvoke) throw createError("ACTION_DENIED");
  remember(deps, request, webhook, caller);
  return { state: "AUTHENTICATED", request, webhook, caller };
}

/**
 * READ → ACCEPTED. Writes the run and starts it, or finds the run that the call's key belongs to.
 *
 * @returns undefined if the workflow is disabled or has published another version, or the permit does not hold
 */
async function accept(deps: AcceptDeps, call: ReadCall): Promise<AcceptedCall | undefined> {
  const { waiter } = deps;
  const run = runOf(deps, call);
  const isAwaited = run.replyChannel !== null;
  const expectation = isAwaited ? waiter.expect(run.id) : undefined;
  const accepted = { ...call, state: "ACCEPTED" } as const;
  try {
    const begun = await (call.keyed === null
      ? begin(deps, run, call.permit)
      : beginOnce(deps, call.keyed, run));
    if (begun?.isNew === true)
      return { ...accepted, runId: run.id, expectation, isRepeated: false };
    expectation?.forget();
    if (begun === undefined) return undefined;
    const ofFirst = isAwaited ? waiter.expectAccepted(begun.id) : undefined;
    return { ...accepted, runId: begun.id, expectation: ofFirst, isRepeated: true };
  } catch (error) {
    expectation?.forget();
    const known = error instanceof AppError ? error : toAppError(error);
    // The workflow was deleted meanwhile.
    throw known.code === "FOREIGN_KEY_VIOLATION" ? notFound() : known;
  }
}

/** ACCEPTED → answer. @throws AppError WORKFLOW_SYNC_TIMEOUT with `meta.run` */
async function answer(
  deps: Pick<AcceptDeps, "database" | "settings">,
  call: AcceptedCall,
): Promise<WebhookAnswer> {
  const { request, runId, expectation, isRepeated } = call;
  if (expectation === undefined) {
    return { status: 202, body: `{"data":{"run":"${runId}"}}`, isRepeated };
  }
  const { waitSeconds, onTimeout } = call.webhook.trigger;
  const settings = call.settings ?? (await settingsFor(deps.settings, call));
  const waitMs = Math.min(waitSeconds * 1000, settings["workflows.max_sync_wait_ms"]);
  const ended = await expectation.ended(waitMs, request.signal);
  if (ended !== undefined) return { status: 200, body: renderEndedRun(ended), isRepeated };
  // A caller that disconnects does not cancel the run.
  if (onTimeout === "CANCEL" && request.signal?.aborted !== true) {
    await requestCancellation(deps.database, runId);
  }
  throw createError("WORKFLOW_SYNC_TIMEOUT", { meta: { run: runId } });
}

/** Returns `{ data: { id, status, result, error } }`. Steps are never part of it. */
export function renderEndedRun(
  run: Omit<EndedRun, "status"> & { readonly status: string },
): string {
  return `{"data":{"id":"${run.id}","status":"${run.status}","result":${run.result ?? "null"},"error":${run.error ?? "null"}}}`;
}

/**
 * Accepts the run of a call that was authorized before, if the accepting statement proves that nothing has changed:
 * workflow, version, credential, rights and invoke grant.
 *
 * @returns undefined if the call must be checked in order, which also determines the error of an invalid call
 */
async function acceptRemembered(
  deps: WebhookDeps,
  request: WebhookRequest,
): Promise<AcceptedCall | undefined> {
  const { slug, credential } = request;
  if (credential === undefined) return undefined;
  const known = deps.rememberedCalls.find(slug, credential);
  if (known === undefined || known.webhook.trigger.method !== request.method) return undefined;
  const read = await readEarly(deps, { state: "AUTHENTICATED", request, ...known });
  if (read === undefined) return undefined;
  const accepted = await accept(deps, read);
  if (accepted === undefined) deps.rememberedCalls.forget(slug, credential);
  else deps.recordProven(known.caller);
  return accepted;
}

function remember(
  { rememberedCalls }: WebhookDeps,
  { slug, credential }: WebhookRequest,
  webhook: Webhook,
  { proof, ...caller }: AuthenticatedCaller,
): void {
  const permit = proof && permitOf(slug, webhook, caller, proof);
  if (permit === undefined || credential === undefined) return;
  rememberedCalls.keep(slug, credential, { webhook, caller, permit });
}

function runOf({ waiter }: AcceptDeps, call: ReadCall): AcceptedRun {
  const { request, webhook, caller, input } = call;
  const { trigger, workflowId, versionId, priority } = webhook;
  const executeAsUserId = trigger.executeAs ?? caller?.userId;
  if (executeAsUserId === undefined) throw notFound();
  return {
    id: randomUUID(),
    workflowId,
    versionId,
    input,
    callerUserId: caller?.userId ?? null,
    executeAsUserId,
    token: caller?.token ?? null,
    replyChannel: trigger.response === "SYNCHRONOUS" ? waiter.channel : null,
    requestId: request.requestId,
    traceParent: request.traceParent ?? null,
    priority,
  };
}

interface Begun {
  readonly id: string;
  readonly isNew: boolean;
}

async function begin(
  deps: Pick<AcceptDeps, "acceptRun" | "handOff" | "queue">,
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
  deps: Pick<AcceptDeps, "database" | "handOff" | "queue">,
  keyed: KeyedRequest,
  run: AcceptedRun,
): Promise<Begun | undefined> {
  const accepted = await acceptOnce(deps.database, keyed, run);
  if (accepted?.isNew === true) wakeForRun(deps, run.id, run.priority);
  return accepted;
}

/** The same error for an unknown, unpublished or disabled workflow, one without a webhook, and a wrong method. */
function notFound(): AppError {
  return createError("WORKFLOW_NOT_FOUND");
}
