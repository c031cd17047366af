import type { Authenticator, Caller } from "@rowhouse/access";
import {
  addressOfMatch,
  type DataRequest,
  parseAddress,
  type RequestOrigin,
  type RequestParser,
  type RequestParts,
  receiveRequest,
  requestOriginOf,
} from "@rowhouse/data";
import type { Snapshot, SnapshotStore } from "@rowhouse/db";
import { type BareContext, splitQuery } from "@rowhouse/http";
import { type Settings, settingsOf } from "@rowhouse/settings";
import { credentialCallerOf, requestHeadersOf } from "./request-headers.ts";
import { lengthOf, readRowBody } from "./row-body.ts";

/** A request for rows that has arrived. */
export interface Receiving<Parsed extends DataRequest> {
  readonly c: BareContext;
  readonly dependencies: {
    readonly snapshots: SnapshotStore;
    readonly authenticator: Authenticator;
  };
  readonly operation: RequestParts["method"];
  readonly parse: RequestParser<Parsed>;
  /** The match of the path with `tablePathPattern`, if it is known. */
  readonly match?: RegExpExecArray | undefined;
}

export interface Received<Parsed> {
  readonly request: Parsed;
  readonly caller: Caller;
}

/**
 * Parses a request; without a promise if it has no body and no fault.
 *
 * @throws AppError of the contract; AUTHENTICATION_REQUIRED before any other one
 */
export function receiveRowRequest<Parsed extends DataRequest>(
  receiving: Receiving<Parsed>,
): Received<Parsed> | Promise<Received<Parsed>> {
  const { c, dependencies, operation, parse } = receiving;
  const caller = credentialCallerOf(c);
  const snapshot = dependencies.snapshots.peek();
  if (snapshot === undefined || hasBody(operation)) {
    return readBodyAndParse(receiving, caller, snapshot);
  }
  const settings = settingsOf(snapshot);
  let origin: RequestOrigin | undefined;
  try {
    origin = originOf(receiving, undefined, settings);
    return { request: receiveRequest(parse, origin), caller };
  } catch (error) {
    return parseAgain(receiving, caller, { origin, settings, error });
  }
}

function hasBody(operation: RequestParts["method"]): boolean {
  return operation === "POST" || operation === "PATCH" || operation === "QUERY";
}

async function readBodyAndParse<Parsed extends DataRequest>(
  receiving: Receiving<Parsed>,
  caller: Caller,
  known: Snapshot | undefined,
): Promise<Received<Parsed>> {
  const { c, dependencies, operation, parse } = receiving;
  let settings = settingsOf(known ?? (await dependencies.snapshots.current()));
  let origin: RequestOrigin | undefined;
  try {
    let data: unknown;
    if (hasBody(operation)) {
      const { incoming } = c.env;
      ({ data, settings } = await readRowBody(c.req.raw, dependencies, settings, { incoming }));
    }
    origin = originOf(receiving, data, settings);
    return { request: receiveRequest(parse, origin), caller };
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
