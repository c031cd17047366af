import type { Database, Parameter } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { Redis } from "ioredis";
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
} from "rate-limiter-flexible";
import { sourceOf } from "./source-of.ts";

export interface RateLimitOptions {
  /** What is counted; limits of one name share their counters, over all processes. */
  readonly name: string;
  readonly callsPerMinute: number;
  /** What happens while the counters are out of reach: nobody passes, or this process counts for itself. */
  readonly withoutCounters: "REFUSE" | "COUNT_HERE";
}

/** Calls a minute of one source. */
export interface RateLimit {
  /**
   * Counts a call.
   *
   * @param address of the caller; an IPv6 one counts for its /64
   * @throws AppError RATE_LIMIT_EXCEEDED with Retry-After, SERVICE_UNAVAILABLE where the counters are out of reach
   */
  check(address: string): Promise<void>;
}

/** Where calls are counted. */
export interface RateLimits {
  /** The limit of a name. It may be asked for on each call, as high as it is at that moment. */
  limit(options: RateLimitOptions): RateLimit;
  close(): Promise<void>;
}

export interface RateLimitsOptions {
  readonly database: Pick<Database, "query"> | undefined;
  /** Counters live in this Redis; without it, in the database; without both, in this process. */
  readonly redisUrl: string | undefined;
  readonly report: (error: unknown) => void;
}

const durationS = 60;

/** Opens the counters, in Redis, in Postgres or in this process. */
export function openRateLimits({ database, redisUrl, report }: RateLimitsOptions): RateLimits {
  const redis = redisUrl === undefined ? undefined : connect(redisUrl, report);
  const openLimiter = (options: RateLimitOptions): RateLimiterAbstract => {
    if (redis !== undefined) return inRedis(redis, options);
    return database === undefined ? inProcess(options) : inPostgres(database, options);
  };
  const limits = new Map<string, { readonly callsPerMinute: number; readonly limit: RateLimit }>();
  return {
    limit: (options) => {
      const { name, callsPerMinute } = options;
      const known = limits.get(name);
      if (known?.callsPerMinute === callsPerMinute) return known.limit;
      const limit = createRateLimit(openLimiter(options));
      limits.set(name, { callsPerMinute, limit });
      return limit;
    },
    close: async () => {
      redis?.disconnect();
    },
  };
}

function shared({ name, callsPerMinute, withoutCounters }: RateLimitOptions) {
  const counted = { keyPrefix: name, points: callsPerMinute, duration: durationS };
  return {
    ...counted,
    // A source that is over the limit is answered from memory: a flood costs no round trips.
    inMemoryBlockOnConsumed: callsPerMinute + 1,
    ...(withoutCounters === "COUNT_HERE"
      ? { insuranceLimiter: new RateLimiterMemory(counted) }
      : {}),
  };
}

function inProcess({ name, callsPerMinute }: RateLimitOptions): RateLimiterAbstract {
  return new RateLimiterMemory({ keyPrefix: name, points: callsPerMinute, duration: durationS });
}

function inPostgres(
  database: Pick<Database, "query">,
  options: RateLimitOptions,
): RateLimiterAbstract {
  return new RateLimiterPostgres({
    ...shared(options),
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
}

function inRedis(storeClient: Redis, options: RateLimitOptions): RateLimiterAbstract {
  return new RateLimiterRedis({ ...shared(options), storeClient });
}

function connect(url: string, report: (error: unknown) => void): Redis {
  const client = new Redis(url, {
    maxRetriesPerRequest: 1,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
  });
  client.on("error", report);
  return client;
}

function createRateLimit(limiter: RateLimiterAbstract): RateLimit {
  return {
    check: async (address) => {
      try {
        await limiter.consume(sourceOf(address));
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
  };
}

function toParameter(value: unknown): Parameter {
  return value === null || value === undefined ? null : String(value);
}
