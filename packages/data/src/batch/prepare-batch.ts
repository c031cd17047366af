import type { Caller } from "@rowhouse/access";
import { AppError, createError, createFault, type Fault, faultsMax } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import type { Rights } from "../answer/prove-and-repeat.ts";
import { bindParameters } from "../execute/bind-parameters.ts";
import type { CompiledRequest, CompileRequest } from "../execute/statement-cache.ts";
import { inTimeZone, timeZoneHeader } from "../parse/headers.ts";
import {
  type ParsedBatchWrite,
  type ParsedWrite,
  parseBatch,
  type Reference,
} from "../parse/parse-batch.ts";
import { parseRequest, requestLimitsOf } from "../parse/parse-request.ts";
import type { WriteRequest } from "../parse/request.ts";

export interface BatchRequest {
  /** The body's member `data`. */
  readonly data: unknown;
  /** Bytes of the body. */
  readonly bodyBytes: number;
  /** Whether the responses have no rows. */
  readonly minimal: boolean;
  /** The header `X-Service-Timezone`; null without it. */
  readonly timeZone: string | null;
  /** The header `Idempotency-Key`; null without it. */
  readonly key: string | null;
  /** Whether the caller has left; the batch ends then, and changes nothing. */
  readonly isAbandoned: () => boolean;
}

/** A write that the caller may make, as far as that can be known before the first write of the batch. */
export interface PreparedWrite {
  readonly index: number;
  /** With null or a placeholder for each reference. */
  readonly request: WriteRequest;
  readonly compiled: CompiledRequest;
  readonly references: readonly ResolvableReference[];
}

/** The rights of one attempt and their use. */
export interface BatchRights extends Rights {
  readonly caller: Caller;
  readonly compile: CompileRequest;
}

/**
 * Parses and authorizes all writes before the first one runs, and reports the faults of all of them together.
 *
 * @throws AppError with the status of the first write that fails
 */
export function prepareBatch(batch: BatchRequest, rights: BatchRights): PreparedWrite[] {
  const settings = settingsOf(rights.snapshot);
  if (batch.bodyBytes > settings["limits.body_bytes"]) throw createError("BODY_TOO_LARGE");
  const prepared: (PreparedWrite | AppError)[] = [];
  const failed: AppError[] = [];
  for (const [index, parsed] of parseBatch(batch.data, batch.minimal).entries()) {
    const write = prepareWrite(parsed, index, prepared, batch, rights);
    prepared.push(write);
    if (write instanceof AppError) failed.push(inWrite(write, index));
    if (failed.length >= faultsMax) break;
  }
  const [first] = failed;
  if (first === undefined) {
    const writes = prepared.flatMap((write) => (write instanceof AppError ? [] : [write]));
    return writes.some(
      ({ compiled: { again, plan } }) => again !== null || plan.relation.codeAfter.length > 0,
    )
      ? writes.map((write) => withRowsReadAgain(write, rights))
      : writes;
  }
  const [fault, ...rest] = first.faults;
  const faults: [Fault, ...Fault[]] = [
    fault,
    ...rest,
    ...failed.slice(1).flatMap((error) => error.faults),
  ];
  throw new AppError(faults, { cause: first.cause, headers: first.headers, meta: first.meta });
}

