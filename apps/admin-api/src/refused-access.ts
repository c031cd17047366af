import type { Principal } from "@rowhouse/access";
import { type AuditActor, appendAuditEntry, type Queryable } from "@rowhouse/db";
import { LRUCache } from "lru-cache";

/** Writes into the audit log that somebody who is no administrator tried the Admin API. */
export type RefusedAccessRecorder = (
  principal: Pick<Principal, "userId" | "tokenId">,
  origin: Pick<AuditActor, "address" | "requestId">,
) => Promise<void>;

const quietMs = 60_000;
const usersMax = 10_000;

/** A recorder that writes at most one entry a minute for each user and token: nobody fills the log by trying on. */
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
