import { arrayLiteral, type Queryable } from "@rowhouse/db";
import { createSerialTask } from "@rowhouse/limits";
import { LRUCache } from "lru-cache";

/** Receives uses of tokens. */
export interface TokenUses {
  record(tokenId: string): void;
}

/** Records when tokens were last used. */
export interface TokenUseRecorder extends TokenUses {
  /** Resolves once no write is in progress. */
  idle(): Promise<void>;
}

const everyMs = 60_000;
const rememberedMax = 10_000;

/**
 * Writes each token's last use at most once a minute, over all requests and processes. A request only reads a map, the
 * write follows later, and a condition on the row coordinates processes. A failed write is not repeated; the next use
 * after a minute is written.
 *
 * @param report receives the error of a failed write
 * @param now the clock, in milliseconds
 */
export function createTokenUseRecorder(
  database: Queryable,
  report: (error: unknown) => void,
  now: () => number = Date.now,
): TokenUseRecorder {
  const written = new LRUCache<string, number>({ max: rememberedMax });
  let due = new Set<string>();
  const writing = createSerialTask(async () => {
    const ids = [...due];
    due = new Set();
    await database.query(
      `update system.tokens set last_used_at = system.clock()
       where id = any ($1::uuid[]) and revoked_at is null
         and (last_used_at is null or last_used_at <= system.clock() - interval '1 minute')`,
      [arrayLiteral(ids)],
      { prepare: true },
    );
  }, report);

  return {
    record: (tokenId) => {
      const moment = now();
      const last = written.peek(tokenId);
      if (last !== undefined && moment - last < everyMs) return;
      written.set(tokenId, moment);
      due.add(tokenId);
      writing.trigger();
    },
    idle: () => writing.idle(),
  };
}
