import { createRoute, z } from "@hono/zod-openapi";
import type { Authenticator } from "@rowhouse/access";
import {
  type BegunFlow,
  beginLinking,
  beginSignIn,
  exchangeSignInCode,
  finishProviderFlow,
  listOfferedProviders,
  normalizeReturnPath,
  type ProviderDependencies,
  refusedPage,
  requireReturnAddress,
  type SignInReturn,
} from "@rowhouse/accounts";
import type { SnapshotStore } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import {
  type ApiRouter,
  errorAnswers,
  one,
  type ServiceEnvironment,
  standardHeaders,
} from "@rowhouse/http";
import { settingsOf } from "@rowhouse/settings";
import type { Context, MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { requireSignIn } from "../caller/principal.ts";
import { originOf } from "../caller/request-headers.ts";
import { linkToken, mountAuthRoute, sessionRefusals, signInResult } from "./auth-parts.ts";

/** Binds the browser to the flow that it started. */
const cookieName = "rowhouse_sign_in";
const cookieAgeS = 600;

const params = z.object({ provider: z.string() });
/**
 * The consent page of an OAuth client has its request in its address. Each character has at most three in the redirect
 * to the page, and the gateway accepts 16 KiB of headers from a service.
 */
const returnToMax = 5000;
const returnTo = z.string().max(returnToMax).optional();

const challenge = /^[A-Za-z0-9_-]{43}$/;
const beginQuery = z.object({
  return_to: returnTo.openapi({
    description:
      "A path of this installation, or a page of another front end (one of `auth.return_addresses`)",
  }),
  code_challenge: z.string().regex(challenge, "Must be a SHA-256 in base64url").optional().openapi({
    description:
      "Required with a page of another front end: S256 of RFC 7636 of the `codeVerifier` of the exchange",
  }),
  code_challenge_method: z.literal("S256").optional(),
});

const list = createRoute({
  method: "get",
  path: "/api/auth/providers",
  summary: "List the providers that sign-in offers",
  security: [],
  responses: {
    200: {
      description: "By name",
      content: {
        "application/json": {
          schema: z.object({
            data: z.array(
              z.object({
                key: z.string(),
                name: z.string(),
                kind: z.enum(["google", "github", "oidc"]),
              }),
            ),
            meta: z.object({
              registration: z
                .boolean()
                .openapi({ description: "Whether `POST /api/auth/register` creates accounts" }),
            }),
          }),
        },
      },
    },
  },
});
const begin = createRoute({
  method: "get",
  path: "/api/auth/oauth/{provider}",
  summary: "Sign in through a provider",
  security: [],
  request: { params, query: beginQuery },
  responses: {
    302: {
      description:
        "To the provider; for a browser that accepts `text/html`, an error redirects to a page",
    },
    ...errorAnswers("QUERY_INVALID", "NOT_FOUND", "RATE_LIMIT_EXCEEDED", "SERVICE_UNAVAILABLE"),
  },
});
const callback = createRoute({
  method: "get",
  path: "/api/auth/oauth/{provider}/callback",
  operationId: "finishAuthOauth",
  summary: "Callback to which a provider redirects the browser",
  description:
    "Reads the parameters that the provider adds to the URL, and the cookie of the flow. Every response redirects to a page; a program that accepts only JSON gets the error.",
  security: [],
  request: { params },
  responses: {
    302: { description: "To the page that exchanges the code or shows an error" },
    ...errorAnswers("NOT_FOUND", "RATE_LIMIT_EXCEEDED", "SERVICE_UNAVAILABLE"),
  },
});
/** The routes that browsers navigate to: the callback, and the start if the browser accepts a page. */
const navigated = "/api/auth/oauth/:provider";

/**
 * Redirects a browser to a page of the admin UI if a navigation fails: unknown provider, rate limit, unavailable
 * database. It precedes every other handler.
 */
export function leadBrowsersToPages(
  router: ApiRouter,
  providers: Pick<ProviderDependencies, "publicUrl" | "returnAddresses">,
): void {
  const lead =
    (
      isBrowser: (c: Context<ServiceEnvironment>) => boolean,
    ): MiddlewareHandler<ServiceEnvironment> =>
    async (c, next) => {
      await next();
      const isNavigation = c.req.method === "GET" || c.req.method === "HEAD";
      if (c.error === undefined || !isNavigation || !isBrowser(c)) return;
      const asked = c.req.query("return_to");
      // The mistake of another front end is shown to its developer.
      if (c.res.status === 400 && asked !== undefined && !asked.startsWith("/")) return;
      const location = await refusedPage(providers, c.res.status, asked);
      const headers = new Headers({ ...standardHeaders(c.env.edge.requestId), Location: location });
      c.res = undefined;
      c.res = new Response(null, { status: 302, headers });
    };
  router.use(
    `${navigated}/callback`,
    lead((c) => acceptsPage(c) || !acceptsJson(c)),
  );
  router.use(navigated, lead(acceptsPage));
}

function acceptsPage(c: Context<ServiceEnvironment>): boolean {
  return c.req.header("accept")?.includes("text/html") === true;
}

function acceptsJson(c: Context<ServiceEnvironment>): boolean {
  return c.req.header("accept")?.includes("json") === true;
}

/** Sign-in through Google, GitHub and OpenID Connect. */
export function mountProviderRoutes(
  router: ApiRouter,
  dependencies: {
    readonly snapshots: SnapshotStore;
    readonly authenticator: Authenticator;
    readonly providers: ProviderDependencies;
  },
): void {
  const { snapshots, authenticator, providers } = dependencies;
  router.on("POST", "/api/auth/oauth/:provider/link", requireSignIn(authenticator));

  router.openapi(list, async (c) => {
    const settings = settingsOf(await snapshots.fresh());
    const data = await listOfferedProviders(providers.database);
    return c.json({ data, meta: { registration: settings["auth.registration_enabled"] } }, 200);
  });
  mountAuthRoute(router, {
    method: "post",
    path: "/api/auth/oauth/exchange",
    summary: "Exchange the code of a finished sign-in for a session",
    open: true,
    body: z.strictObject({
      code: linkToken,
      codeVerifier: z
        .string()
        .regex(/^[A-Za-z0-9._~-]{43,128}$/, "Must have 43 to 128 letters, digits or -._~")
        .optional()
        .openapi({ description: "Of a sign-in that began with `code_challenge`" }),
    }),
    codes: ["RATE_LIMIT_EXCEEDED"],
    answer: one(signInResult, "A session"),
    run: async ({ data, origin }) =>
      exchangeSignInCode(providers.database, await snapshots.fresh(), data, origin),
  });
  router.openapi(begin, async (c) => {
    const returns = await readReturn(providers, c.req.valid("query"));
    const flow = await beginSignIn(providers, c.req.valid("param").provider, returns);
    keepFlow(c, flow);
    return c.redirect(flow.url, 302);
  });
  mountAuthRoute(router, {
    method: "post",
    path: "/api/auth/oauth/{provider}/link",
    params,
    summary: "Link an account at a provider to your account",
    codes: [
      ...sessionRefusals,
      "RECENT_SIGN_IN_REQUIRED",
      "RATE_LIMIT_EXCEEDED",
      "SERVICE_UNAVAILABLE",
    ],
    answer: one(z.object({ url: z.string() }), "The URL for the browser"),
    run: async ({ at, principal, c }) => {
      const flow = await beginLinking(providers, at.provider, principal);
      keepFlow(c, flow);
      return { url: flow.url };
    },
  });
  // Declared without a schema, because each provider adds its own parameters.
  router.get("/api/auth/oauth/:provider/callback", async (c) => {
    const isSecure = (await providers.publicUrl())?.startsWith("https://") === true;
    const secret = isSecure ? getCookie(c, cookieName, "host") : getCookie(c, cookieName);
    const mark = c.req.url.indexOf("?");
    const search = mark < 0 ? "" : c.req.url.slice(mark);
    const key = c.req.param("provider");
    const url = await finishProviderFlow(providers, key, search, secret, originOf(c));
    for (const [name, value] of Object.entries(standardHeaders(c.env.edge.requestId))) {
      c.header(name, value);
    }
    setFlowCookie(c, isSecure, "", 0);
    return c.redirect(url, 302);
  });
  router.openAPIRegistry.registerPath(callback);
}

/** @throws AppError QUERY_INVALID */
async function readReturn(
  providers: ProviderDependencies,
  query: z.output<typeof beginQuery>,
): Promise<SignInReturn> {
  const { return_to: asked } = query;
  const codeChallenge = query.code_challenge ?? null;
  const refuse = (path: string, message: string) => createError("QUERY_INVALID", { path, message });
  if (asked === undefined || !/^https?:/i.test(asked)) {
    const to = asked === undefined ? null : normalizeReturnPath(asked);
    if (to === undefined) {
      throw refuse(
        "return_to",
        "return_to must be a path of this installation, or an absolute URL",
      );
    }
    // The pages of this service could not exchange such a code.
    if (codeChallenge === null) return { to, codeChallenge };
    throw refuse("code_challenge", "Applies only to a return_to of another front end");
  }
  const place = { code: "QUERY_INVALID", path: "return_to" } as const;
  const to = await requireReturnAddress(providers, asked, place);
  // No cookie binds the code to the browser there, so a code that another person has begun or found must not be enough.
  if (codeChallenge !== null) return { to, codeChallenge };
  throw refuse("code_challenge", "Another front end must send code_challenge (S256)");
}

function keepFlow(c: Context<ServiceEnvironment>, flow: BegunFlow): void {
  setFlowCookie(c, flow.secure, flow.browserSecret, cookieAgeS);
}

/** Over https its name is `__Host-…`, which no other host of the domain can set. */
function setFlowCookie(
  c: Context<ServiceEnvironment>,
  isSecure: boolean,
  value: string,
  maxAge: number,
): void {
  const options = { httpOnly: true, sameSite: "Lax", maxAge } as const;
  if (!isSecure) setCookie(c, cookieName, value, { ...options, path: "/api/auth/oauth" });
  else setCookie(c, cookieName, value, { ...options, prefix: "host", path: "/", secure: true });
}
