import { getRouteApi } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { useListing } from "../../shell/use-listing.ts";
import { WorkflowsFrame } from "../parts/workflows-frame.tsx";
import { RunListing, runsQuery } from "./run-listing.tsx";

const route = getRouteApi("/frame/admin/workflows/runs");

/** The runs of all workflows. The filters are in the address. */
export function AllRunsPage() {
  const t = useTranslations("workflows");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const runs = useListing(["workflow-runs", "all", search], (page, signal) =>
    client.admin.get("/workflow-runs", { query: { ...runsQuery(search), ...page }, signal }),
  );
  return (
    <WorkflowsFrame tab="allRuns" text={t("allRunsText")}>
      <RunListing
        listing={runs}
        search={search}
        hasWorkflow
        onFilter={(change) =>
          void navigate({ search: (last) => ({ ...last, ...change }), replace: true })
        }
      />
    </WorkflowsFrame>
  );
}
