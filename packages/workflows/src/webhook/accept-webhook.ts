import { randomUUID } from "node:crypto";
import { type Database, toAppError } from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import type { RateLimit } from "@rowhouse/rate-limit";
import { toJson } from "../base/json.ts";
import type { WebhookTrigger } from "../definition/definition.ts";
import type { EndedRun } from "../model/run.ts";
import type { RunToken } from "../model/run-token.ts";
import { type HandOff, wakeForRun } from "../queue/hand-off.ts";
import type { WakeUpQueue } from "../queue/wake-up-queue.ts";
import type { Expectation } from "../reply/expected-runs.ts";
import type { RunWaiter } from "../reply/run-waiter.ts";
import type { Acceptance, AcceptedRun, AcceptRun } from "../run/accept-run.ts";
import { requestCancellation } from "../run/cancel-run.ts";
import type { SecretReader } from "../secrets/secret-reader.ts";
import { checkSignature, deliveryKey } from "./check-signature.ts";
import type { LoadWebhook, Webhook } from "./load-webhook.ts";
import { redactBody, redactHeaders, redactQuery } from "./redact-input.ts";
import { acceptOnce, fingerprintOf, type KeyedCall } from "./repeated-call.ts";
import { inputJson, parseWebhookBody, parseWebhookQuery } from "./webhook-input.ts";

/** The caller of a webhook. */
export interface WebhookCaller {
  readonly userId: string;
  readonly roleIds: readonly string[];
  /** The personal access token of the request, which the run keeps. Omitted or null for a session. */
  readonly token?: RunToken | null;
}

export interface WebhookDeps {
  readonly database: Database;
  readonly loadWebhook: LoadWebhook;
  readonly rateLimit: Pick<RateLimit, "check">;
  readonly queue: Pick<WakeUpQueue, "wake">;
  readonly handOff: Pick<HandOff, "offer" | "reserve">;
  readonly acceptRun: AcceptRun;
  readonly waiter: RunWaiter;
  readonly secrets: SecretReader;
  /** Returns milliseconds since 1970; this process' clock by default. */
  readonly now?: () => number;
  readonly settings: () => WebhookSettings | Promise<WebhookSettings>;
}

export interface WebhookSettings {
  /** `workflows.max_sync_wait_ms`. */
  readonly maxSyncWaitMs: number;
}

export interface WebhookRequest {
  readonly slug: string;
  readonly method: string;
  /** The query string, with or without its question mark. */
  readonly search: string;
  /** Every header of the caller, without internal ones. */
  readonly headers: Readonly<Record<string, string>>;
  readonly ip: string;
  readonly requestId: string | null;
  /** The position of the request in a trace (W3C `traceparent`). */
  readonly traceParent?: string | undefined;
  /** Returns the idempotency key; throws QUERY_INVALID. Called only after authorization. */
  readonly idempotencyKey: () => string | null;
  /** Called only after authorization: the body of a rejected request is not read. */
  readonly readBody: () => Promise<Uint8Array>;
  /** Called only for an authenticated webhook; throws AUTHENTICATION_REQUIRED. */
  readonly authenticate: () => Promise<WebhookCaller>;
  /** Aborts when the caller disconnects; the run continues. */
  readonly signal?: AbortSignal;
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
  return callWebhook(deps, request, webhook, await requireInvoker(webhook, request));
}

/** A call whose sender was authorized. */
export type AuthorizedCall = Omit<WebhookRequest, "slug" | "authenticate">;

/**
 * Accepts the run of an authorized call and waits for it as the workflow configures.
 *
 * @param caller undefined for a public webhook
 * @returns undefined if another version was published before the run was written
 * @throws AppError as `acceptWebhook`
 */
export async function callWebhook(
  deps: Omit<WebhookDeps, "rateLimit">,
  request: AuthorizedCall,
  webhook: Webhook,
  caller: WebhookCaller | undefined,
): Promise<WebhookAnswer | undefined> {
  const { trigger } = webhook;
  const executeAsUserId = trigger.executeAs ?? caller?.userId;
  if (executeAsUserId === undefined) throw notFound();
  const { input, call } = await readCall(deps, request, trigger);
  const isSynchronous = trigger.response === "SYNCHRONOUS";
  const accepted = await accept(
    deps,
    {
      id: randomUUID(),
      workflowId: webhook.workflowId,
      versionId: webhook.versionId,
      input,
      callerUserId: caller?.userId ?? null,
      executeAsUserId,
      token: caller?.token ?? null,
      replyChannel: isSynchronous ? deps.waiter.channel : null,
      requestId: request.requestId,
      traceParent: request.traceParent ?? null,
      priority: webhook.priority,
    },
    call,
  );
  return accepted === undefined ? undefined : answerOf(deps, request, trigger, accepted);
}

