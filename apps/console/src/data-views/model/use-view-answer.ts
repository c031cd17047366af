import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ViewAnswer, ViewQuery, ViewSource } from "./open-view.ts";
import type { ViewState } from "./view-state.ts";

/** Rows of the first page: few enough to be painted at once. */
const pageSize = 100;

/** Returns the part of the rows that a person has chosen, which every layout reads. */
export function chosenRows({ where, search }: Pick<ViewState, "where" | "search">): ViewQuery {
  return {
    ...(where === undefined ? {} : { where }),
    ...(search === undefined ? {} : { search }),
  };
}

/** The DataView with its first rows, for the state of the page. */
export function useViewAnswer(source: ViewSource, state: ViewState) {
  const { where, search, order_by: order } = state;
  const query = useMemo(
    (): ViewQuery => ({
      ...chosenRows({ where, search }),
      ...(order === undefined ? {} : { order_by: order }),
      ...{ limit: pageSize, count: "exact", summaries: true },
    }),
    [where, search, order],
  );
  const { data, error, isPlaceholderData, refetch } = useQuery(
    queryOptions({
      queryKey: ["data view", source.key, query],
      queryFn: ({ signal }): Promise<ViewAnswer> => source.read(query, signal),
      placeholderData: keepPreviousData,
      // Edited rows stay where they are until the person loads again.
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    }),
  );
  return { answer: data, error, query, isStale: isPlaceholderData, reload: () => void refetch() };
}
