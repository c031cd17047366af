import type { Principal } from "@rowhouse/access";
import { type AuditActor, appendAuditEntry, type Queryable } from "@rowhouse/db";
import { LRUCache } from "lru-cache";

/** Records in the audit log that a caller without the Administrators role called the Admin API. */
export type RefusedAccessRecorder = (
  principal: Pick<Principal, "userId" | "tokenId">,
  origin: Pick<AuditActor, "address" | "requestId">,
) => Promise<void>;

const quietMs = 60_000;
const usersMax = 10_000;

/**
 * Creates a recorder that writes at most one entry per minute for each user and token, so that repeated attempts
 * cannot fill the log.
 */
export function createRefusedAccessRecorder(database: Queryable): RefusedAccessRecorder {
  const lately = new LRUCache<string, true>({ max: usersMax, ttl: quietMs });
  return async ({ userId, tokenId }, origin) => {
    const key = `${userId} ${tokenId}`;
    if (lately.has(key)) return;
    lately.set(key, true);
    await appendAuditEntry(
      database,
      { userId, tokenId, ...origin },
      { action: "admin_api.access", targetKind: "admin_api", targetId: null, outcome: "FAILED" },
    );
  };
}
