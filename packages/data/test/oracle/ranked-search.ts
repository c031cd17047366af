import type { Access } from "./evaluate-access.ts";
import type { Condition, Filter, Table } from "./model.ts";

/** The search whose rank orders the rows: the only one of the filter, on the row or on a row that it refers to. */
export function rankedSearch(
  where: Filter | null,
  table: Table,
  access: Access,
): Condition | undefined {
  const all = where === null ? [] : [...searchesIn(where, true)];
  const [found] = all;
  if (all.length !== 1 || found?.isOfRow !== true) return undefined;
  let end: Table | undefined = table;
  for (const step of found.condition.path.steps) {
    const edge: ReturnType<Access["edge"]> = end && access.edge(end, step);
    if (edge?.kind === "MANY") return undefined;
    end = edge?.target;
  }
  return found.condition;
}

interface Found {
  readonly condition: Condition;
  readonly isOfRow: boolean;
}

function* searchesIn(filter: Filter, isOfRow: boolean): Generator<Found> {
  if ("filters" in filter) {
    for (const inner of filter.filters) yield* searchesIn(inner, isOfRow);
  } else if (filter.kind === "CONDITION") {
    if (filter.operator === "_search") yield { condition: filter, isOfRow };
  } else yield* searchesIn(filter.filter, isOfRow && filter.kind === "NOT");
}
