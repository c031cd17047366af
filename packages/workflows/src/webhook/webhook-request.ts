import type { ItemProof } from "@rowhouse/db";
import type { RunToken } from "../model/run-token.ts";

/** The caller of a webhook. */
export interface WebhookCaller {
  readonly userId: string;
  readonly roleIds: readonly string[];
  /** The personal access token of the request, which the run keeps. Omitted or null for a session. */
  readonly token?: RunToken | null;
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
  readonly authenticate: () => Promise<AuthenticatedCaller>;
  /** Set for a request with a credential of the right form. */
  readonly remembered?: RememberedRequest | undefined;
  /** Aborts when the caller disconnects; the run continues. */
  readonly signal?: AbortSignal;
}

/** A caller with the proof of the rights, if a later call may use it. */
export type AuthenticatedCaller = WebhookCaller & { readonly proof?: ItemProof };

/** The parts of a request whose call may be remembered. */
export interface RememberedRequest {
  /** Identifies the credential; no text from which it can be restored. */
  readonly credential: string;
  /**
   * Reads a body before authorization, for a credential that was authorized before. Undefined for a body that is not
   * declared to be small.
   */
  readonly readSmallBody: () => Promise<Uint8Array | undefined>;
  /** Called once the credential is proven. */
  readonly onProven: (caller: WebhookCaller) => void;
}

/** A call whose sender was authorized. */
export type AuthorizedCall = Omit<WebhookRequest, "slug" | "authenticate" | "remembered">;
