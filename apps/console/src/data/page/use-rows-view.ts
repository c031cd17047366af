import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import { readableColumns } from "../../records/model/resource.ts";
import { emptySearch, type RowsSearch } from "../../records/rows/rows-address.ts";
import { listOf } from "../../records/table/rows-search.ts";
import { fieldsOf, shownColumns } from "../../records/table/shown-columns.ts";
import type { TableView } from "../../records/table/table-view.ts";
import type { NavigationResource } from "../../shell/navigation.ts";

/** The view of a resource's rows: what its address says, the columns, and how to change both. */
export interface RowsView extends TableView {
  readonly search: RowsSearch;
  /** Fields of the request for these columns. */
  readonly fields: readonly string[];
  /** Changes parameters of the address. Only what leads to another place is a step of the browser's history. */
  change(change: Partial<RowsSearch>, isStep?: boolean): void;
}

/** The parameters that select other rows, or another order. */
const listParts = ["where", "search", "order_by", "group"] as const;

type Widths = Readonly<Record<string, number>>;

/** The view that the address describes. */
export function useRowsView(
  resource: NavigationResource,
  resources: readonly NavigationResource[],
): RowsView {
  const search = useSearch({ from: "/frame/app/data/$schema/$kind/$name" });
  const navigate = useNavigate();
  const [widths, keepWidths] = useWidths(resource.id);
  const { fields: fieldList, pinned } = search;
  const columns = useMemo(
    () => shownColumns(resource, resources, { fields: fieldList, pinned }, widths),
    [resource, resources, fieldList, pinned, widths],
  );
  const fields = useMemo(() => fieldsOf(resource, columns), [resource, columns]);
  const change = useCallback(
    (parts: Partial<RowsSearch>, isStep = false) => {
      void navigate({
        to: ".",
        // Another list begins at its start.
        search: (last) => ({
          ...{ ...emptySearch, ...last },
          ...(listParts.some((part) => part in parts) ? { from: undefined } : {}),
          ...parts,
        }),
        replace: !isStep,
      });
    },
    [navigate],
  );
  return useMemo(
    () => ({
      ...{ resource, resources, search, columns, fields, change, orderBy: search.order_by },
      setOrder: (order) => change({ order_by: order }),
      openRecords: (paths, isStep) =>
        change({ open: paths.length === 0 ? undefined : paths }, isStep),
      allColumns: readableColumns(resource),
      resetColumns: () => change({ fields: undefined, pinned: undefined }),
      setColumns: (names) => change({ fields: listOf(names) }),
      setPinned: (names) => change({ pinned: listOf(names) }),
      setWidth: (name, width) => keepWidths((last) => ({ ...last, [name]: width })),
      groupBy: (names) => change({ group: listOf(names) }, true),
    }),
    [resource, resources, search, columns, fields, change, keepWidths],
  );
}

/** Widths are a person's own, in this browser. */
function useWidths(id: string) {
  const key = `rowhouse.widths.${id}`;
  const [state, setState] = useState(() => ({ key, widths: readWidths(key) }));
  // Another table has been opened in the same component.
  const widths = useMemo(() => (state.key === key ? state.widths : readWidths(key)), [state, key]);
  const keep = useCallback(
    (change: (last: Widths) => Widths) => {
      setState((last) => {
        const next = change(last.key === key ? last.widths : readWidths(key));
        localStorage.setItem(key, JSON.stringify(next));
        return { key, widths: next };
      });
    },
    [key],
  );
  return [widths, keep] as const;
}

function readWidths(key: string): Widths {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "{}");
    if (typeof kept !== "object" || kept === null) return {};
    return Object.fromEntries(
      Object.entries(kept).filter((entry): entry is [string, number] => Number.isFinite(entry[1])),
    );
  } catch {
    return {};
  }
}
