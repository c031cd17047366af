import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { stepKindsQuery, useStepKinds } from "../parts/kinds-query.ts";
import { WorkflowFrame } from "../parts/workflow-frame.tsx";
import { draftQuery } from "./draft-query.ts";
import { WorkflowEditor } from "./workflow-editor.tsx";

const route = getRouteApi("/frame/admin/workflows/$id");

/** The editor of a workflow. */
export function EditorPage() {
  const { id } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const words = useTranslations("manage");
  const draft = useQuery(draftQuery(id));
  const kinds = useQuery(stepKindsQuery);
  const stepKinds = useStepKinds();
  const failed = draft.error !== null ? draft : kinds.error !== null ? kinds : undefined;
  // Read here and not in the frame: a query renders only the component that reads it while it renders.
  const loaded = draft.isFetchedAfterMount ? draft.data : undefined;
  return (
    <WorkflowFrame id={id} isFull>
      {(_workflow, isLocked) =>
        loaded === undefined || stepKinds === undefined ? (
          <div className="p-4 md:p-6">
            {failed === undefined ? (
              <Skeleton label={words("loading")} rows={10} />
            ) : (
              <FailureNotice error={failed.error} onRetry={() => void failed.refetch()} />
            )}
          </div>
        ) : (
          <WorkflowEditor
            key={id}
            loaded={loaded}
            kinds={stepKinds}
            isLocked={isLocked}
            search={search}
            onSearch={(changes) =>
              void navigate({ search: (last) => ({ ...last, ...changes }), replace: true })
            }
          />
        )
      }
    </WorkflowFrame>
  );
}
