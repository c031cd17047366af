import { useInfiniteQuery } from "@tanstack/react-query";

interface ListingPage<Item> {
  readonly data: readonly Item[];
  readonly meta: { readonly nextCursor: string | null };
}

/** A list of the service, as far as it is loaded. */
export interface Listing<Item> {
  /** Undefined until the first page is loaded. */
  readonly items: readonly Item[] | undefined;
  readonly error: unknown;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  loadMore(): void;
  reload(): void;
}

/**
 * Loads a list page by page.
 *
 * @param key key of the query, with everything that the list depends on; filters are an object at its end
 * @param load loads the page after a cursor; the first one without
 */
export function useListing<Item>(
  key: readonly unknown[],
  load: (query: { readonly cursor?: string }, signal: AbortSignal) => Promise<ListingPage<Item>>,
): Listing<Item> {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    {
      queryKey: key,
      initialPageParam: null as string | null,
      queryFn: ({ pageParam, signal }) =>
        load(pageParam === null ? {} : { cursor: pageParam }, signal),
      getNextPageParam: ({ meta }) => meta.nextCursor,
      // While filters change, the list of the last ones stays, so that nothing jumps.
      placeholderData: (previous, query) =>
        query !== undefined && differOnlyInFilters(query.queryKey, key) ? previous : undefined,
    },
  );
  return {
    items: data?.pages.flatMap((page) => page.data),
    error: data === undefined ? error : null,
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    loadMore: () => void fetchNextPage(),
    reload: () => void refetch(),
  };
}

/** Whether two keys have the same beginning and end in an object, the filters. */
function differOnlyInFilters(one: readonly unknown[], other: readonly unknown[]): boolean {
  const filters = one.at(-1);
  return (
    typeof filters === "object" &&
    filters !== null &&
    JSON.stringify(one.slice(0, -1)) === JSON.stringify(other.slice(0, -1))
  );
}
