import { getRouteApi } from "@tanstack/react-router";
import type { Definition } from "../model/definition.ts";
import { WorkflowFrame } from "../parts/workflow-frame.tsx";
import { TestPanel } from "./test-panel.tsx";

const route = getRouteApi("/frame/admin/workflows/$id/test");

/** Tests the stored draft of a workflow. */
export function TestPage() {
  const { id } = route.useParams();
  return (
    <WorkflowFrame id={id}>
      {({ definition }) => (
        <div className="max-w-400">
          <TestPanel
            key={id}
            workflowId={id}
            definition={definition as Definition}
            dirty={false}
            onSave={async () => true}
          />
        </div>
      )}
    </WorkflowFrame>
  );
}
