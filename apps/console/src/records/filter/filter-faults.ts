import { type GroupNode, nodesOf } from "./filter-tree.ts";
import type { WrittenFilter } from "./write-where.ts";

/** A fault of a filter as the Data API reports it. */
export interface FilterFault {
  readonly message: string;
  /** A parameter, as `where[price][_gt]`, or a pointer, as `/data/where/price/_gt`. */
  readonly path?: string | undefined;
}

/** Returns the spellings that the Data API has for a place in a filter. */
function pathsOf(place: readonly string[]): readonly string[] {
  const pointer = place.map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1"));
  return [
    ["where", ...place.map((part) => `[${part}]`)].join(""),
    ["/data/where", ...pointer].join("/"),
  ];
}

/** Whether a fault is one of a filter. */
export function isFilterFault({ path }: FilterFault): boolean {
  return path !== undefined && /^(?:where(?:$|\[)|\/data\/where(?:$|\/))/.test(path);
}

/** Returns the message for each node that has a fault of its own; faults of unknown places belong to the root. */
export function faultsByNode(
  tree: GroupNode,
  { places }: WrittenFilter,
  faults: readonly FilterFault[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { path = "", message } of faults) {
    let best = { id: tree.id, length: -1 };
    for (const { id } of nodesOf(tree)) {
      const place = places.get(id);
      if (place === undefined || place.length <= best.length) continue;
      if (pathsOf(place).some((own) => isWithin(path, own))) best = { id, length: place.length };
    }
    if (!found.has(best.id)) found.set(best.id, message);
  }
  return found;
}

/** Whether a path is at a place or below it. */
function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}[`) || path.startsWith(`${place}/`);
}

/** Returns the longest path of a filter's text at which a fault stands. */
export function pathInText(
  fault: FilterFault,
  paths: Iterable<readonly string[]>,
): readonly string[] {
  const path = fault.path ?? "";
  let best: readonly string[] = [];
  for (const place of paths) {
    const isHere = pathsOf(place).some((own) => isWithin(path, own));
    if (isHere && place.length > best.length) best = place;
  }
  return best;
}
