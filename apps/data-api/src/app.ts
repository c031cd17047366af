import { authenticationRequired, parseAuthorization } from "@rowhouse/access";
import { type AccountMails, createDocumentReader, createProviderClient } from "@rowhouse/accounts";
import {
  type DataEngine,
  type DataPlane,
  findRowRoute,
  parseAddress,
  parseRequest,
  type RowAddress,
  requestLimitsOf,
  requireExposed,
  rowRoutes,
} from "@rowhouse/data";
import { type Database, isUuid, type SnapshotStore, toAppError } from "@rowhouse/db";
import { AppError, createError } from "@rowhouse/errors";
import type { Storage } from "@rowhouse/files";
import {
  type AssertionVerifier,
  createService,
  type PathLookup,
  readinessOf,
  type Service,
} from "@rowhouse/http";
import type { RateLimits } from "@rowhouse/limits";
import { createMcpServer, type McpCallJournal } from "@rowhouse/mcp";
import type { Logger, Metrics, Tracing } from "@rowhouse/service";
import { settingsOf } from "@rowhouse/settings";
import type { SqlConsole } from "@rowhouse/sql-console";
import type { Vault } from "@rowhouse/vault";
import { createGuardedFetch, type WorkflowConnections } from "@rowhouse/workflows";
import { mountAuthRoutes } from "./routes/auth.ts";
import { mountBatchRoute } from "./routes/batch.ts";
import { mountEdgeSettingsRoute } from "./routes/edge-settings.ts";
import { mountFileRoutes } from "./routes/files.ts";
import { mountMcpRoute } from "./routes/mcp.ts";
import { mountOAuthRoutes } from "./routes/oauth.ts";
import { mountOpenApiRoute } from "./routes/openapi.ts";
import { createRowShortcut, mountRowRoutes } from "./routes/rows.ts";
import { mountWorkflowRunRoute } from "./routes/workflow-runs.ts";
import { mountWebhookRoute } from "./routes/workflow-webhook.ts";

export interface DataApiDependencies {
  readonly logger: Logger;
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  readonly plane: DataPlane;
  readonly workflows: WorkflowConnections;
  readonly mails: AccountMails;
  /** Counts sign-in attempts. */
  readonly rateLimits: RateLimits;
  /** Decrypts the secrets of providers. */
  readonly vault: Vault;
  /** Where the bytes of files are. */
  readonly storage: Storage;
  /** Executes the SQL of administrators' agents (`run_sql` of the MCP server). */
  readonly sqlConsole: SqlConsole;
  readonly mcpCalls?: Pick<McpCallJournal, "record"> | undefined;
  readonly metrics?: Metrics | undefined;
  readonly tracing?: Tracing | undefined;
  /** The clock of this process, in milliseconds; PostgreSQL has its own. */
  readonly now?: () => number;
  /** Set if gateway and service are separate processes. */
  readonly verifyAssertion?: AssertionVerifier;
}

/** `/api/*`, `/oauth/*`, `/.well-known/*` and `/mcp`: all routes, in the order in which a request meets it. */
export function createApp(dependencies: DataApiDependencies): Service {
  const { logger, database, snapshots, workflows, mails, rateLimits, vault, storage } =
    dependencies;
  const { metrics, tracing, verifyAssertion } = dependencies;
  const { authenticator, principals, engine, exports, imports } = dependencies.plane;
  const rows = { database, engine, exports, imports, snapshots, authenticator, logger };
  const service = createService({
    translate: toAppError,
    logger,
    readiness: readinessOf(database),
    onAnswered: metrics?.answersOf("data-api"),
    tracing,
    locate: createLocate({ database, snapshots, engine }),
    shortcut: createRowShortcut(rows),
    ...(verifyAssertion === undefined ? {} : { verifyAssertion }),
  });
  const providers = {
    database,
    vault,
    client: createProviderClient({
      fetch: createGuardedFetch({
        rules: async () => ({
          allowed: settingsOf(await snapshots.fresh())["auth.provider_hosts"],
          public: null,
        }),
        timeoutMs: 10_000,
        responseBytesMax: 1_048_576,
      }),
      now: dependencies.now,
    }),
    publicUrl: mails.publicUrl,
    returnAddresses: mails.returnAddresses,
    report: (error: unknown) => logger.warn({ err: error }, "A sign-in by a provider was refused"),
    onRefused: () => metrics?.signInFailed("provider"),
  };
  const authorization = {
    publicUrl: mails.publicUrl,
    readDocument: createDocumentReader(
      createGuardedFetch({
        rules: async () => ({
          allowed: settingsOf(await snapshots.fresh())["mcp.client_hosts"],
          public: null,
        }),
        timeoutMs: 5_000,
        responseBytesMax: 16_384,
      }),
      dependencies.now,
    ),
  };
  mountEdgeSettingsRoute(service, { snapshots }); // requested by the gateway of another process
  const accounts = { database, snapshots, authenticator, mails, rateLimits };
  const onSignInFailed = () => metrics?.signInFailed("password");
  mountAuthRoutes(service, { ...accounts, providers, authorization, onSignInFailed });
  mountOAuthRoutes(service, { database, snapshots, rateLimits, authorization });
  const { now } = dependencies;
  mountWebhookRoute(service, { database, snapshots, authenticator, workflows, now });
  mountWorkflowRunRoute(service, { database, authenticator });
  mountOpenApiRoute(service, { snapshots, authenticator });
  mountFileRoutes(service, { database, snapshots, engine, storage, vault, authenticator, now });
  mountBatchRoute(service, { ...rows, rateLimits });
  mountRowRoutes(service, rows);
  const mcp = createMcpServer({
    version,
    backend: { database, snapshots, engine, workflows, sqlConsole: dependencies.sqlConsole, now },
    observer: dependencies.mcpCalls?.record,
    report: (error, requestId) => logger.error({ err: error, requestId }, "A tool failed"),
  });
  const { publicUrl } = mails;
  mountMcpRoute(service, { mcp, snapshots, authenticator, principals, publicUrl });
  return service;
}

