export { onceAMinute } from "./once-a-minute.ts";
export {
  openRateLimits,
  type RateLimit,
  type RateLimitOptions,
  type RateLimits,
  type RateLimitsOptions,
} from "./open-rate-limits.ts";
export { sourceOf } from "./source-of.ts";
