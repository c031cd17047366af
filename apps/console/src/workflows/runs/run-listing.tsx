import { useTranslations } from "use-intl";
import { Listing } from "../../shell/listing.tsx";
import type { Listing as LoadedListing } from "../../shell/use-listing.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { RunSummary } from "../parts/workflow-queries.ts";
import { RunFilters } from "./run-filters.tsx";
import { RunList } from "./run-list.tsx";
import type { RunsSearch } from "./runs-search.ts";

interface RunListingProps {
  readonly listing: LoadedListing<RunSummary>;
  readonly search: RunsSearch;
  readonly hasWorkflow: boolean;
  readonly onFilter: (change: RunsSearch) => void;
}

/** A list of runs with its filters. */
export function RunListing({ listing, search, hasWorkflow, onFilter }: RunListingProps) {
  const t = useTranslations("workflows");
  const slugs = new Map(listing.items?.map((run) => [run.workflowId, run.workflowSlug]));
  const { orderBy: _, ...filters } = search;
  return (
    <>
      <RunFilters
        search={search}
        nameOf={(name, value) => (name === "workflowId" ? (slugs.get(value) ?? value) : value)}
        onChange={onFilter}
      />
      {search.search !== undefined && listing.items?.length === 0 && listing.hasMore && (
        <Notice kind="info">{t("searchGoesOn")}</Notice>
      )}
      <Listing
        listing={listing}
        isFiltered={Object.values(filters).some((value) => value !== undefined)}
        empty={<EmptyState title={t("noRuns")} text={t("noRunsText")} />}
      >
        {(runs) => <RunList runs={runs} hasWorkflow={hasWorkflow} onFilter={onFilter} />}
      </Listing>
    </>
  );
}
