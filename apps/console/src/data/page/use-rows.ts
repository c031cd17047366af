import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { countRows, firstPage, type RowsRequest } from "../../records/rows/load-rows.ts";
import { RowCount } from "../../records/rows/row-count.ts";
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
  const count = useMemo(() => {
    const parts = { search, where: readWhere(whereText) };
    return new RowCount((signal) => countRows(resource, parts, signal));
  }, [resource, whereText, search]);
  const store = useMemo(() => {
    const parts = { resource, orderBy, search, fields: JSON.parse(fieldList) };
    return new RowStore(firstPage({ ...parts, where: readWhere(whereText) }), count);
  }, [resource, fieldList, whereText, orderBy, search, count]);
  const state = useSyncExternalStore(store.subscribe, () => store.state);
  useEffect(() => {
    store.loadMore();
    return () => store.stop();
  }, [store]);
  useEffect(() => () => count.stop(), [count]);
  const last = useRef({ resource, state });
  const isWaiting = state.rows.length === 0 && !state.isComplete && state.error === undefined;
  const isStale = isWaiting && last.current.resource === resource && last.current.state !== state;
  useEffect(() => {
    if (!isWaiting) last.current = { resource, state };
  }, [isWaiting, resource, state]);
  return { store, state: isStale ? last.current.state : state, isStale };
}

function readWhere(text: string | undefined): RowsRequest["where"] {
  return text === undefined ? undefined : JSON.parse(text);
}
