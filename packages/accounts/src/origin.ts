import type { AuditActor } from "@rowhouse/db";

/** The source of a request, for sessions and the audit log. */
export interface Origin {
  readonly address: string;
  readonly requestId: string;
  readonly userAgent: string | null;
}

/** The audit actor of a request with a session or without a credential. */
export function actorOf(userId: string | null, origin: Origin): AuditActor {
  return { userId, tokenId: null, address: origin.address, requestId: origin.requestId };
}
