import type { AuditActor } from "@rowhouse/db";

/** From where a request came, for sessions and the audit log. */
export interface Origin {
  readonly address: string;
  readonly requestId: string;
  readonly userAgent: string | null;
}

/** The audit log's view of someone who acts with a session, or with no credential at all. */
export function actorOf(userId: string | null, origin: Origin): AuditActor {
  return { userId, tokenId: null, address: origin.address, requestId: origin.requestId };
}
