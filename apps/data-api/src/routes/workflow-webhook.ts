import { type Authenticator, parseAuthorization } from "@rowhouse/access";
import type { Database, SnapshotStore } from "@rowhouse/db";
import {
  callerHeadersOf,
  jsonText,
  openBody,
  type Service,
  type ServiceEnvironment,
  splitQuery,
} from "@rowhouse/http";
import {
  acceptWebhook,
  settingsIn,
  type WebhookDeps,
  type WorkflowConnections,
} from "@rowhouse/workflows";
import type { Context } from "hono";
import { getWebhook, postWebhook } from "./workflow-documents.ts";

export interface WebhookRouteDependencies {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  readonly authenticator: Authenticator;
  readonly workflows: Pick<
    WorkflowConnections,
    | "loadWebhook"
    | "rememberedCalls"
    | "rateLimit"
    | "acceptRun"
    | "queue"
    | "handOff"
    | "waiter"
    | "secrets"
  >;
  /** The clock of this process, in milliseconds. */
  readonly now?: (() => number) | undefined;
}

/** `/api/workflows/{slug}/webhook`, with the method that the workflow configures. */
export function mountWebhookRoute(
  service: Service,
  { database, snapshots, authenticator, workflows, now }: WebhookRouteDependencies,
): void {
  const deps: WebhookDeps = {
    database,
    ...workflows,
    now,
    settings: settingsIn(snapshots),
    authenticate: async (authorization) => {
      const { principal, proof } = await authenticator.authenticateWithProof(authorization);
      const { tokenId: id, plane } = principal;
      return { ...principal, token: id === null || plane === null ? null : { id, plane }, proof };
    },
    recordProven: ({ token }) => authenticator.recordProven({ tokenId: token?.id ?? null }),
  };
  // Any method: a request with another method gets 404 like an unknown workflow, not 405.
  service.all("/api/workflows/:slug/webhook", (c) => answerWebhook(c, deps));
  service.openAPIRegistry.registerPath(postWebhook);
  service.openAPIRegistry.registerPath(getWebhook);
}

async function answerWebhook(c: Context<ServiceEnvironment>, deps: WebhookDeps): Promise<Response> {
  const request = c.req.raw;
  const { requestId, clientAddress, traceParent } = c.env.edge;
  const authorization = request.headers.get("authorization");
  const answer = await acceptWebhook(deps, {
    slug: c.req.param("slug") ?? "",
    method: request.method,
    search: splitQuery(request.url)[1],
    authorization,
    credential: parseAuthorization(authorization)?.digest,
    headers: callerHeadersOf(request, requestId),
    body: openBody(request),
    ip: clientAddress,
    requestId,
    traceParent,
    idempotencyKey: request.headers.get("idempotency-key"),
    signal: request.signal,
  });
  const headers = answer.isRepeated ? { "Idempotency-Replayed": "true" } : undefined;
  return jsonText(answer.status, answer.body, requestId, headers);
}
