import {
  bindSlot,
  type Caller,
  callerPartOf,
  comparedText,
  type Principal,
  type Slot,
} from "@rowhouse/access";
import {
  arrayLiteral,
  builtInType,
  type Column,
  type Parameter,
  proofOf,
  type Snapshot,
} from "@rowhouse/db";
import {
  AppError,
  createError,
  createFault,
  escapePointer,
  type Fault,
  faultsMax,
  throwFaults,
} from "@rowhouse/errors";
import { postgresTimeZone, settingsOf } from "@rowhouse/settings";
import { isStorableText } from "@rowhouse/wire";
import type { ParameterSource, Statement } from "../compile/statement.ts";
import {
  type CreateRequest,
  changedValue,
  type DataRequest,
  type DeepRequest,
  rowIdOf,
} from "../parse/request.ts";
import { bindValue, faultsOfValue } from "./bind-value.ts";
import { listMark } from "./cursor.ts";
import { ownTagOf } from "./read-tag.ts";

export interface BindingContext {
  readonly request: DataRequest;
  readonly snapshot: Snapshot;
  readonly principal: Pick<Principal, "userId" | "tokenId" | "version" | "roleIds">;
  readonly caller: Caller;
  /** Maximum size of the response data in bytes; by default `data.max_response_bytes`. */
  readonly bytesMax?: number;
  /** The keys of written rows that are read again. */
  readonly written?: readonly (readonly string[])[];
}

/**
 * Computes the parameters of a compiled statement for one request.
 *
 * @param proof of the statement's scope in the snapshot, if it is known
 * @throws AppError VALUE_INVALID with the path of each value that its column cannot hold, NOT_FOUND for such an id
 */
export function bindParameters(
  statement: Statement,
  context: BindingContext,
  proof?: string,
): Parameter[] {
  const faults: Fault[] = [];
  const parameters = statement.parameters.map((source): Parameter => {
    if (faults.length >= faultsMax) return null;
    try {
      return source.kind === "PROOF"
        ? (proof ?? proofOf(context.snapshot, statement.scope))
        : bindParameter(source, context);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "NOT_FOUND") throw error;
      faults.push(...error.faults);
      return null;
    }
  });
  throwFaults(faults);
  return parameters;
}

function bindParameter(
  source: Exclude<ParameterSource, { kind: "PROOF" }>,
  { request, snapshot, principal, caller, bytesMax, written = [] }: BindingContext,
): Parameter {
  switch (source.kind) {
    case "VERSION":
      return principal.version;
    case "CALLER":
      return callerPartOf(caller, source.part);
    case "ACTOR":
      return bindActor(source.part, principal, caller);
    case "WRITER": {
      const { userId, tokenId } = principal;
      const request = caller.origin?.requestId ?? null;
      return JSON.stringify({ user: userId, token: tokenId, request });
    }
    case "OFFSET":
      return "offset" in request ? String(request.offset) : "0";
    case "CURSOR":
      return ("after" in request ? request.after?.[source.index] : null) ?? null;
    case "DEEP_OFFSET":
      return String(deepOf(request, source.path)?.offset ?? 0);
    case "DEEP_CURSOR":
      return deepOf(request, source.path)?.after?.[source.index] ?? null;
    case "TIME_ZONE":
      return postgresTimeZone(settingsOf(snapshot)["system.timezone"] ?? request.timeZone ?? "UTC");
    case "CONSTANT":
      return source.text;
    case "FILTER": {
      const slot = slotsOf(request)[source.binding.slot];
      if (slot === undefined) throw new TypeError("A filter's literal is missing");
      return bindSlot(source.binding, slot);
    }
    case "KEY": {
      const text = rowIdOf(request)?.[source.index];
      const key =
        text !== undefined && isStorableText(text)
          ? comparedText(source.column.type, text)
          : undefined;
      if (key === undefined) throw createError("NOT_FOUND");
      return key;
    }
    case "VALUE": {
      const [values, path] =
        request.kind === "UPDATE"
          ? [request.values, "/data"]
          : [request.kind === "CREATE" ? request.rows[0] : undefined, "/data"];
      return bindField(source.column, values?.get(source.field), path);
    }
    case "CHANGE": {
      if (request.kind !== "UPDATE") throw new TypeError("Only an update has changes");
      const { value, pointer } = changedValue(request.values.get(source.field), source.index);
      return bindChanged(value, ["/data", source.field, ...pointer]);
    }
    case "VALUES": {
      if (request.kind !== "CREATE") throw new TypeError("Only a create has rows");
      return bindRows(source, request);
    }
    case "ROWS":
      return String(request.kind === "CREATE" ? request.groups[source.group]?.positions.length : 0);
    case "IF_MATCH":
      return arrayLiteral(
        "selection" in request && request.selection.by === "KEY"
          ? (request.selection.ifMatch ?? []).map(ownTagOf)
          : [],
      );
    case "WRITTEN_KEYS":
      return arrayLiteral(written.map((key) => key[source.index] ?? null));
    case "BYTES_MAX":
      return String(bytesMax ?? settingsOf(snapshot)["data.max_response_bytes"]);
    case "LIST_MARK":
      return listMark;
    default:
      return source satisfies never;
  }
}

function deepOf(request: DataRequest, path: string): DeepRequest | undefined {
  return "deep" in request ? request.deep.get(path) : undefined;
}

function bindActor(
  part: Extract<ParameterSource, { kind: "ACTOR" }>["part"],
  { userId, tokenId }: BindingContext["principal"],
  { origin }: Caller,
): Parameter {
  switch (part) {
    case "USER":
      return userId;
    case "TOKEN":
      return tokenId;
    case "ADDRESS":
      return origin?.address ?? null;
    case "REQUEST":
      return origin?.requestId ?? null;
    default:
      return part satisfies never;
  }
}

function bindField(column: Column, value: unknown, parent: string): string | null {
  const bound = bindValue(column.type, value);
  if (bound === undefined) {
    const path = `${parent}/${escapePointer(column.name)}`;
    throw new AppError(faultsOfValue(column.type, value, path));
  }
  return bound;
}

/** A null in a change is a null of JSON. */
function bindChanged(value: unknown, [root, ...keys]: readonly string[]): string {
  if (value === null) return "null";
  const bound = bindValue(builtInType("jsonb"), value);
  if (bound != null) return bound;
  const path = [root, ...keys.map(escapePointer)].join("/");
  throw new AppError([createFault("VALUE_INVALID", { path })]);
}

/** Collects all values of one field; each error names its own row. */
function bindRows(
  { group, column, field }: Extract<ParameterSource, { kind: "VALUES" }>,
  request: CreateRequest,
): string {
  const faults: Fault[] = [];
  const texts = (request.groups[group]?.positions ?? []).map((position) => {
    if (faults.length >= faultsMax) return null;
    try {
      return bindField(column, request.rows[position]?.get(field), `/data/${position}`);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      faults.push(...error.faults);
      return null;
    }
  });
  throwFaults(faults);
  return arrayLiteral(texts);
}

/** Returns the literals of a request's filters. */
export function slotsOf(request: DataRequest): readonly Slot[] {
  if ("slots" in request) return request.slots;
  return "selection" in request && request.selection.by === "FILTER" ? request.selection.slots : [];
}
