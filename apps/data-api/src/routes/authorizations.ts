import type { Authenticator } from "@rowhouse/access";
import {
  type AuthorizationDependencies,
  type ConsentDecision,
  decideConsent,
  previewConsent,
} from "@rowhouse/accounts";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { type ApiRouter, one, z } from "@rowhouse/http";
import { authorizationOffer } from "../caller/authorization-offer.ts";
import { requireSignIn, requireTokenCreation } from "../caller/principal.ts";
import { mountAuthRoute, sessionRefusals } from "./auth-parts.ts";

const text = z.string().max(2000);
/** One without a value counts as absent (RFC 6749, section 3.1). */
const parameter = text.optional().transform((value) => value || undefined);
const scope = z.enum(["read", "write", "workflows"]);

/** The parameters of the authorization request, as the client sent them to the consent page. */
const request = {
  clientId: text,
  redirectUri: text,
  responseType: parameter,
  scope: parameter,
  state: parameter,
  codeChallenge: parameter,
  codeChallengeMethod: parameter,
  resource: parameter,
};

const consent = z
  .object({
    kind: z.literal("CONSENT"),
    client: z.object({
      id: z.string(),
      name: z.string(),
      uri: z.string().nullable(),
      host: z.string().nullable().openapi({
        description: "The host of the client's document; null for a client that registered itself",
      }),
      kind: z.enum(["DOCUMENT", "REGISTERED"]),
    }),
    redirectUri: z.string(),
    redirectHost: z.string(),
    isLoopback: z.boolean(),
    scopes: z.array(z.object({ name: scope, isOffered: z.boolean() })),
    account: z.object({ name: z.string(), email: z.string() }),
    tokenName: z.string(),
    days: z.int(),
  })
  .openapi("Consent");
const refused = z
  .object({ kind: z.literal("REFUSED"), redirectTo: z.string() })
  .openapi("RefusedAuthorization");

const refusals = [
  ...sessionRefusals,
  "ACTION_DENIED",
  "NOT_FOUND",
  "RATE_LIMIT_EXCEEDED",
  "SERVICE_UNAVAILABLE",
] as const;

/** `/api/auth/authorizations`: the decision of a person about an OAuth client; requires a session. */
export function mountAuthorizationRoutes(
  router: ApiRouter,
  dependencies: {
    readonly database: Database;
    readonly snapshots: SnapshotStore;
    readonly authenticator: Authenticator;
    readonly authorization: AuthorizationDependencies;
  },
): void {
  const { database, snapshots, authenticator, authorization } = dependencies;
  router.use("/api/auth/authorizations/*", requireSignIn(authenticator));

  mountAuthRoute(router, {
    method: "post",
    path: "/api/auth/authorizations/preview",
    summary: "Describe the request of an OAuth client, for the consent page",
    body: z.strictObject(request),
    codes: refusals,
    answer: one(
      z.discriminatedUnion("kind", [consent, refused]),
      "What the person consents to, or where the client receives its error",
    ),
    run: async ({ principal, data }) => {
      const { settings, offer } = await authorizationOffer(snapshots);
      requireTokenCreation(principal);
      const person = { userId: principal.userId, days: settings["api_keys.default_ttl_days"] };
      return previewConsent(database, authorization, offer, data, person);
    },
  });
  mountAuthRoute(router, {
    method: "post",
    path: "/api/auth/authorizations",
    operationId: "decideAuthorization",
    summary: "Approve or deny the request of an OAuth client",
    description:
      "An approval creates a token of the api plane with the client and the scopes, and requires `scopes`, `name` and `days`.",
    body: z.strictObject({
      ...request,
      decision: z.enum(["APPROVE", "DENY"]),
      scopes: z.array(scope).max(3).optional(),
      name: z.string().trim().min(1).max(100).optional(),
      days: z.int().min(1).max(3650).optional(),
    }),
    codes: [...refusals, "CONFLICT"],
    answer: one(
      z.object({ redirectTo: z.string() }),
      "Where the browser goes, with a code or an error for the client",
    ),
    run: async ({ principal, origin, data }) => {
      const { offer } = await authorizationOffer(snapshots);
      const { decision: word, scopes, name, days, ...input } = data;
      const decision: ConsentDecision =
        word === "DENY"
          ? { decision: word }
          : { decision: word, ...requireTerms(scopes, name, days) };
      if (word === "APPROVE") requireTokenCreation(principal);
      const person = { userId: principal.userId, origin };
      return {
        redirectTo: await decideConsent(database, authorization, offer, input, decision, person),
      };
    },
  });
}

function requireTerms<Scopes, Name, Days>(
  scopes: Scopes | undefined,
  name: Name | undefined,
  days: Days | undefined,
): { scopes: Scopes; name: Name; days: Days } {
  const missing = (field: string) =>
    createError("BODY_INVALID", {
      path: `/${field}`,
      message: `${field} is required for an approval`,
    });
  if (scopes === undefined) throw missing("scopes");
  if (name === undefined) throw missing("name");
  if (days === undefined) throw missing("days");
  return { scopes, name, days };
}
