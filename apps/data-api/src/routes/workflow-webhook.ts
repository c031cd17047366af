import type { Authenticator } from "@rowhouse/access";
import { idempotencyKeyOf } from "@rowhouse/data";
import type { Database, SnapshotStore } from "@rowhouse/db";
import {
  callerHeadersOf,
  jsonText,
  readBodyBytes,
  type Service,
  type ServiceEnvironment,
  splitQuery,
} from "@rowhouse/http";
import { type Settings, settingsOf } from "@rowhouse/settings";
import { acceptWebhook, type WorkflowConnections } from "@rowhouse/workflows";
import type { Context } from "hono";
import { getWebhook, postWebhook } from "./workflow-documents.ts";

export interface WebhookRouteDependencies {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  readonly authenticator: Authenticator;
  readonly workflows: Pick<
    WorkflowConnections,
    "loadWebhook" | "rateLimit" | "acceptRun" | "queue" | "handOff" | "waiter" | "secrets"
  >;
  /** The clock of this process, in milliseconds. */
  readonly now?: (() => number) | undefined;
}

/** `/api/workflows/{slug}/webhook`, with the method that the workflow configures. */
export function mountWebhookRoute(service: Service, dependencies: WebhookRouteDependencies): void {
  // Any method: a request with another method gets 404 like an unknown workflow, not 405.
  service.all("/api/workflows/:slug/webhook", (c) => answerWebhook(c, dependencies));
  service.openAPIRegistry.registerPath(postWebhook);
  service.openAPIRegistry.registerPath(getWebhook);
}

async function answerWebhook(
  c: Context<ServiceEnvironment>,
  { database, snapshots, authenticator, workflows, now }: WebhookRouteDependencies,
): Promise<Response> {
  const request = c.req.raw;
  const { requestId, clientAddress, traceParent } = c.env.edge;
  const settings = settingsOfRequest(snapshots);
  const answer = await acceptWebhook(
    {
      database,
      ...workflows,
      ...(now === undefined ? {} : { now }),
      settings: async () => ({
        maxSyncWaitMs: (await settings.current())["workflows.max_sync_wait_ms"],
      }),
    },
    {
      slug: c.req.param("slug") ?? "",
      method: request.method,
      search: splitQuery(request.url)[1],
      headers: callerHeadersOf(request, requestId),
      ip: clientAddress,
      requestId,
      traceParent,
      idempotencyKey: () => idempotencyKeyOf(request.headers),
      readBody: async () =>
        readBodyBytes(request, { bytesMax: (await settings.current())["limits.body_bytes"] }),
      authenticate: async () => {
        const principal = await authenticator.authenticate(request.headers.get("authorization"));
        settings.wereProven();
        const { tokenId: id, plane } = principal;
        return { ...principal, token: id === null || plane === null ? null : { id, plane } };
      },
      signal: request.signal,
    },
  );
  const headers = answer.isRepeated ? { "Idempotency-Replayed": "true" } : undefined;
  return jsonText(answer.status, answer.body, requestId, headers);
}

interface RequestSettings {
  /** The settings, proven current once in this request. */
  current(): Promise<Settings>;
  /** Records that a credential was just verified, which also proved the cached snapshot. */
  wereProven(): void;
}

function settingsOfRequest(snapshots: SnapshotStore): RequestSettings {
  let known: Promise<Settings> | undefined;
  return {
    current: () => {
      known ??= snapshots.fresh().then(settingsOf);
      return known;
    },
    wereProven: () => {
      known ??= snapshots.current().then(settingsOf);
    },
  };
}