function prepareWrite(
  parsed: ParsedWrite,
  index: number,
  earlier: readonly (PreparedWrite | AppError)[],
  batch: BatchRequest,
  rights: BatchRights,
): PreparedWrite | AppError {
  if (parsed instanceof AppError) return parsed;
  try {
    const request = inTimeZone(parseWrite(parsed, rights), batch.timeZone);
    const compiled = rights.compile(request, rights.snapshot, rights.principal, rights.caller);
    const found = parsed.references.map((reference) => resolvable(reference, index, earlier));
    const faults = found.flatMap((one) => ("code" in one ? [one] : []));
    const unbound = faultsOfValues(request, compiled, rights);
    const [first, ...rest] = [...faults, ...unbound];
    if (first !== undefined) return new AppError([first, ...rest]);
    const references = found.flatMap((one) => ("code" in one ? [] : [one]));
    return { index, request, compiled, references };
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** Code of the database that one write starts may change the rows of another. */
function withRowsReadAgain(write: PreparedWrite, rights: BatchRights): PreparedWrite {
  const request = { ...write.request, readAgain: true };
  const { snapshot, principal, caller } = rights;
  return { ...write, request, compiled: rights.compile(request, snapshot, principal, caller) };
}

/** @throws AppError as the route of the write does */
function parseWrite({ parts, options }: ParsedBatchWrite, rights: BatchRights): WriteRequest {
  const limits = requestLimitsOf(settingsOf(rights.snapshot));
  const request = parseRequest(parts, limits, options);
  if (request.kind === "CREATE" || request.kind === "UPDATE" || request.kind === "DELETE") {
    return request;
  }
  throw new TypeError("A batch only has writes");
}

function resolvable(
  reference: Reference,
  index: number,
  earlier: readonly (PreparedWrite | AppError)[],
): ResolvableReference | Fault {
  const source = earlier[reference.write];
  if (source === undefined || reference.write >= index) {
    const message = "A reference names an earlier write of the batch by its position, from 0";
    return createFault("BODY_INVALID", { path: reference.path, message });
  }
  // Its own faults are reported.
  if (source instanceof AppError) return { ...reference, row: null, field: "" };
  return resolvableReference(reference, source);
}

/** The values that no column can hold; a value that only PostgreSQL can judge is found when the write runs. */
function faultsOfValues(
  request: WriteRequest,
  { statement }: CompiledRequest,
  { snapshot, principal, caller }: BatchRights,
): readonly Fault[] {
  // A key that its column cannot hold is unknown, as any other key is, when the write runs.
  const parameters = statement.parameters.filter(({ kind }) => kind !== "KEY");
  try {
    bindParameters({ ...statement, parameters }, { request, snapshot, principal, caller });
    return [];
  } catch (error) {
    if (error instanceof AppError) return error.faults;
    throw error;
  }
}

/** A reference whose source gives rows, and a field that the caller may see in them. */
export interface ResolvableReference extends Reference {
  /** Position of the row in the list of the source; null for a source of one row. */
  readonly row: number | null;
  readonly field: string;
}

interface CompiledWrite {
  readonly request: WriteRequest;
  readonly compiled: Pick<CompiledRequest, "plan">;
}

/** Returns the reference with its row and field, or the fault of one that can never have a value. */
function resolvableReference(
  reference: Reference,
  { request, compiled: { plan } }: CompiledWrite,
): ResolvableReference | Fault {
  const { rest, path } = reference;
  const refuse = (message: string): Fault => createFault("BODY_INVALID", { path, message });
  if (request.kind === "DELETE" || request.minimal) {
    return refuse("The write that this reference names has no row in its response");
  }
  if (request.kind === "UPDATE" && request.selection.by === "FILTER") {
    return refuse("A reference cannot name a write by a filter");
  }
  const isList = request.kind === "CREATE" && request.isList;
  const [, position, ofRow] = (isList ? /^([0-9]{1,9})\.(.+)$/s.exec(rest) : null) ?? [];
  if (isList && (position === undefined || Number(position) >= request.rows.length)) {
    return refuse('A reference to a list names a row and its field: {"$ref": "0.2.id"}');
  }
  const field = ofRow ?? rest;
  const isSeen =
    plan.read.fieldByName(field) !== undefined || plan.relation.primaryKey.includes(field);
  if (!isSeen) return unknownInResult(path);
  return { ...reference, row: position === undefined ? null : Number(position), field };
}

/** The fault of a field that is missing, hidden from the caller, or hidden in this row. */
export function unknownInResult(path: string): Fault {
  return createFault("FIELD_UNKNOWN", {
    path,
    message: "The response of the write that this reference names has no such field",
  });
}

/**
 * Returns an error of one write with paths in the body of its batch: `/data/plate` becomes `/data/3/data/plate`. A
 * fault of a query parameter points to the path of the write and names the parameter in its details; a fault without
 * a path points to the write.
 */
export function inWrite(error: AppError, index: number): AppError {
  return error.mapFaults((fault) => faultInWrite(fault, index));
}

function faultInWrite(fault: Fault, index: number): Fault {
  const write = `/data/${index}`;
  const { path, details } = fault;
  if (path === undefined) return { ...fault, path: write };
  // The header belongs to the whole batch.
  if (path === timeZoneHeader) return fault;
  // The name of an unknown parameter may begin with a slash as well.
  if (path.startsWith("/") && fault.code !== "QUERY_INVALID") {
    return { ...fault, path: `${write}${path}` };
  }
  return { ...fault, path: `${write}/path`, details: { ...details, parameter: path } };
}
