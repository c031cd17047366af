import { bindSlot, type Caller, isPossibleValue, type Principal } from "@rowhouse/access";
import { escapePointer, type Parameter, proofOf, type Snapshot } from "@rowhouse/db";
import { AppError, createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { settingsOf } from "@rowhouse/settings";
import { bindValue } from "./bind-value.ts";
import type { DataRequest } from "./request.ts";
import type { ParameterSource, Statement } from "./statement.ts";

export interface BindingContext {
  readonly request: DataRequest;
  readonly snapshot: Snapshot;
  readonly principal: Pick<Principal, "version">;
  readonly caller: Caller;
}

/**
 * The parameters of a compiled statement for one request.
 *
 * @throws AppError VALUE_INVALID with the path of each value that its column cannot hold, NOT_FOUND for such an id
 */
export function bindParameters(statement: Statement, context: BindingContext): Parameter[] {
  const faults: Fault[] = [];
  const parameters = statement.parameters.map((source): Parameter => {
    try {
      return bindParameter(source, statement, context);
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
  source: ParameterSource,
  statement: Statement,
  { request, snapshot, principal, caller }: BindingContext,
): Parameter {
  switch (source.kind) {
    case "PROOF":
      return proofOf(snapshot, statement.scope);
    case "VERSION":
      return principal.version;
    case "CALLER":
      return caller.kind === "USER" ? caller.userId : caller.credential.digest;
    case "OFFSET":
      return "offset" in request ? String(request.offset) : "0";
    case "CURSOR":
      return (request.kind === "LIST" ? request.after?.[source.index] : null) ?? null;
    case "TIME_ZONE":
      return settingsOf(snapshot)["system.timezone"] ?? request.timeZone ?? "UTC";
    case "CONSTANT":
      return source.text;
    case "FILTER": {
      const slot = "slots" in request ? request.slots[source.binding.slot] : undefined;
      if (slot === undefined) throw new TypeError("A filter's literal is missing");
      return bindSlot(source.binding, slot);
    }
    case "KEY": {
      const text = "id" in request ? request.id[source.index] : undefined;
      const isPossible =
        text !== undefined &&
        !text.includes("\0") &&
        text.isWellFormed() &&
        isPossibleValue(source.column.type, text);
      if (!isPossible) throw createError("NOT_FOUND");
      return text;
    }
    case "VALUE": {
      const value = "values" in request ? request.values.get(source.field) : undefined;
      const bound = bindValue(source.column.type, value);
      if (bound === undefined) {
        throw new AppError([createFault("VALUE_INVALID", { path: pathOfField(source.field) })]);
      }
      return bound;
    }
    default:
      return source satisfies never;
  }
}

/** The place of a field in a body. */
export function pathOfField(field: string): string {
  return `/data/${escapePointer(field)}`;
}
