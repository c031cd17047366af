import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { Section } from "../../ui/section.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { WorkflowFrame } from "../parts/workflow-frame.tsx";
import type { Workflow } from "../parts/workflow-queries.ts";
import { DeleteWorkflowDialog } from "./delete-workflow-dialog.tsx";
import { InvokeGrants } from "./invoke-grants.tsx";
import { NameForm } from "./name-form.tsx";
import { Watchers } from "./watchers.tsx";

/** The settings of a workflow that are no part of its definition. */
export function WorkflowSettingsPage() {
  const { id } = useParams({ from: "/frame/admin/workflows/$id/settings" });
  return (
    <WorkflowFrame id={id}>
      {(workflow) => <Settings key={workflow.id} workflow={workflow} />}
    </WorkflowFrame>
  );
}

function Settings({ workflow }: { readonly workflow: Workflow }) {
  const t = useTranslations("workflowSettings");
  const watchers = useTranslations("workflows.watchers");
  const [isDeleting, askDelete] = useState(false);
  return (
    <div className="grid max-w-200 gap-8">
      <Section title={t("general")}>
        <NameForm workflow={workflow} />
      </Section>
      <Section title={t("grants")} text={t("grantsText")}>
        <InvokeGrants workflow={workflow} />
      </Section>
      <Section title={watchers("title")} text={watchers("text")}>
        <Watchers id={workflow.id} />
      </Section>
      <Section
        title={t("delete")}
        text={t("deleteHint")}
        aside={
          <ToolButton kind="danger" onClick={() => askDelete(true)}>
            {t("delete")}
          </ToolButton>
        }
      >
        {isDeleting && (
          <DeleteWorkflowDialog workflow={workflow} onClose={() => askDelete(false)} />
        )}
      </Section>
    </div>
  );
}