/** The version that the MCP server states. */
const version = "0.1.0";

interface LocateDependencies {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
  readonly engine: DataEngine;
}

type Look = (id: string, c: Parameters<PathLookup>[1]) => Promise<unknown>;

/**
 * Returns the object that a path of the Data API or of the authentication routes names, as far as the caller may see
 * it.
 */
function createLocate({ database, snapshots, engine }: LocateDependencies): PathLookup {
  const exists = async (sql: string, parameters: readonly string[]): Promise<void> => {
    const rows = parameters.some((text) => text.includes("\0"))
      ? []
      : await database.query(sql, parameters);
    if (rows.length === 0) throw createError("NOT_FOUND");
  };
  const owned = (table: string, more = ""): Look => {
    const sql = `select from system.${table} where id = $1::text::uuid and user_id = $2::text::uuid${more}`;
    return async (id, c) => {
      if (!isUuid(id)) throw createError("NOT_FOUND");
      await exists(sql, [id, c.get("principal").userId]);
    };
  };
  /** If the caller may not read, another right still reveals the relation, but none of its rows. */
  const unlessDenied = async (read: Promise<unknown>): Promise<void> => {
    await read.catch((error: unknown) => {
      if (!(error instanceof AppError) || ![403, 405].includes(error.status)) throw error;
    });
  };
  const lookAtRows = async (
    { target, id }: RowAddress,
    c: Parameters<PathLookup>[1],
  ): Promise<void> => {
    const credential = parseAuthorization(c.req.header("authorization"));
    if (credential === undefined) throw authenticationRequired();
    const caller = { kind: "CREDENTIAL", credential } as const;
    const limits = requestLimitsOf(settingsOf(await snapshots.current()));
    const list = parseRequest({ target, id: null, method: "GET", query: "" }, limits);
    await unlessDenied(engine.authorize(list, caller));
    const { catalogue } = await snapshots.fresh();
    const relation = catalogue.relationByName(target.schema, target.name);
    const operation = findRowRoute(c.req.method, c.req.path)?.operation ?? "GET";
    const isRead = operation === "QUERY" || operation === "HISTORY";
    if (relation !== undefined) requireExposed(relation, isRead ? "GET" : operation, id !== null);
    if (id === null) return;
    const row = parseRequest({ target, id, method: "GET", query: "" }, limits);
    await unlessDenied(engine.answer(row, caller));
  };
  const rowLooks = rowRoutes.map(({ path, operation }): [string, Look] => [
    path,
    (_, c) => lookAtRows(parseAddress(c.req.path, operation), c),
  ]);
  const looks: Readonly<Record<string, Look>> = {
    ...Object.fromEntries(rowLooks),
    "/api/auth/tokens/:id": owned("tokens"),
    "/api/auth/sessions/:id": owned("sessions", " and expires_at > system.clock()"),
    "/api/auth/linked-accounts/:id": owned("provider_accounts"),
    "/api/auth/oauth/:provider": (key) =>
      exists("select from system.auth_providers where key = $1::text and enabled", [key]),
  };
  return async ({ template, params }, c) => {
    // The actions of a token and the link to a provider are below the object's own path.
    const path = template.replace(
      /^(\/api\/auth\/(?:tokens\/:id|oauth\/:provider))\/(?!callback$).*/,
      "$1",
    );
    await looks[path]?.(params.id ?? params.provider ?? "", c);
  };
}
