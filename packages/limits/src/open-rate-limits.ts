import { createError } from "@rowhouse/errors";
import { Redis } from "ioredis";
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
} from "rate-limiter-flexible";
import { onceAMinute } from "./once-a-minute.ts";
import { sourceOf } from "./source-of.ts";

export interface RateLimitOptions {
  /** Name of the limit; limits of the same name share their counters over all processes. */
  readonly name: string;
  readonly callsPerMinute: number;
  /** What happens while the counters are unreachable: reject all calls, or count in this process. */
  readonly withoutCounters: "REFUSE" | "COUNT_HERE";
}

/** Limit of calls per minute and source. */
export interface RateLimit {
  /**
   * Counts a call, or several at once.
   *
   * @param address of the caller; an IPv6 address counts for its /64
   * @param calls number of calls; 1 by default
   * @throws AppError RATE_LIMIT_EXCEEDED with Retry-After, SERVICE_UNAVAILABLE if the counters are unreachable
   */
  check(address: string, calls?: number): Promise<void>;
}

export interface RateLimits {
  /** Returns the limit of a name. It may be called before each check, with the current maximum. */
  limit(options: RateLimitOptions): RateLimit;
  /** Whether the counters in Redis are reachable; undefined for counters elsewhere. */
  isConnected(): boolean | undefined;
  close(): Promise<void>;
}

/** Executes a statement; `Database` of @rowhouse/db is one. */
interface CountersDatabase {
  query(
    text: string,
    parameters: readonly (string | null)[],
    options: { readonly prepare: true },
  ): Promise<object[]>;
}

export interface RateLimitsOptions {
  readonly database: CountersDatabase | undefined;
  /** The Redis of the counters. If undefined they are in the database, and without a database in this process. */
  readonly redisUrl: string | undefined;
  readonly report: (error: unknown) => void;
}

const durationS = 60;
/** Maximum wait for a Redis that accepts connections and does not respond, in milliseconds. */
const redisTimeoutMs = 1_000;

/**
 * Opens the counters in Redis, PostgreSQL or this process. While Redis is unreachable, a check fails at once: only the
 * first ones wait for the connection.
 */
export function openRateLimits({ database, redisUrl, report }: RateLimitsOptions): RateLimits {
  const redis = redisUrl === undefined ? undefined : connect(redisUrl, onceAMinute(report));
  const started = redis === undefined ? Promise.resolve() : firstOutcome(redis);
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
      const limit = createRateLimit(openLimiter(options), started);
      limits.set(name, { callsPerMinute, limit });
      return limit;
    },
    isConnected: () => redis && redis.status === "ready",
    close: async () => {
      redis?.disconnect();
    },
  };
}

function shared({ name, callsPerMinute, withoutCounters }: RateLimitOptions) {
  const counted = { keyPrefix: name, points: callsPerMinute, duration: durationS };
  return {
    ...counted,
    // A source over its limit is rejected from memory: a flood costs no round trips.
    inMemoryBlockOnConsumed: callsPerMinute + 1,
    ...(withoutCounters === "COUNT_HERE"
      ? { insuranceLimiter: new RateLimiterMemory(counted) }
      : {}),
  };
}

function inProcess({ name, callsPerMinute }: RateLimitOptions): RateLimiterAbstract {
  return new RateLimiterMemory({ keyPrefix: name, points: callsPerMinute, duration: durationS });
}

function inPostgres(database: CountersDatabase, options: RateLimitOptions): RateLimiterAbstract {
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
    // The timers of the worker remove expired counters.
    clearExpiredByTimeout: false,
  });
}

function inRedis(storeClient: Redis, options: RateLimitOptions): RateLimiterAbstract {
  return new RateLimiterRedis({ ...shared(options), storeClient, rejectIfRedisNotReady: true });
}

function connect(url: string, report: (error: unknown) => void): Redis {
  const client = new Redis(url, {
    maxRetriesPerRequest: 0,
    connectTimeout: redisTimeoutMs,
    commandTimeout: redisTimeoutMs,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
  });
  client.on("error", report);
  return client;
}

/** Resolves when the first attempt to connect has succeeded or failed. */
function firstOutcome(client: Redis): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ["ready", "close"]) client.once(event, () => resolve());
  });
}

function createRateLimit(limiter: RateLimiterAbstract, started: Promise<void>): RateLimit {
  return {
    check: async (address, calls = 1) => {
      try {
        await started;
        await limiter.consume(sourceOf(address), calls);
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

function toParameter(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}
