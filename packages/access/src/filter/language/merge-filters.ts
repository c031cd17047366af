import type { Condition, Filter, Operand, ParsedFilter, Slot } from "./filter.ts";
import { joinPaths } from "./written-name.ts";

/**
 * Returns filters of which one matches exactly where one of the given ones does, as few as possible: equal ones become one, and
 * those that differ in one compared value become one with a list. PostgreSQL finds the rows of a list by one pass or one index, but
 * evaluates alternatives one after the other.
 *
 * @param isScalar whether a field, which may be a path, has single values and no arrays
 */
export function mergeFilters(
  filters: readonly ParsedFilter[],
  isScalar: (field: string) => boolean,
): readonly ParsedFilter[] {
  if (filters.length < 2) return filters;
  const merger = new FilterMerger(isScalar);
  const merged = merger.merge(filters.map((parsed) => merger.read(parsed)));
  return merged.map((filter) => ({ filter, slots: merger.slots }));
}

/** Returns one filter that matches where one of the given ones does; null if one of them is null and so matches everywhere. */
export function eitherFilter(
  filters: readonly (ParsedFilter | null)[],
  isScalar: (field: string) => boolean,
): ParsedFilter | null {
  const present = filters.filter((each) => each !== null);
  if (present.length < filters.length) return null;
  const merged = mergeFilters(present, isScalar);
  // They have one list of literals.
  return { filter: disjunction(merged.map(({ filter }) => filter)), slots: merged[0]?.slots ?? [] };
}

/** Returns a text that two filters share if they are the same, wherever they were written. */
export function keyOfFilter({ filter, slots }: ParsedFilter): string {
  return keyOf(filter, slots);
}

/** A filter that takes part in a conjunction, with its key. */
interface Part {
  readonly filter: Filter;
  readonly key: string;
}

/** A conjunction of parts. */
type Alternative = readonly Part[];

/** Merges filters whose literals are in one list. */
class FilterMerger {
  readonly #isScalar: (field: string) => boolean;
  readonly slots: Slot[] = [];

  constructor(isScalar: (field: string) => boolean) {
    this.#isScalar = isScalar;
  }

  /** Returns the filter with its literals in the common list. */
  read({ filter, slots }: ParsedFilter): Filter {
    const first = this.slots.push(...slots) - slots.length;
    return shiftSlots(filter, first);
  }

  /** @param within the path to the relation of the filters; undefined for the first one */
  merge(filters: readonly Filter[], within?: string): readonly Filter[] {
    const alternatives = new Map<string, Alternative>();
    for (const filter of filters.flatMap(alternativesOf)) {
      const parts = this.#partsOf(filter);
      alternatives.set(keyOfParts(parts), parts);
    }
    let merged = [...alternatives.values()];
    for (;;) {
      const fewer = this.#mergeOnce(merged, within);
      if (fewer.length === merged.length) return merged.map(filterOf);
      merged = fewer;
    }
  }

