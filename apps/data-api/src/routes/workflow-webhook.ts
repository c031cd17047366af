import { type Authenticator, parseAuthorization } from "@rowhouse/access";
import { idempotencyKeyOf } from "@rowhouse/data";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { callerHeadersOf, jsonText, readBodyBytes, requireBodyLength, type Service, type ServiceEnvironment, splitQuery } from "@rowhouse/http";
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
  const authorization = request.headers.get("authorization");
  const credential = parseAuthorization(authorization);
  const body = bodyOf(request);
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
      readBody: async () => body.read((await settings.current())["limits.body_bytes"]),
      authenticate: async () => {
        const { principal, proof } = await authenticator.authenticateWithProof(authorization);
        settings.wereProven();
        const { tokenId: id, plane } = principal;
        return { ...principal, token: id === null || plane === null ? null : { id, plane }, proof };
      },
      remembered: credential && {
        credential: credential.digest,
        readSmallBody: async () =>
          body.readSmall(settingsOf(await snapshots.current())["limits.body_bytes"]),
        onProven: ({ token }) => {
          settings.wereProven();
          authenticator.recordProven({ tokenId: token?.id ?? null });
        },
      },
      signal: request.signal,
    },
  );
  const headers = answer.isRepeated ? { "Idempotency-Replayed": "true" } : undefined;
  return jsonText(answer.status, answer.body, requestId, headers);
}

/** The limit of a body that is read before its caller is authorized, in bytes. */
const smallBodyMax = 16_384;

interface RequestBody {
  /** Reads the body, unless it was read before. @throws BODY_TOO_LARGE, BODY_INVALID */
  read(bytesMax: number): Promise<Uint8Array>;
  /** Reads a body that declares a small length; undefined for any other. */
  readSmall(bytesMax: number): Promise<Uint8Array | undefined>;
}

function bodyOf(request: Request): RequestBody {
  let bytes: Promise<Uint8Array> | undefined;
  const read = (bytesMax: number) => {
    requireBodyLength(request, { bytesMax });
    bytes ??= readBodyBytes(request, { bytesMax });
    return bytes;
  };
  return {
    read: async (bytesMax) => read(bytesMax),
    readSmall: async (bytesMax) => {
      const length = request.headers.get("content-length");
      const isSmall = length !== null && Number(length) <= Math.min(bytesMax, smallBodyMax);
      return isSmall ? read(bytesMax) : undefined;
    },
  };
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
