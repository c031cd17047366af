import type { SnapshotStore } from "@rowhouse/db";
import type { ApiRouter, Service, ServiceEnvironment } from "@rowhouse/http";
import { nextFlight, type RateLimits } from "@rowhouse/limits";
import { type Settings, settingsOf } from "@rowhouse/settings";
import type { MiddlewareHandler } from "hono";

interface ThrottleDependencies {
  readonly snapshots: SnapshotStore;
  readonly rateLimits: RateLimits;
}

/** Operations that one source may call a limited number of times per minute, and the setting that holds the limit. */
const settingKeys = {
  "auth-attempt": "auth.attempts_per_minute",
  "auth-mail": "auth.mails_per_minute",
} as const;

/** Checks of a password, a link's token or a code, and both ends of a sign-in through a provider. */
const attemptPaths = [
  "/api/auth/login",
  "/api/auth/register",
  "/api/auth/password/reset",
  "/api/auth/password/change",
  "/api/auth/email/verify",
  "/api/auth/email/change",
  "/api/auth/invitations/*",
  "/api/auth/oauth/*",
  "/api/auth/authorizations/*",
];
/** Requests of OAuth clients, which need no credential. */
const oauthPaths = ["/oauth/token", "/oauth/revoke", "/oauth/register"];
/** Requests that may send a mail. */
const mailPaths = [
  "/api/auth/register",
  "/api/auth/password/forgot",
  "/api/auth/email/resend",
  "/api/auth/email/change",
];

/**
 * Counts the calls of one source for any account and with any result, so that a rejection reveals no account. The
 * source is the client's address as the gateway determined it, never as a header states it.
 */
export function throttleAuthRoutes(
  router: ApiRouter,
  { snapshots, rateLimits }: ThrottleDependencies,
): void {
  // The current value: a changed limit applies to the next request in every process. A flood causes one proof at a time.
  const settings = nextFlight(async () => settingsOf(await snapshots.fresh()));
  for (const path of attemptPaths) router.use(path, throttle(settings, rateLimits, "auth-attempt"));
  for (const path of mailPaths) router.use(path, throttle(settings, rateLimits, "auth-mail"));
}

/** Counts the requests of OAuth clients as attempts of their source. */
export function throttleOAuthRoutes(
  service: Service,
  { snapshots, rateLimits }: ThrottleDependencies,
): void {
  const settings = nextFlight(async () => settingsOf(await snapshots.fresh()));
  for (const path of oauthPaths) service.use(path, throttle(settings, rateLimits, "auth-attempt"));
}

/** @throws AppError RATE_LIMIT_EXCEEDED with Retry-After */
function throttle(
  settings: () => Promise<Settings>,
  rateLimits: RateLimits,
  name: keyof typeof settingKeys,
): MiddlewareHandler<ServiceEnvironment> {
  return async (c, next) => {
    const callsPerMinute = (await settings())[settingKeys[name]];
    // While Redis is unavailable each process counts by itself, so that callers are not locked out.
    const limit = rateLimits.limit({ name, callsPerMinute, withoutCounters: "COUNT_HERE" });
    await limit.check(c.env.edge.clientAddress);
    await next();
  };
}
