import { isRecord } from "../errors/read-error.ts";
import { readEvents } from "../request/event-stream.ts";
import { encodeSegment, type Query } from "../request/query.ts";
import { brokenOff, type Outgoing, type Transport } from "../request/transport.ts";
import type {
  EventPathsOf,
  EventsOptions,
  OperationAnswer,
  OperationArgument,
  OperationEvent,
  OperationOf,
  OperationOptions,
  PathsOf,
} from "./operations.ts";

type Call<Operations, Method extends string> = <Path extends PathsOf<Operations, Method>>(
  path: Path,
  ...argument: OperationArgument<OperationOf<Operations, Method, Path>>
) => Promise<OperationAnswer<OperationOf<Operations, Method, Path>>>;

/** The operations of one API by method and path, as its OpenAPI document has them, with JSON alone. */
export type Calls<Operations> = {
  readonly get: Call<Operations, "GET">;
  readonly post: Call<Operations, "POST">;
  readonly put: Call<Operations, "PUT">;
  readonly patch: Call<Operations, "PATCH">;
  readonly delete: Call<Operations, "DELETE">;
};

/** The operations of one API, and its files and events. */
export type Area<Operations> = Calls<Operations> & {
  /**
   * Returns the response of a read in another media type, such as the rows of a DataView as `text/csv`.
   *
   * @throws RowhouseError if the service refuses the request
   */
  readonly download: <Path extends PathsOf<Operations, "GET">>(
    path: Path,
    options: OperationOptions<OperationOf<Operations, "GET", Path>> & { readonly accept: string },
  ) => Promise<Blob>;
  /**
   * Yields the server-sent events of an operation until its event `end`, and connects again after a lost connection.
   *
   * @throws RowhouseError if the first request fails, or if the service refuses a later one, for example because the
   * credential has ended
   */
  readonly events: <Path extends EventPathsOf<Operations>>(
    path: Path,
    options: EventsOptions<OperationOf<Operations, "GET", Path>>,
  ) => AsyncGenerator<OperationEvent<OperationOf<Operations, "GET", Path>>, void, undefined>;
};

type Options = {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly data?: unknown;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly ifMatch?: string | undefined;
  readonly lastEventId?: string | undefined;
  readonly etags?: boolean | undefined;
  readonly accept?: string | undefined;
};

/** Creates the operations whose paths begin with `prefix`. */
export function createCalls<Operations>(
  transport: Transport,
  prefix: string,
  publicPaths: readonly string[] = [],
): Calls<Operations> {
  const call =
    (method: string) =>
    async (template: string, options: Options = {}): Promise<unknown> => {
      const { path = {}, query = {}, data, body, signal, ifMatch, etags } = options;
      const request: Outgoing = {
        method,
        path: `${prefix}${fillPath(template, path)}`,
        query: areaQuery(query),
        body: data === undefined ? body : { data },
        headers: { "If-Match": ifMatch, Prefer: etags === true ? "etags" : undefined },
        signal,
        // A second DELETE may find nothing, and a POST may create twice: only reads repeat after a lost response.
        repeatable: method === "GET" ? "ALWAYS" : "UNLESS_EXECUTED",
        isPublic: publicPaths.includes(template),
      };
      const answer = await transport.json(request);
      const etag = answer.headers.get("etag") ?? undefined;
      return { ...(isRecord(answer.body) ? answer.body : {}), etag };
    };
  const calls = { get: call("GET"), post: call("POST"), put: call("PUT"), patch: call("PATCH") };
  return { ...calls, delete: call("DELETE") } as unknown as Calls<Operations>;
}

/** Creates an area whose paths begin with `prefix`. */
export function createArea<Operations>(
  transport: Transport,
  prefix: string,
  publicPaths: readonly string[] = [],
): Area<Operations> {
  const download = async (template: string, options: Options) => {
    const { path = {}, query = {}, signal, accept } = options;
    const target = { path: `${prefix}${fillPath(template, path)}`, query: areaQuery(query) };
    const headers = { Accept: accept };
    const request: Outgoing = { method: "GET", ...target, headers, signal, repeatable: "ALWAYS" };
    const response = await transport.stream(request);
    return response.blob().catch((error: unknown) => {
      throw brokenOff(request, error);
    });
  };
  const events = (template: string, options: Options) => {
    const { path = {}, query = {}, signal, lastEventId } = options;
    const target = { path: `${prefix}${fillPath(template, path)}`, query: areaQuery(query) };
    const request: Outgoing = { method: "GET", ...target, signal, repeatable: "ALWAYS" };
    return readEvents(transport, request, lastEventId);
  };
  const calls = createCalls<Operations>(transport, prefix, publicPaths);
  return { ...calls, download, events } as unknown as Area<Operations>;
}

/** Replaces each `{name}` of a path. @throws TypeError for a missing value */
function fillPath(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{([^{}]*)\}/g, (_braces, name: string) => {
    if (!Object.hasOwn(values, name)) throw new TypeError(`path.${name} is missing`);
    return encodeSegment(String(values[name]));
  });
}

function areaQuery(query: Readonly<Record<string, unknown>>): Query {
  return Object.entries(query).map(([name, value]) => [
    name,
    value === undefined ? undefined : Array.isArray(value) ? value.join() : String(value),
  ]);
}
