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
import { WorkflowList } from "./workflow-list.tsx";

const route = getRouteApi("/frame/admin/workflows");

/** All workflows. The search is in the address. */
export function WorkflowsPage() {
  const t = useTranslations("workflows");
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, setCreating] = useState(false);
  const { search } = filters;
  const workflows = useListing([...workflowListKey, filters], (page, signal) =>
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
      {!isEmpty && (
        <SearchField
          label={t("search")}
          value={search}
          onChange={(text) => void navigate({ search: { search: text }, replace: true })}
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
        {(items) => <WorkflowList workflows={items} />}
      </Listing>
      {isCreating && <NewWorkflowDialog onClose={() => setCreating(false)} />}
    </WorkflowsFrame>
  );
}
