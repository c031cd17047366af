import type { RateLimits } from "@rowhouse/limits";

/**
 * Counts a request of a client.
 *
 * @throws AppError RATE_LIMIT_EXCEEDED with Retry-After
 */
export type Throttle = (clientAddress: string) => Promise<void> | undefined;

/**
 * Creates a limit of all requests per minute from one source; the source of an IPv6 address is its /64.
 *
 * @param requestsPerMinute 0 for no limit; read on each request, because it is a setting
 */
export function createThrottle(
  rateLimits: Pick<RateLimits, "limit">,
  requestsPerMinute: () => number,
): Throttle {
  return (clientAddress) => {
    const callsPerMinute = requestsPerMinute();
    if (callsPerMinute === 0) return undefined;
    return rateLimits
      .limit({ name: "edge", callsPerMinute, withoutCounters: "COUNT_HERE" })
      .check(clientAddress);
  };
}
