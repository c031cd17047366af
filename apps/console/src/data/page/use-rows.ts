import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { firstPage, type RowsRequest } from "../../records/rows/load-rows.ts";
import { RowStore, type RowsState } from "../../records/rows/row-store.ts";

/** The rows of a request. While the first page of another request loads, the rows of the last one stay. */
export function useRows(request: RowsRequest): {
  readonly store: RowStore;
  readonly state: RowsState;
  /** Whether the rows are those of an earlier request. */
  readonly isStale: boolean;
} {
  const { resource, fields, where, orderBy, search } = request;
  const whereText = JSON.stringify(where);
  const fieldList = JSON.stringify(fields);
  const store = useMemo(
    () =>
      new RowStore(
        firstPage({
          ...{ resource, orderBy, search, fields: JSON.parse(fieldList) },
          where: whereText === undefined ? undefined : JSON.parse(whereText),
        }),
      ),
    [resource, fieldList, whereText, orderBy, search],
  );
  const state = useSyncExternalStore(store.subscribe, () => store.state);
  useEffect(() => {
    store.loadMore();
    return () => store.stop();
  }, [store]);
  const last = useRef({ resource, state });
  const isWaiting = state.rows.length === 0 && !state.isComplete && state.error === undefined;
  const isStale = isWaiting && last.current.resource === resource && last.current.state !== state;
  useEffect(() => {
    if (!isWaiting) last.current = { resource, state };
  }, [isWaiting, resource, state]);
  return { store, state: isStale ? last.current.state : state, isStale };
}
