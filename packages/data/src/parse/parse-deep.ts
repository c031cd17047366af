import { parseFilter, readName, type Slot, splitTerms } from "@rowhouse/access";
import { createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { isObject } from "@rowhouse/wire";
import { inParameter, memberOf, type ObjectPlace, ObjectReader } from "./object-reader.ts";
import {
  filterOptions,
  type ParsedQuery,
  type ParsedWhere,
  parseJsonParameter,
  parseWhole,
  type RequestLimits,
} from "./query-parameters.ts";
import type { DeepRequest, DeepRequests } from "./request.ts";
import { labelGroups, readGroupTerms, readOrderTerms } from "./terms.ts";

/** The members of `deep` for one relation. */
export const deepMembers = [
  "where",
  "order_by",
  "limit",
  "offset",
  "cursor",
  "group_by",
  "labels",
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
 * Parses `deep` as JSON or in brackets: `deep={"trips":{"limit":5}}`,
 * `deep[trips][limit]=5&deep[trips][order_by]=-started_at&deep[trips][where][distance][_gt]=10`.
 *
 * @throws AppError QUERY_INVALID
 */
export function parseDeep(
  query: ParsedQuery,
  limits: RequestLimits,
  slotsBefore: readonly Slot[],
): ParsedDeep {
  const json = query.single.get("deep");
  if (json !== undefined) {
    return readDeep(parseJsonParameter("deep", json), inParameter("deep"), limits, slotsBefore);
  }
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
      groups: labelGroups(
        readGroupTerms(termsOf("group_by"), faults, `${root}[group_by]`),
        textOf(options, "labels"),
        { code: "QUERY_INVALID", path: `${root}[labels]` },
        faults,
      ),
      having,
    });
  }
  throwFaults(faults);
  return { deep, slots };
}

/**
 * Reads `{ "trips": { "where": …, "order_by": ["-started_at"], "limit": 5 } }`.
 *
 * @throws AppError with the code of the place for a member of a wrong type, else QUERY_INVALID
 */
export function readDeep(
  input: unknown,
  place: ObjectPlace,
  limits: RequestLimits,
  slotsBefore: readonly Slot[],
): ParsedDeep {
  const deep = new Map<string, DeepRequest>();
  if (input === undefined) return { deep, slots: slotsBefore };
  const faults: Fault[] = [];
  const names = isObject(input) ? Object.keys(input) : [];
  requireRelations(names.length);
  const relations = new ObjectReader(input, place, names, faults);
  let slots = slotsBefore;
  for (const name of names) {
    const inner = memberOf(place, name);
    const part = new ObjectReader(relations.any(name), inner, deepMembers, faults);
    const filterOf = (member: "where" | "having") => {
      const parsed = readFilter(part.any(member), memberOf(inner, member), limits, slots);
      slots = parsed.slots;
      return parsed.filter;
    };
    const where = filterOf("where");
    const having = filterOf("having");
    deep.set(readName(name), {
      where,
      order: readOrderTerms(part.texts("order_by") ?? [], inner.pathOf(["order_by"]), faults),
      limit: part.whole("limit", limits.limitMax) ?? null,
      offset: part.whole("offset", offsetMax) ?? 0,
      ...readPage(part.cursor("cursor"), part.has("offset"), `deep[${name}]`, faults),
      groups: labelGroups(
        readGroupTerms(part.texts("group_by") ?? [], faults, inner.pathOf(["group_by"])),
        part.text("labels"),
        { code: inner.code, path: inner.pathOf(["labels"]) },
        faults,
      ),
      having,
    });
  }
  throwFaults(faults);
  return { deep, slots };
}

/** Parses a filter that was sent as JSON; undefined is none. */
export function readFilter(
  input: unknown,
  { pathOf }: ObjectPlace,
  limits: RequestLimits,
  slots: readonly Slot[],
): ParsedWhere {
  if (input === undefined) return { filter: null, slots };
  return parseFilter(input, { ...filterOptions(limits, "", slots), commaLists: false, pathOf });
}

/** @throws AppError QUERY_INVALID for more relations than `deep` takes */
function requireRelations(count: number): void {
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
function readPage(
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
