import type { ItemProof, KeyedRequest, SnapshotStore } from "@rowhouse/db";
import { type Settings, settingsOf } from "@rowhouse/settings";
import type { RunToken } from "../model/run-token.ts";
import type { Expectation } from "../reply/expected-runs.ts";
import type { CallPermit } from "../run/accept-run.ts";
import type { Webhook } from "./load-webhook.ts";

/** A call as received. Each state of the call adds what a step has found. */
export interface UnreadCall {
  readonly state: "UNREAD";
  readonly request: WebhookRequest;
  /** Whether the rate limit counts the call already: it was checked against a version that was replaced meanwhile. */
  readonly isCounted: boolean;
  /** Set if the credential was checked already. */
  readonly caller: AuthenticatedCaller | undefined;
}

/** The caller may start a run of this version. */
export interface AuthenticatedCall {
  readonly state: "AUTHENTICATED";
  readonly request: CallContent;
  readonly webhook: Webhook;
  /** Undefined for a public webhook. */
  readonly caller: AuthenticatedCaller | undefined;
  /** For a remembered call: what the accepting statement must still prove. */
  readonly permit?: CallPermit;
}

/** Signature, key, query and body are valid. */
export interface ReadCall extends Omit<AuthenticatedCall, "state"> {
  readonly state: "READ";
  /** JSON, redacted: the run's `start.data`. */
  readonly input: string;
  /** Null for a call without an idempotency key. */
  readonly keyed: KeyedRequest | null;
  /** Set if the body needed them. */
  readonly settings: WebhookSettings | undefined;
}

/** The run is committed. */
export interface AcceptedCall extends Omit<ReadCall, "state"> {
  readonly state: "ACCEPTED";
  readonly runId: string;
  /** Set for a caller that waits. */
  readonly expectation: Expectation | undefined;
  /** Whether the idempotency key belongs to a run that existed before. */
  readonly isRepeated: boolean;
}

export interface WebhookRequest extends CallContent {
  readonly slug: string;
  /** The header `Authorization`. Read only for an authenticated webhook. */
  readonly authorization: string | null;
  /** Identifies a credential of the right form; no text from which it can be restored. */
  readonly credential?: string | undefined;
}

/** The parts of a request that do not depend on who sent it. */
export interface CallContent {
  readonly method: string;
  /** The query string, with or without its question mark. */
  readonly search: string;
  /** Every header of the caller, without internal ones. */
  readonly headers: Readonly<Record<string, string>>;
  readonly ip: string;
  readonly requestId: string | null;
  /** The position of the request in a trace (W3C `traceparent`). */
  readonly traceParent?: string | undefined;
  /** The header `Idempotency-Key`, not yet checked. */
  readonly idempotencyKey: string | null;
  readonly body: CallBody;
  /** Aborts when the caller disconnects; the run continues. */
  readonly signal?: AbortSignal;
}

export interface CallBody {
  /** The declared size in bytes; null without one. */
  readonly declaredBytes: number | null;
  /**
   * Reads the body, or returns what was read before. The body of a rejected call is not read.
   *
   * @throws AppError BODY_TOO_LARGE, BODY_INVALID
   */
  read(bytesMax: number): Promise<Uint8Array>;
}

export interface WebhookCaller {
  readonly userId: string;
  readonly roleIds: readonly string[];
  /** The personal access token of the request, which the run keeps. Omitted or null for a session. */
  readonly token?: RunToken | null;
}

/** A caller with the proof of the rights, if a later call may use it. */
export type AuthenticatedCaller = WebhookCaller & { readonly proof?: ItemProof };

export type WebhookSettings = Pick<Settings, "limits.body_bytes" | "workflows.max_sync_wait_ms">;

/** Returns the cached settings, or settings that were current at a moment after the call. */
export type SettingsSource = Readonly<Record<"current" | "fresh", () => Promise<WebhookSettings>>>;

export function settingsIn(snapshots: Pick<SnapshotStore, "current" | "fresh">): SettingsSource {
  return {
    current: async () => settingsOf(await snapshots.current()),
    fresh: async () => settingsOf(await snapshots.fresh()),
  };
}

/** Of a public webhook, no check of a credential has proven that the cached settings are current. */
export function settingsFor(
  source: SettingsSource,
  { caller }: Pick<AuthenticatedCall, "caller">,
): Promise<WebhookSettings> {
  return caller === undefined ? source.fresh() : source.current();
}