interface ReadCall {
  /** JSON: the run's `start.data`. */
  readonly input: string;
  /** Null for a call without an idempotency key. */
  readonly call: KeyedCall | null;
}

/** @throws AppError AUTHENTICATION_REQUIRED for an invalid signature, and the errors of an invalid query or body */
async function readCall(
  deps: Pick<WebhookDeps, "secrets" | "now">,
  request: AuthorizedCall,
  trigger: WebhookTrigger,
): Promise<ReadCall> {
  const sent = trigger.method === "POST" ? await request.readBody() : nothing;
  const { signature } = trigger;
  if (signature !== null) {
    const now = deps.now?.() ?? Date.now();
    await checkSignature(deps.secrets, signature, { headers: request.headers, body: sent }, now);
  }
  // A signed delivery id has precedence over a header that anyone who has seen the call could change.
  const own = signature === null ? null : deliveryKey(signature, request.headers);
  const key = own ?? request.idempotencyKey();
  const body = trigger.method === "POST" ? parseWebhookBody(sent) : null;
  const data = {
    query: redactQuery(parseWebhookQuery(request.search), trigger.redactQuery),
    body: redactBody(body, trigger.redactBody),
  };
  // No digest of redacted values is stored either.
  const isWhole = trigger.redactQuery.length === 0 && trigger.redactBody.length === 0;
  const fingerprint = () =>
    isWhole
      ? fingerprintOf(request.method, request.search, sent)
      : fingerprintOf(request.method, toJson(data), nothing);
  const call = key === null ? null : { key, fingerprint: fingerprint() };
  const headers = redactHeaders(request.headers, trigger);
  return { input: inputJson({ ...data, meta: { ip: request.ip, headers } }), call };
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

const nothing = new Uint8Array();

interface Accepted {
  readonly id: string;
  /** Set for a caller that waits. */
  readonly expectation: Expectation | undefined;
  readonly isRepeated: boolean;
}

/**
 * Accepts the run and starts it, or finds the run that the call's key belongs to.
 *
 * @returns undefined if the workflow is disabled or has published another version
 */
async function accept(
  deps: Pick<WebhookDeps, "database" | "waiter" | "acceptRun" | "handOff" | "queue">,
  run: AcceptedRun,
  call: KeyedCall | null,
): Promise<Accepted | undefined> {
  const { waiter } = deps;
  const isAwaited = run.replyChannel !== null;
  const expectation = isAwaited ? waiter.expect(run.id) : undefined;
  try {
    const accepted = await (call === null ? begin(deps, run) : beginOnce(deps, call, run));
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
  deps: Pick<WebhookDeps, "acceptRun" | "handOff" | "queue">,
  run: AcceptedRun,
): Promise<Begun | undefined> {
  const slot = deps.handOff.reserve();
  let acceptance: Acceptance | undefined;
  try {
    acceptance = await deps.acceptRun({ run, slot });
  } finally {
    if (acceptance?.kind !== "HELD") slot?.free();
  }
  if (acceptance === undefined) return undefined;
  if (acceptance.kind === "HELD") slot?.hold(acceptance.claim);
  else wakeForRun(deps, run.id, run.priority);
  return { id: run.id, isNew: true };
}

async function beginOnce(
  deps: Pick<WebhookDeps, "database" | "handOff" | "queue">,
  call: KeyedCall,
  run: AcceptedRun,
): Promise<Begun | undefined> {
  const accepted = await acceptOnce(deps.database, call, run);
  if (accepted?.isNew === true) wakeForRun(deps, run.id, run.priority);
  return accepted;
}

/** Returns `{ data: { id, status, result, error } }`. Steps are never part of it. */
export function renderEndedRun(
  run: Omit<EndedRun, "status"> & { readonly status: string },
): string {
  return `{"data":{"id":"${run.id}","status":"${run.status}","result":${run.result ?? "null"},"error":${run.error ?? "null"}}}`;
}

async function requireInvoker(webhook: Webhook, request: WebhookRequest): Promise<WebhookCaller> {
  const caller = await request.authenticate();
  // Administrators also need the grant.
  const mayInvoke = caller.roleIds.some((id) => webhook.invokeRoleIds.includes(id));
  if (!mayInvoke) throw createError("ACTION_DENIED");
  return caller;
}

/** The same error for an unknown, unpublished or disabled workflow, one without a webhook, and a wrong method. */
function notFound(): AppError {
  return createError("WORKFLOW_NOT_FOUND");
}
