import { writeJson } from "@rowhouse/client";
import { useMemo } from "react";
import { FilterBar } from "../../records/filter/filter-bar.tsx";
import type { FilterFault } from "../../records/filter/filter-faults.ts";
import type { Where } from "../../records/filter/filter-tree.ts";
import type { FilterResource } from "../../records/filter/use-filter-resource.ts";
import { faultsOf, MatchCount, useMatchCount } from "./match-count.tsx";

interface ConditionEditorProps {
  readonly found: FilterResource;
  /** The member of the request's body, such as `rowFilter`. */
  readonly part: "rowFilter" | "check";
  readonly where: Where | null;
  /** The faults of the last attempt to save. */
  readonly faults: readonly FilterFault[];
  readonly onChange: (where: Where | null) => void;
}

/** A condition on rows, in the builder of the grid, with the number of rows that it matches now. */
export function ConditionEditor(props: ConditionEditorProps) {
  const { found, part, where, faults, onChange } = props;
  const counted = useMatchCount(found, where);
  const shown = useMemo(() => {
    const own = faults
      .filter(({ path }) => path?.startsWith(`/data/${part}`))
      .map((fault) => ({ ...fault, path: fault.path?.replace(`/data/${part}`, "/data/where") }));
    return own.length > 0 ? own : faultsOf(counted.error);
  }, [faults, part, counted.error]);
  return (
    <div className="grid gap-2">
      <FilterBar
        resource={found.resource}
        resources={found.resources}
        where={where ?? undefined}
        faults={shown}
        onChange={(next) => onChange(next ?? null)}
      />
      <MatchCount
        found={found}
        where={where}
        isPersonal={where !== null && writeJson(where).includes("$USER.")}
      />
    </div>
  );
}
