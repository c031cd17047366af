import type { SnapshotStore } from "@rowhouse/db";
import type { ApiRouter, ServiceEnvironment } from "@rowhouse/http";
import type { RateLimits } from "@rowhouse/rate-limit";
import { settingsOf } from "@rowhouse/settings";
import type { MiddlewareHandler } from "hono";

interface ThrottleDependencies {
  readonly snapshots: SnapshotStore;
  readonly rateLimits: RateLimits;
}

/** What one source may do so many times a minute, and the setting that says how many. */
const settingKeys = {
  "auth-attempt": "auth.attempts_per_minute",
  "auth-mail": "auth.mails_per_minute",
} as const;

/** Where a password, a link's token or a code is looked at, and where a sign-in through a provider begins and ends. */
const attemptPaths = [
  "/api/auth/login",
  "/api/auth/register",
  "/api/auth/password/reset",
  "/api/auth/password/change",
  "/api/auth/email/verify",
  "/api/auth/email/change",
  "/api/auth/invitations/accept",
  "/api/auth/oauth/*",
];
/** What may lead to a mail. */
const mailPaths = [
  "/api/auth/register",
  "/api/auth/password/forgot",
  "/api/auth/email/resend",
  "/api/auth/email/change",
];

/**
 * Counts the calls of one source, whoever they are about and however they end, so that a refusal tells of no account. The
 * source is the client's address as the gateway has established it, never as a header says.
 */
export function throttleAuthRoutes(router: ApiRouter, dependencies: ThrottleDependencies): void {
  for (const path of attemptPaths) router.use(path, throttle(dependencies, "auth-attempt"));
  for (const path of mailPaths) router.use(path, throttle(dependencies, "auth-mail"));
}

/** @throws AppError RATE_LIMIT_EXCEEDED with Retry-After */
function throttle(
  { snapshots, rateLimits }: ThrottleDependencies,
  name: keyof typeof settingKeys,
): MiddlewareHandler<ServiceEnvironment> {
  return async (c, next) => {
    // As the process knows the settings: asking whether they are current would make a flood cost round trips.
    const callsPerMinute = settingsOf(await snapshots.current())[settingKeys[name]];
    // Whoever comes while Redis is away is counted by each process, so that nobody is locked out by it.
    const limit = rateLimits.limit({ name, callsPerMinute, withoutCounters: "COUNT_HERE" });
    await limit.check(c.env.edge.clientAddress);
    await next();
  };
}