  #partsOf(filter: Filter): Alternative {
    const parts = new Map<string, Filter>();
    for (const part of conjunctsOf(filter)) parts.set(keyOf(part, this.slots), part);
    return [...parts].map(([key, part]) => ({ key, filter: part }));
  }

  /** Merges the alternatives that differ in one part; those of the largest group first. */
  #mergeOnce(alternatives: readonly Alternative[], within: string | undefined): Alternative[] {
    const groups = new Map<string, { readonly parts: Part[]; readonly members: Alternative[] }>();
    for (const alternative of alternatives) {
      for (const part of alternative) {
        const subject = this.#subjectOf(part.filter, within);
        if (subject === undefined) continue;
        const rest = alternative.filter((other) => other !== part);
        const key = JSON.stringify([subject, keyOfParts(rest)]);
        const group = groups.get(key) ?? { parts: [], members: [] };
        groups.set(key, group);
        group.parts.push(part);
        group.members.push(alternative);
      }
    }
    const taken = new Set<Alternative>();
    const added: Alternative[] = [];
    const bySize = [...groups.values()].sort((a, b) => b.members.length - a.members.length);
    for (const { parts, members } of bySize) {
      if (members.length < 2 || members.some((member) => taken.has(member))) continue;
      for (const member of members) taken.add(member);
      const filter = this.#join(
        parts.map((part) => part.filter),
        within,
      );
      const rest = members[0]?.filter((part) => !parts.includes(part)) ?? [];
      added.push([...rest, { filter, key: keyOf(filter, this.slots) }]);
    }
    return [...alternatives.filter((each) => !taken.has(each)), ...added];
  }

  /** What parts must share to be merged; undefined if none can be merged with the part. */
  #subjectOf(filter: Filter, within: string | undefined): string | undefined {
    if (filter.kind === "QUANTIFIED" && filter.quantifier === "_some") {
      return `some ${filter.field}`;
    }
    if (filter.kind !== "CONDITION" || !comparesWithValues(filter)) return undefined;
    const { field } = filter;
    const isScalar = this.#isScalar(within === undefined ? field : joinPaths(within, field));
    return isScalar ? `in ${field}` : undefined;
  }

  #join(parts: readonly Filter[], within: string | undefined): Filter {
    const [first] = parts;
    if (first?.kind === "QUANTIFIED") {
      const inner = parts.flatMap((part) => (part.kind === "QUANTIFIED" ? [part.filter] : []));
      const field = within === undefined ? first.field : joinPaths(within, first.field);
      return { ...first, filter: disjunction(this.merge(inner, field)) };
    }
    if (first?.kind !== "CONDITION") throw new TypeError("Only conditions are merged");
    const operands = parts.flatMap((part) => (part.kind === "CONDITION" ? part.operands : []));
    return { ...first, operator: "_in", operands: this.#listed(operands, first.path) };
  }

  /** All literals in one list; each other value once. */
  #listed(operands: readonly Operand[], path: string): readonly Operand[] {
    const values = new Set<string>();
    const others = new Map<string, Operand>();
    for (const operand of operands) {
      if (operand.kind === "SLOT" || operand.kind === "LIST") {
        for (const value of [this.slots[operand.slot]?.value ?? []].flat()) values.add(value);
      } else {
        others.set(JSON.stringify(operand), operand);
      }
    }
    if (values.size === 0) return [...others.values()];
    const slot = this.slots.push({ value: [...values], path }) - 1;
    return [{ kind: "LIST", slot }, ...others.values()];
  }
}

/** Whether a condition is that its field has one of some values. */
function comparesWithValues({ operator, operands, inside }: Condition): boolean {
  return (
    inside === undefined && (operator === "_eq" || operator === "_in") && operands.every(isValue)
  );
}

/** Whether an operand is one value, or a list of them, that the elements of a list may stand beside. */
function isValue(operand: Operand): boolean {
  switch (operand.kind) {
    case "SLOT":
    case "LIST":
      return operand.array === undefined;
    case "VARIABLE":
      return operand.variable.kind !== "PERIOD";
    case "FIELD":
      return false;
    default:
      return operand satisfies never;
  }
}

function alternativesOf(filter: Filter): readonly Filter[] {
  return filter.kind === "OR" ? filter.filters.flatMap(alternativesOf) : [filter];
}

function conjunctsOf(filter: Filter): readonly Filter[] {
  return filter.kind === "AND" ? filter.filters.flatMap(conjunctsOf) : [filter];
}

function filterOf(parts: Alternative): Filter {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only.filter;
  return { kind: "AND", filters: parts.map(({ filter }) => filter) };
}

function disjunction(filters: readonly Filter[]): Filter {
  const [only] = filters;
  return only !== undefined && filters.length === 1 ? only : { kind: "OR", filters };
}

function keyOfParts(parts: Alternative): string {
  return JSON.stringify(parts.map(({ key }) => key).sort());
}

/** The filter with its literals in place of their slots, and without its place in an input. */
function keyOf(filter: Filter, slots: readonly Slot[]): string {
  return JSON.stringify(filter, (name, value) => {
    if (name === "path" && typeof value === "string") return undefined;
    if (typeof value !== "object" || value === null || !("slot" in value)) return value;
    const { slot, ...rest } = value;
    const { value: literal, commas } = slots[slot] ?? {};
    return { ...rest, literal, commas };
  });
}

function shiftSlots(filter: Filter, by: number): Filter {
  const shift = <Item extends Operand>(operand: Item): Item =>
    operand.kind === "SLOT" || operand.kind === "LIST"
      ? { ...operand, slot: operand.slot + by }
      : operand;
  switch (filter.kind) {
    case "AND":
    case "OR":
      return { ...filter, filters: filter.filters.map((inner) => shiftSlots(inner, by)) };
    case "NOT":
    case "QUANTIFIED":
      return { ...filter, filter: shiftSlots(filter.filter, by) };
    case "COUNTED":
      return {
        ...filter,
        operands: filter.operands.map(shift),
        filter: shiftSlots(filter.filter, by),
      };
    case "CONDITION":
      return { ...filter, operands: filter.operands.map(shift) };
    default:
      return filter satisfies never;
  }
}
