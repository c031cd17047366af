import { writeName } from "@rowhouse/access/written-name";
import { RowhouseError } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { labelColumn, readableColumns, titleOf } from "../model/resource.ts";
import { rowsByKey } from "../rows/load-rows.ts";
import { type GridRow, RowStore } from "../rows/row-store.ts";
import { type RowChanges, useRowChanges } from "../rows/use-row-changes.ts";
import { valueText } from "../values/show-value.ts";
import { useWays } from "../values/ways.ts";
import type { RecordAddress } from "./record-path.ts";

/** One record as it is now, and the writes of a page that has no grid of its table. */
interface OpenRecord {
  /** Undefined until it is loaded, and without one. */
  readonly row: GridRow | undefined;
  readonly error: unknown;
  /** The name by which people recognize it. */
  readonly title: string;
  readonly changes: RowChanges;
}

/** Loads one record. */
export function useRecord({ resource, key }: RecordAddress): OpenRecord {
  const ways = useWays();
  const fields = useMemo(
    () => readableColumns(resource).map(({ name }) => writeName(name)),
    [resource],
  );
  const { data: row, error } = useQuery({
    queryKey: ["record", resource.id, key],
    queryFn: async () => {
      const [found] = await rowsByKey(resource, fields, [key]);
      if (found === undefined) throw missingRow(resource.path);
      return found;
    },
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
  const [store] = useState(() => new RowStore(async () => ({ rows: [], next: null })));
  const changes = useRowChanges(resource, fields, store);
  const label = labelColumn(resource);
  const title =
    row === undefined || label === undefined || row.values[label.name] === null
      ? `${titleOf(resource)} ${key.join(", ")}`
      : valueText(label, row.values[label.name], ways);
  return { row, error, title, changes };
}

function missingRow(path: string): RowhouseError {
  const faults = [{ code: "NOT_FOUND", message: "The row does not exist" }] as const;
  return new RowhouseError({ method: "GET", path, status: 404, faults });
}
