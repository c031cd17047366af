import { readPath } from "@rowhouse/access";
import { createFault, type Fault } from "@rowhouse/errors";
import { type FieldTerm, readFieldTerm } from "./field-term.ts";
import { requirePossible } from "./possible-terms.ts";
import type { ListRequest, OrderTerm } from "./request.ts";

const fieldsMax = 1600;
const orderMax = 32;

/** Reads the terms of `fields`; null, for all fields, if they are missing or only `*`. */
export function readFields(
  terms: readonly string[] | null,
  faults: Fault[],
): readonly FieldTerm[] | null {
  if (terms === null || (terms.length === 1 && terms[0] === "*")) return null;
  const path = "fields";
  if (!requirePossible(terms, fieldsMax, path, faults)) return [];
  const fields = distinct(terms.map(readFieldTerm));
  if (fields.length === 0 || fields.includes("")) {
    faults.push(createFault("QUERY_INVALID", { path, message: "fields is a list of field names" }));
  }
  return fields;
}

function distinct(terms: readonly FieldTerm[]): FieldTerm[] {
  if (terms.every((term) => typeof term === "string")) return [...new Set(terms)];
  return [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()];
}

/** Reads the terms of an order: `-created_at`, `plate:nulls_last`. */
export function readOrder(terms: readonly string[], path: string, faults: Fault[]): OrderTerm[] {
  if (!requirePossible(terms, orderMax, path, faults)) return [];
  const order = terms.map(orderTermOf);
  const names = order.map((term) => term.field);
  if (names.includes("") || new Set(names).size < names.length) {
    const message = "order_by is a list of different fields: -created_at,plate:nulls_last";
    faults.push(createFault("QUERY_INVALID", { path, message }));
  }
  return order;
}

/** Reads `-created_at`, `plate:nulls_last`, `-"a,b"`. */
export function orderTermOf(written: string): OrderTerm {
  const descending = written.startsWith("-");
  const name = descending ? written.slice(1) : written;
  const nulls = name.endsWith(":nulls_last")
    ? "LAST"
    : name.endsWith(":nulls_first")
      ? "FIRST"
      : null;
  const field = nulls === null ? name : name.slice(0, name.lastIndexOf(":"));
  const term: OrderTerm = { field: readPath(field), descending, nulls };
  return field === "_rank" ? { ...term, mayBeRank: true } : term;
}

/**
 * Reads the kind of count.
 *
 * @param fault code and path of the fault for any other text
 */
export function readCount(
  text: string | undefined,
  { code, path }: Pick<Fault, "code" | "path">,
  faults: Fault[],
): ListRequest["count"] {
  if (text === undefined || text === "exact" || text === "estimated") return text ?? null;
  faults.push(createFault(code, { path, message: "count takes exact or estimated" }));
  return null;
}
