import { getRouteApi } from "@tanstack/react-router";
import { client } from "../../shell/client.ts";
import { useListing } from "../../shell/use-listing.ts";
import { WorkflowFrame } from "../parts/workflow-frame.tsx";
import { RunListing, runsQuery } from "./run-listing.tsx";

const route = getRouteApi("/frame/admin/workflows/$id/runs");

/** The runs of a workflow. The filters are in the address. */
export function WorkflowRunsPage() {
  const { id } = route.useParams();
  return <WorkflowFrame id={id}>{() => <Runs id={id} />}</WorkflowFrame>;
}

function Runs({ id }: { readonly id: string }) {
  const { workflowId: _, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const runs = useListing(["workflow-runs", id, search], (page, signal) =>
    client.admin.get("/workflows/{id}/runs", {
      path: { id },
      query: { ...runsQuery(search), ...page },
      signal,
    }),
  );
  return (
    <RunListing
      listing={runs}
      search={search}
      hasWorkflow={false}
      onFilter={(change) =>
        void navigate({ search: (last) => ({ ...last, ...change }), replace: true })
      }
    />
  );
}
