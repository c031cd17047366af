import type { RateLimits } from "@rowhouse/rate-limit";

/**
 * Counts a request of a client.
 *
 * @throws AppError RATE_LIMIT_EXCEEDED with Retry-After
 */
export type Throttle = (clientAddress: string) => Promise<void> | undefined;

/**
 * Bounds what one source may ask for a minute, whatever it asks for; an IPv6 source is its /64.
 *
 * @param requestsPerMinute 0 for no bound; asked on each request, because it is a setting
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
