import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { Listing } from "../../shell/listing.tsx";
import { SearchField } from "../../shell/search-field.tsx";
import { useListing } from "../../shell/use-listing.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { workflowListKey } from "../parts/workflow-queries.ts";
import { WorkflowsFrame } from "../parts/workflows-frame.tsx";
import { NewWorkflowDialog } from "./new-workflow-dialog.tsx";
import { workflowOverviewQuery } from "./overview-query.ts";
import { RunBuckets } from "./run-buckets.tsx";
import { ScheduleList } from "./schedule-list.tsx";
import { WorkflowList } from "./workflow-list.tsx";

const route = getRouteApi("/frame/admin/workflows");

/** All workflows. The search is in the address. */
export function WorkflowsPage() {
  const t = useTranslations("workflows");
  const { search, hours = 24 } = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, setCreating] = useState(false);
  const { data: overview } = useQuery({
    ...workflowOverviewQuery(hours),
    placeholderData: keepPreviousData,
  });
  const workflows = useListing([...workflowListKey, { search }], (page, signal) =>
    client.admin.get("/workflows", {
      query: { ...(search === undefined ? {} : { search }), ...page },
      signal,
    }),
  );
  const create = (
    <ToolButton kind="primary" onClick={() => setCreating(true)}>
      {t("new")}
    </ToolButton>
  );
  const isEmpty = search === undefined && workflows.items?.length === 0;
  return (
    <WorkflowsFrame tab="workflows" text={t("text")} actions={isEmpty ? undefined : create}>
      {overview !== undefined && !isEmpty && search === undefined && (
        <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <RunBuckets
            overview={overview}
            hours={hours}
            onChange={(next) =>
              void navigate({ search: (last) => ({ ...last, hours: next }), replace: true })
            }
          />
          <ScheduleList schedules={overview.schedules} />
        </div>
      )}
      {!isEmpty && (
        <SearchField
          label={t("search")}
          value={search}
          onChange={(text) =>
            void navigate({ search: (last) => ({ ...last, search: text }), replace: true })
          }
        />
      )}
      <Listing
        listing={workflows}
        isFiltered={search !== undefined}
        empty={
          <EmptyState title={t("empty")} text={t("emptyText")}>
            {create}
          </EmptyState>
        }
      >
        {(items) => <WorkflowList workflows={items} overview={overview} />}
      </Listing>
      {isCreating && <NewWorkflowDialog onClose={() => setCreating(false)} />}
    </WorkflowsFrame>
  );
}
