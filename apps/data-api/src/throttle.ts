import type { SnapshotStore } from "@rowhouse/db";
import { type ApiRouter, type ServiceEnvironment, shareQuestion } from "@rowhouse/http";
import type { RateLimits } from "@rowhouse/rate-limit";
import { type Settings, settingsOf } from "@rowhouse/settings";
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
export function throttleAuthRoutes(
  router: ApiRouter,
  { snapshots, rateLimits }: ThrottleDependencies,
): void {
  // Of this moment, so that a changed limit counts from the next request on, in every process. A flood costs one proof at a time.
  const settings = shareQuestion(async () => settingsOf(await snapshots.fresh()));
  for (const path of attemptPaths) router.use(path, throttle(settings, rateLimits, "auth-attempt"));
  for (const path of mailPaths) router.use(path, throttle(settings, rateLimits, "auth-mail"));
}

/** @throws AppError RATE_LIMIT_EXCEEDED with Retry-After */
function throttle(
  settings: () => Promise<Settings>,
  rateLimits: RateLimits,
  name: keyof typeof settingKeys,
): MiddlewareHandler<ServiceEnvironment> {
  return async (c, next) => {
    const callsPerMinute = (await settings())[settingKeys[name]];
    // Whoever comes while Redis is away is counted by each process, so that nobody is locked out by it.
    const limit = rateLimits.limit({ name, callsPerMinute, withoutCounters: "COUNT_HERE" });
    await limit.check(c.env.edge.clientAddress);
    await next();
  };
}
