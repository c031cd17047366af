import { createFault, type Fault } from "@rowhouse/errors";
import type { CompiledRequest } from "../compile/statement-cache.ts";
import type { Reference } from "../parse/parse-batch.ts";
import type { WriteRequest } from "../parse/request.ts";

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
export function resolvableReference(
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
  if (!isSeen) return unknownField(path);
  return { ...reference, row: position === undefined ? null : Number(position), field };
}

/** The fault of a field that is missing, hidden from the caller, or hidden in this row. */
export function unknownField(path: string): Fault {
  return createFault("FIELD_UNKNOWN", {
    path,
    message: "The response of the write that this reference names has no such field",
  });
}
