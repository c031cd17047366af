import {
  type Authenticator,
  authenticationRequired,
  type Caller,
  parseAuthorization,
} from "@rowhouse/access";
import {
  type DataAnswer,
  type DataEngine,
  type DataRequest,
  parseCreateRequest,
  parseDeleteRequest,
  parseListRequest,
  parseReadRequest,
  parseUpdateRequest,
  type RequestLimits,
  requestLimitsOf,
  type Target,
} from "@rowhouse/data";
import type { SnapshotStore } from "@rowhouse/db";
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
import { settingsOf } from "@rowhouse/settings";
import type { Context } from "hono";

export interface RowRoutesDependencies {
  readonly engine: DataEngine;
  readonly snapshots: SnapshotStore;
  readonly authenticator: Authenticator;
}

type RowContext = Context<ServiceEnvironment>;

/** Reads a request out of its address and body. */
type Parse = (address: Address, limits: RequestLimits, body: unknown) => DataRequest;

/** `/api/{schema}/table/{table}` with rows and `/api/{schema}/view/{name}` (spec §4.2). */
export function mountRowRoutes(service: Service, dependencies: RowRoutesDependencies): void {
  const answer = (parse: Parse, takesBody: boolean) => (c: RowContext) =>
    answerRequest(c, dependencies, parse, takesBody);

  const list = answer(
    ({ target, query }, limits) => parseListRequest(target, query, limits),
    false,
  );
  service.get("/api/:schema/table/:table", list);
  service.post(
    "/api/:schema/table/:table",
    answer(({ target, query }, _limits, body) => parseCreateRequest(target, query, body), true),
  );
  service.get(
    "/api/:schema/table/:table/:id",
    answer(({ target, id, query }, limits) => parseReadRequest(target, id, query, limits), false),
  );
  service.patch(
    "/api/:schema/table/:table/:id",
    answer(
      ({ target, id, query }, _limits, body) => parseUpdateRequest(target, id, query, body),
      true,
    ),
  );
  service.delete(
    "/api/:schema/table/:table/:id",
    answer(({ target, id, query }) => parseDeleteRequest(target, id, query), false),
  );
  service.get("/api/:schema/view/:name", list);
}

async function answerRequest(
  c: RowContext,
  { engine, snapshots, authenticator }: RowRoutesDependencies,
  parse: Parse,
  takesBody: boolean,
): Promise<Response> {
  const authorization = c.req.raw.headers.get("authorization");
  const credential = parseAuthorization(authorization);
  if (credential === undefined) throw authenticationRequired();
  const caller: Caller = { kind: "CREDENTIAL", credential };
  const request = await parseOrRefuse();
  return respond(await engine.answer(request, caller), c.env.edge.requestId);

  async function parseOrRefuse(): Promise<DataRequest> {
    const settings = settingsOf(snapshots.peek() ?? (await snapshots.current()));
    let body: unknown;
    try {
      if (takesBody) {
        const bytesMax = settings["limits.body_bytes"];
        body = requireData(await readJsonBody(c.req.raw, { bytesMax }));
      }
      return inTimeZone(parse(addressOf(c.req.raw), requestLimitsOf(settings), body));
    } catch (error) {
      // Whoever has no good credential hears of nothing else; and the limits may have been raised a moment ago.
      await authenticator.authenticate(authorization);
      const now = settingsOf(await snapshots.fresh());
      if (now === settings) throw error;
      return inTimeZone(parse(addressOf(c.req.raw), requestLimitsOf(now), body));
    }
  }

  function inTimeZone(request: DataRequest): DataRequest {
    const timeZone = c.req.raw.headers.get("x-service-timezone");
    return timeZone === null ? request : { ...request, timeZone: requireTimeZone(timeZone) };
  }
}

/** Only a name that Postgres knows as well: an offset or an abbreviation would mean something else there. */
function requireTimeZone(name: string): string {
  if (timeZones.has(name)) return name;
  throw createError("QUERY_INVALID", {
    path: "X-Service-Timezone",
    message: "This is not an IANA time zone name",
  });
}

const timeZones: ReadonlySet<string> = new Set(["UTC", ...Intl.supportedValuesOf("timeZone")]);

function respond(answer: DataAnswer, requestId: string): Response {
  return answer.body === null
    ? noContent(requestId)
    : jsonText(answer.status, answer.body, requestId);
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
