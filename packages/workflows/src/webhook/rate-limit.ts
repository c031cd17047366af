import type { Database, Parameter } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { Redis } from "ioredis";
import ipaddr from "ipaddr.js";
import {
  type RateLimiterAbstract,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
} from "rate-limiter-flexible";

/** Calls of public webhooks per minute and source, over all processes (spec §8). */
export const publicCallsPerMinute = 60;

export interface WebhookRateLimit {
  /** @throws AppError RATE_LIMIT_EXCEEDED with Retry-After, SERVICE_UNAVAILABLE where the counters are out of reach */
  check(ip: string): Promise<void>;
  close(): Promise<void>;
}

const options = {
  keyPrefix: "webhook",
  points: publicCallsPerMinute,
  duration: 60,
  // A source that is over the limit is answered from memory: a flood costs no round trips.
  inMemoryBlockOnConsumed: publicCallsPerMinute + 1,
};

/** Counts in Postgres. */
export function createPostgresRateLimit(database: Pick<Database, "query">): WebhookRateLimit {
  const limiter = new RateLimiterPostgres({
    ...options,
    storeType: "pool",
    storeClient: {
      query: async ({ text, values }: { text: string; values: readonly unknown[] }) => {
        const rows = await database.query(text, values.map(toParameter), { prepare: true });
        return { rows, rowCount: rows.length };
      },
    },
    schemaName: "system",
    tableName: "rate_limits",
    tableCreated: true,
    // The worker's timers remove what counts no longer.
    clearExpiredByTimeout: false,
  });
  return createRateLimit(limiter, async () => {});
}

/** Counts in Redis. */
export function createRedisRateLimit(
  url: string,
  report: (error: unknown) => void,
): WebhookRateLimit {
  const client = new Redis(url, {
    maxRetriesPerRequest: 1,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
  });
  client.on("error", report);
  const limiter = new RateLimiterRedis({ ...options, storeClient: client });
  return createRateLimit(limiter, async () => client.disconnect());
}

function createRateLimit(
  limiter: RateLimiterAbstract,
  close: () => Promise<void>,
): WebhookRateLimit {
  return {
    check: async (ip) => {
      try {
        await limiter.consume(sourceOf(ip));
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) {
          throw createError("SERVICE_UNAVAILABLE", {
            cause: error,
            headers: { "Retry-After": "1" },
          });
        }
        const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
        throw createError("RATE_LIMIT_EXCEEDED", { headers: { "Retry-After": String(seconds) } });
      }
    },
    close,
  };
}

/** The source an address counts for: an IPv4 address, however it is spelled, or the /64 of an IPv6 one. */
export function sourceOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return "unknown";
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}

function toParameter(value: unknown): Parameter {
  return value === null || value === undefined ? null : String(value);
}
