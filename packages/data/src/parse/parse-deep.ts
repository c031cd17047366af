import { parseFilter, readName, type Slot, splitTerms } from "@rowhouse/access";
import { createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { isObject } from "@rowhouse/wire";
import {
  inParameter,
  memberOf,
  type ObjectPlace,
  ObjectReader,
  objectSource,
  type ParameterSource,
} from "./object-reader.ts";
import {
  filterOptions,
  type ParsedQuery,
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
  const faults: Fault[] = [];
  const relations = Object.entries(query.nested.get("deep") ?? {});
  requireRelations(relations.length);
  const sources = relations.flatMap(([relation, options]): RelationSource[] => {
    const root = `deep[${relation}]`;
    if (!isObject(options)) {
      const message = `deep takes ${deepMembers.join(", ")} of a relation`;
      faults.push(createFault("QUERY_INVALID", { path: root, message }));
      return [];
    }
    for (const name of Object.keys(options)) {
      if (deepMembers.some((member) => member === name)) continue;
      const message = "Unknown parameter";
      faults.push(createFault("QUERY_INVALID", { path: `${root}[${name}]`, message }));
    }
    const source = bracketSource(options, root, limits, faults);
    return [{ relation, root, source, cursor: () => source.text("cursor") }];
  });
  return readRelations(sources, limits, slotsBefore, faults);
}

function bracketSource(
  options: Readonly<Record<string, unknown>>,
  root: string,
  limits: RequestLimits,
  faults: Fault[],
): ParameterSource {
  const pathOf = (name: string) => `${root}[${name}]`;
  const has = (name: string) => Object.hasOwn(options, name);
  const text = (name: string) => textOf(options, name);
  return {
    ...{ faults, has, text },
    terms: (name) => (has(name) ? splitTerms(text(name) ?? "") : null),
    whole: (name, fallback, max) => parseWhole(text(name), pathOf(name), fallback, max, faults),
    filter: (name, slots) =>
      has(name)
        ? parseFilter(options[name], filterOptions(limits, pathOf(name), slots))
        : { filter: null, slots },
    placeOf: (name) => ({ code: "QUERY_INVALID", path: pathOf(name) }),
  };
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
  if (input === undefined) return { deep: new Map(), slots: slotsBefore };
  const faults: Fault[] = [];
  const names = isObject(input) ? Object.keys(input) : [];
  requireRelations(names.length);
  const relations = new ObjectReader(input, place, names, faults);
  const sources = names.map((relation): RelationSource => {
    const inner = memberOf(place, relation);
    const part = new ObjectReader(relations.any(relation), inner, deepMembers, faults);
    const source = objectSource(part, inner, limits, faults);
    return { relation, root: `deep[${relation}]`, source, cursor: () => part.cursor("cursor") };
  });
  return readRelations(sources, limits, slotsBefore, faults);
}

/** One relation of `deep`. */
interface RelationSource {
  readonly relation: string;
  /** Begins the path of a fault of its cursor. */
  readonly root: string;
  readonly source: ParameterSource;
  cursor(): string | boolean | undefined;
}

function readRelations(
  relations: readonly RelationSource[],
  { limitMax }: RequestLimits,
  slotsBefore: readonly Slot[],
  faults: Fault[],
): ParsedDeep {
  const deep = new Map<string, DeepRequest>();
  let slots = slotsBefore;
  for (const { relation, root, source, cursor } of relations) {
    const { filter: where, slots: whereSlots } = source.filter("where", slots);
    const { filter: having, slots: havingSlots } = source.filter("having", whereSlots);
    slots = havingSlots;
    const pathOf = (name: string) => source.placeOf(name).path;
    deep.set(readName(relation), {
      where,
      order: readOrderTerms(source.terms("order_by") ?? [], pathOf("order_by"), faults),
      limit: source.has("limit") ? source.whole("limit", limitMax, limitMax) : null,
      offset: source.whole("offset", 0, offsetMax),
      ...readPage(cursor(), source.has("offset"), root, faults),
      groups: labelGroups(
        readGroupTerms(source.terms("group_by") ?? [], faults, pathOf("group_by")),
        source.text("labels"),
        source.placeOf("labels"),
        faults,
      ),
      having,
    });
  }
  throwFaults(faults);
  return { deep, slots };
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
