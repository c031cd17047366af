import type { Principal, Standing } from "@rowhouse/access";
import type { Origin } from "@rowhouse/accounts";
import { entityTagsOf } from "@rowhouse/data";
import { routeMounter, z } from "@rowhouse/http";
import { originOf } from "../caller/request-headers.ts";

/** What a route of `/api/auth` knows of its caller. */
interface AuthCaller {
  /** Undefined on a route without a credential. */
  readonly principal: Principal & Standing;
  readonly origin: Origin;
}

/** Mounts a route of `/api/auth`, whose body has its fields at the top level. */
export const mountAuthRoute = routeMounter<AuthCaller>({
  body: "FIELDS",
  readTags: entityTagsOf,
  callerOf: (c) => ({ principal: c.get("principal"), origin: originOf(c) }),
});

/** What every route that requires a session may refuse. */
export const sessionRefusals = ["AUTHENTICATION_REQUIRED", "SESSION_REQUIRED"] as const;

export const user = z
  .object({ id: z.string(), email: z.string(), name: z.string() })
  .openapi("SignedInUser");
export const signInResult = z.object({ token: z.string(), user }).openapi("SignedIn");

/** An email address that a user claims. */
export const email = z.email().max(320);
/** An email address to look up; any text gets the same response. */
export const anyEmail = z.string();
/** A password attempt; any wrong text gets the same response. */
export const anyPassword = z.string();
export const password = z.string().max(1024);
export const personNameSchema = z.string().trim().max(200);
/** A page of another front end. */
export const returnTo = z.string().max(2000).optional().openapi({
  description:
    "A page of another front end to which the link in the mail leads, with `#token=…&kind=…`; one of `auth.return_addresses`",
});
export const linkToken = z.string().max(200);
/** A language tag, such as `de` or `pt-BR`. */
export const language = z.string().max(35);
