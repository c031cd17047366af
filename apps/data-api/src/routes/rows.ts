import {
  type Authenticator,
  authenticationRequired,
  type Caller,
  parseAuthorization,
} from "@rowhouse/access";
import {
  answerOnce,
  type DataAnswer,
  type DataEngine,
  type DataRequest,
  type ExportFormat,
  parseCreateRequest,
  parseDeleteManyRequest,
  parseDeleteRequest,
  parseExportRequest,
  parseListRequest,
  parseReadRequest,
  parseUpdateManyRequest,
  parseUpdateRequest,
  type RequestLimits,
  requestLimitsOf,
  type Target,
  type WriteOptions,
} from "@rowhouse/data";
import type { Database, SnapshotStore } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import {
  jsonText,
  noContent,
  rawPath,
  readJsonBody,
  requireData,
  type Service,
  type ServiceEnvironment,
} from "@rowhouse/http";
import { type Settings, settingsOf } from "@rowhouse/settings";
import type { Context } from "hono";
import { answerExport, type ExportRoutesDependencies, exportFormatOf } from "./exports.ts";
import { inTimeZone, requireIdempotencyKey, writeOptionsOf } from "./row-headers.ts";

export interface RowRoutesDependencies extends ExportRoutesDependencies {
  readonly database: Database;
  readonly engine: DataEngine;
  readonly snapshots: SnapshotStore;
  readonly authenticator: Authenticator;
}

type RowContext = Context<ServiceEnvironment>;

/** Reads a request out of its address, headers and body. */
type Parse<Parsed extends DataRequest = DataRequest> = (
  address: Address,
  limits: RequestLimits,
  options: WriteOptions,
  body: unknown,
) => Parsed;

/** `/api/{schema}/table/{table}` with rows and `/api/{schema}/view/{name}` (spec §4.2). */
export function mountRowRoutes(service: Service, dependencies: RowRoutesDependencies): void {
  const rows = "/api/:schema/table/:table";
  const row = "/api/:schema/table/:table/:id";
  const reads = (parse: Parse) => (c: RowContext) => answerRequest(c, dependencies, parse, false);
  const writes = (parse: Parse) => (c: RowContext) => answerRequest(c, dependencies, parse, true);

  const listRows = reads(({ target, query }, limits) => parseListRequest(target, query, limits));
  const list = (c: RowContext) => {
    const format = exportFormatOf(c.req.raw.headers.get("accept"));
    return format === undefined ? listRows(c) : exportRows(c, dependencies, format);
  };
  service.get(rows, list);
  service.get("/api/:schema/view/:name", list);
  service.get(
    row,
    reads(({ target, id, query }, limits) => parseReadRequest(target, id, query, limits)),
  );
  service.post(
    rows,
    writes(({ target, query }, limits, options, data) =>
      parseCreateRequest(target, query, data, limits, options),
    ),
  );
  service.patch(
    row,
    writes(({ target, id, query }, _limits, options, data) =>
      parseUpdateRequest(target, id, query, data, options),
    ),
  );
  service.patch(
    rows,
    writes(({ target, query }, limits, options, data) =>
      parseUpdateManyRequest(target, query, data, limits, options),
    ),
  );
  service.delete(
    row,
    reads(({ target, id, query }, _limits, options) =>
      parseDeleteRequest(target, id, query, options),
    ),
  );
  service.delete(
    rows,
    reads(({ target, query }, limits) => parseDeleteManyRequest(target, query, limits)),
  );
}

async function answerRequest(
  c: RowContext,
  dependencies: RowRoutesDependencies,
  parse: Parse,
  takesBody: boolean,
): Promise<Response> {
  const { database, engine } = dependencies;
  const { request, caller } = await readRequest(c, dependencies, parse, takesBody);
  const { headers } = c.req.raw;
  const key = request.kind === "CREATE" ? headers.get("idempotency-key") : null;
  const answer =
    key === null || request.kind !== "CREATE"
      ? await engine.answer(request, caller)
      : await answerOnce(database, engine, request, caller, requireIdempotencyKey(key));
  return respond(answer, c.env.edge.requestId);
}

async function exportRows(
  c: RowContext,
  dependencies: RowRoutesDependencies,
  format: ExportFormat,
): Promise<Response> {
  const { request, caller } = await readRequest(
    c,
    dependencies,
    ({ target, query }, limits) => parseExportRequest(target, query, limits),
    false,
  );
  return answerExport(c, dependencies, request, caller, format);
}

/** Who asks, and what for. */
async function readRequest<Parsed extends DataRequest>(
  c: RowContext,
  { snapshots, authenticator }: RowRoutesDependencies,
  parse: Parse<Parsed>,
  takesBody: boolean,
): Promise<{ readonly request: Parsed; readonly caller: Caller }> {
  const { headers } = c.req.raw;
  const authorization = headers.get("authorization");
  const credential = parseAuthorization(authorization);
  if (credential === undefined) throw authenticationRequired();
  const { clientAddress, requestId } = c.env.edge;
  const origin = { address: clientAddress || null, requestId };
  return { request: await parseOrRefuse(), caller: { kind: "CREDENTIAL", credential, origin } };

  async function parseOrRefuse(): Promise<Parsed> {
    const settings = settingsOf(snapshots.peek() ?? (await snapshots.current()));
    let body: unknown;
    const read = (current: Settings): Parsed => {
      const limits = requestLimitsOf(current);
      const parsed = parse(addressOf(c.req.raw), limits, writeOptionsOf(headers), body);
      const readUnder = { settings: current, again: read };
      return Object.assign(inTimeZone(parsed, headers), { readUnder });
    };
    try {
      if (takesBody) {
        const bytesMax = settings["limits.body_bytes"];
        body = requireData(await readJsonBody(c.req.raw, { bytesMax }));
      }
      return read(settings);
    } catch (error) {
      // Whoever has no good credential hears of nothing else; and the limits may have been raised a moment ago.
      await authenticator.authenticate(authorization);
      const now = settingsOf(await snapshots.fresh());
      if (now === settings || (takesBody && body === undefined)) throw error;
      return read(now);
    }
  }
}

function respond(answer: DataAnswer, requestId: string): Response {
  return answer.body === null
    ? noContent(requestId, answer.headers)
    : jsonText(answer.status, answer.body, requestId, answer.headers);
}

interface Address {
  readonly target: Target;
  /** As it was sent: its parts are decoded after they are split. */
  readonly id: string;
  readonly query: string;
}

/** `/api/{schema}/{table|view}/{name}[/{id}]`, taken apart before anything is decoded. */
function addressOf(request: Request): Address {
  const [, , schema = "", kind, name = "", id = ""] = rawPath(request).split("/");
  const { url } = request;
  const mark = url.indexOf("?");
  return {
    target: {
      schema: decodeSegment(schema),
      name: decodeSegment(name),
      kind: kind === "view" ? "VIEW" : "TABLE",
    },
    id,
    query: mark < 0 ? "" : url.slice(mark + 1),
  };
}

function decodeSegment(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw createError("NOT_FOUND");
  }
}
