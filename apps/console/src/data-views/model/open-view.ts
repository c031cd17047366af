import type { OpenDataView as Answer } from "@rowhouse/client";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ReadingAnswer, ReadingQuery, ReadRows } from "../../records/readings/open-reading.ts";
import type { Received } from "../../shell/client.ts";
import type { ViewState } from "./view-state.ts";

/** A DataView with rows. */
type OpenDataView = Received<Answer>;

/** A column of a kanban. */
export type ViewGroup = NonNullable<OpenDataView["groups"]>[number];

/** The answer of a DataView. */
export type ViewAnswer = ReadingAnswer<OpenDataView>;

/** The part of a DataView that its reader asks for. */
export interface ViewQuery extends ReadingQuery {
  /** Of a calendar: rows that end after it. */
  readonly from?: string;
  /** Of a calendar: rows that start before it. */
  readonly to?: string;
  /** Of a kanban: one value of its group. */
  readonly group?: unknown;
}

/** Where the rows of a DataView come from: the App API, or a preview of the administration. */
export interface ViewSource {
  /** Differs between two DataViews, and between two states of one that is being built. */
  readonly key: string;
  /** Whether the rows are those of a preview, which nobody changes. */
  readonly isPreview: boolean;
  readonly read: ReadRows<ViewQuery, OpenDataView>;
}

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
