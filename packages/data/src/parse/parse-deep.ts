import { parseFilter, readName, type Slot, splitTerms } from "@rowhouse/access";
import { createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { isObject } from "@rowhouse/wire";
import {
  filterOptions,
  type ParsedQuery,
  parseWhole,
  type RequestLimits,
} from "./query-parameters.ts";
import type { DeepRequest, DeepRequests } from "./request.ts";
import { readGroupTerms, readOrderTerms } from "./terms.ts";

/** The members of `deep` for one relation. */
export const deepMembers = [
  "where",
  "order_by",
  "limit",
  "offset",
  "cursor",
  "group_by",
  "having",
] as const;

export interface ParsedDeep {
  readonly deep: DeepRequests;
  readonly slots: readonly Slot[];
}

/** Maximum number of relations in `deep`. */
export const relationsMax = 100;

export const offsetMax = Number.MAX_SAFE_INTEGER;

/** The fault of a list with both. */
export const cursorWithOffset = createFault("QUERY_INVALID", {
  path: "offset",
  message: "A cursor takes the place of an offset",
});

/**
 * Parses `deep[trips][limit]=5&deep[trips][order_by]=-started_at&deep[trips][where][distance][_gt]=10`.
 *
 * @throws AppError QUERY_INVALID
 */
export function parseDeep(
  query: ParsedQuery,
  limits: RequestLimits,
  slotsBefore: readonly Slot[],
): ParsedDeep {
  const deep = new Map<string, DeepRequest>();
  const faults: Fault[] = [];
  let slots = slotsBefore;
  const relations = Object.entries(query.nested.get("deep") ?? {});
  requireRelations(relations.length);
  for (const [relation, options] of relations) {
    const root = `deep[${relation}]`;
    if (!isObject(options)) {
      const message = `deep takes ${deepMembers.join(", ")} of a relation`;
      faults.push(createFault("QUERY_INVALID", { path: root, message }));
      continue;
    }
    for (const name of Object.keys(options)) {
      if (deepMembers.some((member) => member === name)) continue;
      const message = "Unknown parameter";
      faults.push(createFault("QUERY_INVALID", { path: `${root}[${name}]`, message }));
    }
    const filterOf = (name: "where" | "having") => {
      if (!Object.hasOwn(options, name)) return null;
      const parsed = parseFilter(options[name], filterOptions(limits, `${root}[${name}]`, slots));
      slots = parsed.slots;
      return parsed.filter;
    };
    const termsOf = (name: "order_by" | "group_by") => {
      const text = textOf(options, name);
      return text === undefined ? [] : splitTerms(text);
    };
    const numberOf = (name: "limit" | "offset", max: number) =>
      parseWhole(textOf(options, name), `${root}[${name}]`, 0, max, faults);
    const where = filterOf("where");
    const having = filterOf("having");
    deep.set(readName(relation), {
      where,
      order: readOrderTerms(termsOf("order_by"), `${root}[order_by]`, faults),
      limit: Object.hasOwn(options, "limit") ? numberOf("limit", limits.limitMax) : null,
      offset: numberOf("offset", offsetMax),
      ...readPage(textOf(options, "cursor"), Object.hasOwn(options, "offset"), root, faults),
      groups: readGroupTerms(termsOf("group_by"), faults, `${root}[group_by]`),
      having,
    });
  }
  throwFaults(faults);
  return { deep, slots };
}

/** @throws AppError QUERY_INVALID for more relations than `deep` takes */
export function requireRelations(count: number): void {
  if (count <= relationsMax) return;
  const message = `deep takes at most ${relationsMax} relations`;
  throw createError("QUERY_INVALID", { path: "deep", message });
}

/** Returns a value; for a group an invalid one, undefined without the member. */
function textOf(options: Readonly<Record<string, unknown>>, name: string): string | undefined {
  if (!Object.hasOwn(options, name)) return undefined;
  const value = options[name];
  return typeof value === "string" ? value : "";
}

/**
 * Reads the cursor of a list in a row: `true` requests the cursor of the next page, and a cursor that page.
 *
 * @param root begins the path of a fault
 */
export function readPage(
  cursor: string | boolean | undefined,
  hasOffset: boolean,
  root: string,
  faults: Fault[],
): Pick<DeepRequest, "isPaged" | "cursor" | "after"> {
  const isFirst = cursor === true || cursor === "true";
  if (cursor !== undefined && !isFirst && hasOffset) {
    faults.push({ ...cursorWithOffset, path: `${root}[offset]` });
  }
  const isSent = typeof cursor === "string" && !isFirst;
  return {
    isPaged: cursor !== undefined && cursor !== false,
    cursor: isSent ? cursor : null,
    after: null,
  };
}

/** Returns the part of `deep` on which the statement depends: offsets and cursors are parameters. */
export function deepShape(deep: DeepRequests): unknown {
  return Array.from(deep, ([path, { where, order, limit, offset, isPaged, groups, having }]) => [
    ...[path, where, order, limit, offset > 0, isPaged, groups, having],
  ]);
}
