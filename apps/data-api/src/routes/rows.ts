import { hash } from "node:crypto";
import type { Authenticator, Caller } from "@rowhouse/access";
import {
  addressOfMatch,
  answerOnce,
  type DataEngine,
  type DataRequest,
  type ExportEngine,
  type ExportFormat,
  type ExportRequest,
  exportFormatOf,
  exportHeadersOf,
  type HeldAnswer,
  inBody,
  isKnownVersion,
  parseAddress,
  parseExportRequest,
  parseRequest,
  type RequestOrigin,
  type RequestParser,
  type RequestParts,
  receiveRequest,
  requestOriginOf,
  rowPath,
  rowRoutes,
  tablePath,
  tablePathPattern,
  wantsTag,
} from "@rowhouse/data";
import {
  type Database,
  parseIdempotencyKey,
  type Snapshot,
  type SnapshotStore,
} from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import {
  type BareContext,
  jsonText,
  noContent,
  type Service,
  type ServiceEnvironment,
  splitQuery,
  standardHeaders,
} from "@rowhouse/http";
import type { Logger } from "@rowhouse/service";
import { type Settings, settingsOf } from "@rowhouse/settings";
import type { Context } from "hono";
import { credentialCallerOf, requestHeadersOf } from "../caller/request-headers.ts";
import { heldBody } from "./held-body.ts";
import { answerImport, type ImportRoutesDependencies, importFormatOf } from "./imports.ts";
import { lengthOf, type RowBody, readRowBody } from "./row-body.ts";

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
  if (request.kind === "CREATE" || request.kind === "UPDATE" || request.kind === "DELETE") {
    const key = parseIdempotencyKey(c.req.raw.headers.get("idempotency-key"));
    if (key !== null) {
      const answer = await answerOnce(database, engine, request, caller, key);
      return respond(c, { answer, lease: null });
    }
  }
  const held = await engine.hold(request, caller);
  const given = requestHeadersOf(c);
  if (operation !== "GET" || !wantsTag(given)) return respond(c, held);
  const tagged = withTag(held);
  const { headers } = tagged.answer;
  if (!isKnownVersion(given, headers?.ETag)) return respond(c, tagged);
  held.lease?.release();
  const { requestId } = c.env.edge;
  return new Response(null, { status: 304, headers: standardHeaders(requestId, headers) });
}

/** Adds the `ETag` of a list, which only a reader with `If-None-Match` gets: a hash of a large body takes milliseconds. */
function withTag({ answer, lease }: HeldAnswer): HeldAnswer {
  const { body, headers } = answer;
  if (body === null || headers?.ETag !== undefined || body.length > wholeMax) {
    return { answer, lease };
  }
  const tag = `"${hash("sha256", body)}"`;
  return { answer: { ...answer, headers: { ...headers, ETag: tag } }, lease };
}

async function exportRows(
  c: RouteContext,
  dependencies: RowRoutesDependencies,
  operation: Operation,
  format: ExportFormat,
): Promise<Response> {
  const parse: RequestParser<ExportRequest> = (...parts) => parseExportRequest(...parts, format);
  const receiving = { c, dependencies, operation, parse };
  const { request, caller } = await receiveRowRequest(receiving);
  return answerExport(c, dependencies, request, caller, format);
}

/** A request for rows that has arrived. */
interface Receiving<Parsed extends DataRequest> {
  readonly c: BareContext;
  readonly dependencies: RowRoutesDependencies;
  readonly operation: RequestParts["method"];
  readonly parse: RequestParser<Parsed>;
  /** The match of the path with `tablePathPattern`, if it is known. */
  readonly match?: RegExpExecArray | undefined;
}

interface Received<Parsed> {
  readonly request: Parsed;
  readonly caller: Caller;
}

/**
 * Parses a request; without a promise if it has no body and no fault.
 *
 * @throws AppError of the contract; AUTHENTICATION_REQUIRED before any other one
 */
function receiveRowRequest<Parsed extends DataRequest>(
  receiving: Receiving<Parsed>,
): Received<Parsed> | Promise<Received<Parsed>> {
  const { c, dependencies, operation } = receiving;
  const caller = credentialCallerOf(c);
  const snapshot = dependencies.snapshots.peek();
  return snapshot === undefined || hasBody(operation)
    ? readBodyAndParse(receiving, caller, snapshot)
    : parseReceived(receiving, caller, undefined, settingsOf(snapshot));
}

function hasBody(operation: RequestParts["method"]): boolean {
  return operation === "POST" || operation === "PATCH" || operation === "QUERY";
}

async function readBodyAndParse<Parsed extends DataRequest>(
  receiving: Receiving<Parsed>,
  caller: Caller,
  known: Snapshot | undefined,
): Promise<Received<Parsed>> {
  const { c, dependencies, operation } = receiving;
  const settings = settingsOf(known ?? (await dependencies.snapshots.current()));
  if (!hasBody(operation)) return parseReceived(receiving, caller, undefined, settings);
  let body: RowBody;
  try {
    const { incoming } = c.env;
    body = await readRowBody(c.req.raw, dependencies, settings, { incoming });
  } catch (error) {
    return parseAgain(receiving, caller, { origin: undefined, settings, error });
  }
  return parseReceived(receiving, caller, body.data, body.settings);
}

function parseReceived<Parsed extends DataRequest>(
  receiving: Receiving<Parsed>,
  caller: Caller,
  data: unknown,
  settings: Settings,
): Received<Parsed> | Promise<Received<Parsed>> {
  let origin: RequestOrigin | undefined;
  try {
    origin = originOf(receiving, data, settings);
    return { request: receiveRequest(receiving.parse, origin), caller };
  } catch (error) {
    return parseAgain(receiving, caller, { origin, settings, error });
  }
}

interface Fault {
  readonly origin: RequestOrigin | undefined;
  readonly settings: Settings;
  readonly error: unknown;
}

/** A caller without a valid credential gets no other error than that; and the limits may have just been raised. */
async function parseAgain<Parsed extends DataRequest>(
  { c, dependencies, parse }: Receiving<Parsed>,
  caller: Caller,
  { origin, settings, error }: Fault,
): Promise<Received<Parsed>> {
  const { snapshots, authenticator } = dependencies;
  await authenticator.authenticate(c.req.raw.headers.get("authorization"));
  const now = settingsOf(await snapshots.fresh());
  if (now === settings || origin === undefined) throw error;
  return { request: receiveRequest(parse, { ...origin, settings: now }), caller };
}

/** @throws AppError NOT_FOUND for another path, QUERY_INVALID for a header that the request cannot honor */
function originOf(
  { c, operation, match }: Pick<Receiving<DataRequest>, "c" | "operation" | "match">,
  data: unknown,
  settings: Settings,
): RequestOrigin {
  const { headers, url } = c.req.raw;
  const { target, id } =
    match === undefined ? parseAddress(c.req.path, operation) : addressOfMatch(match);
  const [, query] = splitQuery(url);
  return requestOriginOf(requestHeadersOf(c), {
    parts: { target, id, method: operation, query, data },
    bodyBytes: data === undefined ? 0 : lengthOf(headers),
    settings,
    // The signal is created on first use, which is a slow statement.
    isAbandoned: () => c.req.raw.signal.aborted,
  });
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
