import type { AuditActor } from "@rowhouse/db";

/** The source of a request, for sessions and the audit log. */
export interface Origin {
  readonly address: string;
  readonly requestId: string;
  readonly userAgent: string | null;
}

/**
 * The audit actor of a request.
 *
 * @param tokenId of a request that a token concerns; by default the request has a session or no credential
 */
export function auditActorOf(
  userId: string | null,
  origin: Origin,
  tokenId: string | null = null,
): AuditActor {
  return { userId, tokenId, address: origin.address, requestId: origin.requestId };
}
