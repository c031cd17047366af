import type { Authenticator, Caller } from "@rowhouse/access";
import {
  answerOnce,
  type DataEngine,
  type DataRequest,
  type ExportEngine,
  type ExportFormat,
  type ExportRequest,
  exportFormatOf,
  exportHeadersOf,
  type HeldAnswer,
  idempotencyKeyOf,
  inBody,
  isKnownVersion,
  type Lease,
  parseExportRequest,
  parseRequest,
  type RequestParts,
  rowPath,
  rowRoutes,
  tablePath,
  tablePathPattern,
} from "@rowhouse/data";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import {
  type BareContext,
  jsonText,
  noContent,
  type Service,
  type ServiceEnvironment,
  standardHeaders,
} from "@rowhouse/http";
import type { Logger } from "@rowhouse/service";
import type { Context } from "hono";
import { answerImport, type ImportRoutesDependencies, importFormatOf } from "./imports.ts";
import { receiveRowRequest } from "./receive-row-request.ts";
import { credentialCallerOf, requestHeadersOf } from "./request-headers.ts";

export interface RowRoutesDependencies extends ExportRoutesDependencies, ImportRoutesDependencies {
  readonly database: Database;
  readonly engine: DataEngine;
  readonly snapshots: SnapshotStore;
  readonly authenticator: Authenticator;
}

type RouteContext = Context<ServiceEnvironment>;
type Operation = RequestParts["method"];

export function mountRowRoutes(service: Service, dependencies: RowRoutesDependencies): void {
  for (const route of rowRoutes) {
    service.on(route.method, route.path, async (c: RouteContext) => {
      // The shortcut has answered the request with this error.
      if (c.env.failure !== undefined) throw c.env.failure.error;
      const { operation } = route;
      if (route.file === "EXPORT") return answerList(c, dependencies, operation);
      const format = route.file === "IMPORT" ? importFormatOf(c.req.raw.headers) : undefined;
      return format === undefined
        ? answerRequest(c, dependencies, operation)
        : answerImport(c, dependencies, credentialCallerOf(c), format);
    });
  }
}

/** Sends a list as JSON or as a file. */
async function answerList(
  c: RouteContext,
  dependencies: RowRoutesDependencies,
  operation: Operation,
): Promise<Response> {
  const format = exportFormatOf(requestHeadersOf(c).get("accept"));
  try {
    return format === undefined
      ? await answerRequest(c, dependencies, operation)
      : await exportRows(c, dependencies, operation, format);
  } catch (error) {
    const isInBody = operation === "QUERY" && error instanceof AppError;
    // A query in the URL is refused before the body is read, so its parameters are the ones at fault.
    throw isInBody && !c.req.raw.url.includes("?") ? inBody(error) : error;
  }
}

/**
 * Returns the shortcut of the service: rows, lists and writes of one row or of many are answered without the router, as
 * their routes answer them. Imports and exports are not.
 */
export function createRowShortcut(
  dependencies: RowRoutesDependencies,
): (c: BareContext) => Promise<Response> | undefined {
  return (c) => {
    const { method } = c.req.raw;
    if (method !== "GET" && method !== "POST" && method !== "PATCH" && method !== "DELETE") {
      return undefined;
    }
    const found = tablePathPattern.exec(c.req.path);
    if (found === null || otherRoutes.has(found[1] ?? "")) return undefined;
    const isRow = found[3] !== undefined;
    if (isRow ? method === "POST" : mayNameFile(c, method)) return undefined;
    c.env.route = isRow ? rowPath : tablePath;
    return answerRequest(c, dependencies, method, found);
  };
}

/** Whether a request may be an import or an export. */
function mayNameFile(c: BareContext, method: Operation): boolean {
  if (method !== "GET" && method !== "POST") return false;
  const type = requestHeadersOf(c).get(method === "GET" ? "accept" : "content-type");
  return type !== null && /csv|ndjson/i.test(type);
}

/** First segments below `/api` of other routes, which precede those of a schema with such a name. */
export const otherRoutes: ReadonlySet<string> = new Set(["files", "workflows"]);

