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
  parseCreateRequest,
  parseDeleteManyRequest,
  parseDeleteRequest,
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
import { inTimeZone, requireIdempotencyKey, writeOptionsOf } from "./row-headers.ts";

export interface RowRoutesDependencies {
  readonly database: Database;
  readonly engine: DataEngine;
  readonly snapshots: SnapshotStore;
  readonly authenticator: Authenticator;
}

type RowContext = Context<ServiceEnvironment>;

/** Reads a request out of its address, headers and body. */
type Parse = (
  address: Address,
  limits: RequestLimits,
  options: WriteOptions,
  body: unknown,
) => DataRequest;

/** `/api/{schema}/table/{table}` with rows and `/api/{schema}/view/{name}` (spec §4.2). */
export function mountRowRoutes(service: Service, dependencies: RowRoutesDependencies): void {
  const rows = "/api/:schema/table/:table";
  const row = "/api/:schema/table/:table/:id";
  const reads = (parse: Parse) => (c: RowContext) => answerRequest(c, dependencies, parse, false);
  const writes = (parse: Parse) => (c: RowContext) => answerRequest(c, dependencies, parse, true);

  const list = reads(({ target, query }, limits) => parseListRequest(target, query, limits));
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
  { database, engine, snapshots, authenticator }: RowRoutesDependencies,
  parse: Parse,
  takesBody: boolean,
): Promise<Response> {
  const { headers } = c.req.raw;
  const authorization = headers.get("authorization");
  const credential = parseAuthorization(authorization);
  if (credential === undefined) throw authenticationRequired();
  const caller: Caller = { kind: "CREDENTIAL", credential };
  const request = await parseOrRefuse();
  const key = request.kind === "CREATE" ? headers.get("idempotency-key") : null;
  const answer =
    key === null || request.kind !== "CREATE"
      ? await engine.answer(request, caller)
      : await answerOnce(database, engine, request, caller, requireIdempotencyKey(key));
  return respond(answer, c.env.edge.requestId);

  async function parseOrRefuse(): Promise<DataRequest> {
    const settings = settingsOf(snapshots.peek() ?? (await snapshots.current()));
    let body: unknown;
    const read = (current: Settings): DataRequest => {
      const limits = requestLimitsOf(current);
      return inTimeZone(
        parse(addressOf(c.req.raw), limits, writeOptionsOf(headers), body),
        headers,
      );
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
