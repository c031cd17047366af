import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { FailureNotice } from "./failure-notice.tsx";
import type { Listing as LoadedListing } from "./use-listing.ts";

interface ListingProps<Item> {
  readonly listing: LoadedListing<Item>;
  /** Whether filters narrow the list, so that it can be empty although there are entries. */
  readonly isFiltered: boolean;
  /** In place of a list without entries. */
  readonly empty: ReactNode;
  readonly children: (items: readonly Item[]) => ReactNode;
}

/** A list as far as it is loaded: its entries, or why there are none, and the way to more. */
export function Listing<Item>({ listing, isFiltered, empty, children }: ListingProps<Item>) {
  const words = useTranslations("manage");
  const { items, error } = listing;
  if (error !== null) return <FailureNotice error={error} onRetry={listing.reload} />;
  if (items === undefined) return <Skeleton label={words("loading")} rows={6} />;
  if (items.length === 0) {
    return isFiltered ? <EmptyState title={words("nothingFound")} /> : empty;
  }
  return (
    <>
      {children(items)}
      {listing.hasMore && (
        <div>
          <Button isBusy={listing.isLoadingMore} onPress={listing.loadMore}>
            {words("more")}
          </Button>
        </div>
      )}
    </>
  );
}