async function answerRequest(
  c: BareContext,
  dependencies: RowRoutesDependencies,
  operation: Operation,
  match?: RegExpExecArray,
): Promise<Response> {
  const { database, engine } = dependencies;
  const receiving = { c, dependencies, operation, parse: parseRequest, match };
  const received = receiveRowRequest<DataRequest>(receiving);
  const { request, caller } = received instanceof Promise ? await received : received;
  const key = request.kind === "CREATE" ? idempotencyKeyOf(c.req.raw.headers) : null;
  const { requestId } = c.env.edge;
  if (key !== null && request.kind === "CREATE") {
    const answer = await answerOnce(database, engine, request, caller, key);
    return respond(c, { answer, lease: null });
  }
  const held = await engine.hold(request, caller);
  const { headers } = held.answer;
  if (request.kind === "READ" && isKnownVersion(requestHeadersOf(c), headers?.ETag)) {
    held.lease?.release();
    return new Response(null, { status: 304, headers: standardHeaders(requestId, headers) });
  }
  return respond(c, held);
}

async function exportRows(
  c: RouteContext,
  dependencies: RowRoutesDependencies,
  operation: Operation,
  format: ExportFormat,
): Promise<Response> {
  const receiving = { c, dependencies, operation, parse: parseExportRequest };
  const { request, caller } = await receiveRowRequest(receiving);
  return answerExport(c, dependencies, request, caller, format);
}

/** Bodies up to this size, in characters, are sent at once. */
const wholeMax = 1_048_576;

/** Sends the response of the engine; a large body in chunks. */
export function respond(c: BareContext, { answer, lease }: HeldAnswer): Response {
  const { requestId } = c.env.edge;
  const { body, status, headers } = answer;
  if (body === null) {
    lease?.release();
    return noContent(requestId, headers);
  }
  if ((lease === null && body.length <= wholeMax) || c.req.raw.method === "HEAD") {
    lease?.release();
    return jsonText(status, body, requestId, headers);
  }
  return new Response(heldBody(body, lease, c.req.raw.signal), {
    status,
    headers: standardHeaders(requestId, { "Content-Type": "application/json", ...headers }),
  });
}

interface ExportRoutesDependencies {
  readonly exports: ExportEngine;
  readonly logger: Logger;
}

/** Returns a streaming response. If the caller disconnects, the statement in PostgreSQL ends. */
async function answerExport(
  c: Context<ServiceEnvironment>,
  { exports, logger }: ExportRoutesDependencies,
  request: ExportRequest,
  caller: Caller,
  format: ExportFormat,
): Promise<Response> {
  const { requestId } = c.env.edge;
  const { method, signal } = c.req.raw;
  const isHead = method === "HEAD";
  // A HEAD request runs the checks and reads no row.
  const body = await exports.open(isHead ? { ...request, limit: 0 } : request, caller, {
    format,
    signal,
    onBroken: (error) => logger.error({ err: error, requestId }, "An export was aborted"),
  });
  if (isHead) await body.cancel();
  const headers = standardHeaders(requestId, exportHeadersOf(format, request.target.name));
  return new Response(isHead ? null : body, { headers });
}

const chunkChars = 65_536;
/** As long as a lease: after it, the text of a slow reader would be memory that no budget counts. */
const readMsMax = 60_000;

/**
 * A large body in chunks, as its reader takes them. Its lease ends with the last chunk, or when the reader leaves. A reader
 * that takes longer than `msMax` gets the body's beginning alone: the connection breaks off.
 *
 * @param lease null for a body outside the budget, such as that of a write
 */
export function heldBody(
  text: string,
  lease: Lease | null,
  signal: AbortSignal,
  msMax = readMsMax,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let rest = text;
  let at = 0;
  let tooSlow: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearTimeout(tooSlow);
    rest = "";
    lease?.release();
  };
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const expire = (): void => {
          end();
          controller.error(new Error("The caller read a large answer too slowly"));
        };
        tooSlow = setTimeout(expire, msMax).unref();
      },
      pull: (controller) => {
        let to = Math.min(at + chunkChars, rest.length);
        // A pair of surrogates stays in one chunk.
        if (to < rest.length && rest.codePointAt(to - 1) !== rest.charCodeAt(to - 1)) to += 1;
        if (to > at) controller.enqueue(encoder.encode(rest.slice(at, to)));
        at = to;
        if (at < rest.length) return;
        controller.close();
        end();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
