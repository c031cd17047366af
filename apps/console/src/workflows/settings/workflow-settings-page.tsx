import { useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useOpen } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { LockedFields } from "../../shell/managed.tsx";
import { renew } from "../../shell/renew.ts";
import { useRecordForm } from "../../shell/use-record-form.ts";
import { useTask } from "../../shell/use-task.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { panelClasses, Section } from "../../ui/section.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { WorkflowFrame } from "../parts/workflow-frame.tsx";
import { useWorkflowChange, type Workflow, workflowListKey } from "../parts/workflow-queries.ts";
import { InvokeGrants } from "./invoke-grants.tsx";
import { Watchers } from "./watchers.tsx";

/** The settings of a workflow that are no part of its definition. */
export function WorkflowSettingsPage() {
  const { id } = useParams({ from: "/frame/admin/workflows/$id/settings" });
  return (
    <WorkflowFrame id={id}>
      {(workflow, isLocked) => (
        <Settings key={workflow.id} workflow={workflow} isLocked={isLocked} />
      )}
    </WorkflowFrame>
  );
}

function Settings(props: { readonly workflow: Workflow; readonly isLocked: boolean }) {
  const { workflow, isLocked } = props;
  const t = useTranslations("workflowSettings");
  const watchers = useTranslations("workflows.watchers");
  const [isDeleting, askDelete] = useState(false);
  return (
    <div className="grid max-w-200 gap-8">
      <Section title={t("general")}>
        <LockedFields isLocked={isLocked}>
          <NameForm workflow={workflow} />
        </LockedFields>
      </Section>
      <Section title={t("grants")} text={t("grantsText")}>
        <LockedFields isLocked={isLocked}>
          <InvokeGrants workflow={workflow} />
        </LockedFields>
      </Section>
      <Section title={watchers("title")} text={watchers("text")}>
        <Watchers id={workflow.id} />
      </Section>
      <Section
        title={t("delete")}
        text={t("deleteHint")}
        aside={
          <ToolButton kind="danger" disabled={isLocked} onClick={() => askDelete(true)}>
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

interface DeleteWorkflowDialogProps {
  readonly workflow: Workflow;
  readonly onClose: () => void;
}

/** Deletes a workflow with its history. Its slug is typed first, because nothing of it comes back. */
function DeleteWorkflowDialog({ workflow, onClose }: DeleteWorkflowDialogProps) {
  const t = useTranslations("workflowSettings");
  const cache = useQueryClient();
  const open = useOpen();
  const [typed, setTyped] = useState("");
  const task = useTask(async () => {
    await client.admin.delete("/workflows/{id}", { path: { id: workflow.id } });
    await renew(cache, { queryKey: workflowListKey });
    open("/admin/workflows");
  }, []);
  return (
    <FormDialog
      title={t("deleteTitle", { name: workflow.name })}
      submit={t("delete")}
      task={task}
      isDanger
      isReady={typed === workflow.slug}
      onClose={onClose}
    >
      <p>{t("deleteText")}</p>
      {workflow.enabled && <p>{t("deleteEnabled")}</p>}
      <TextField
        label={t("typeSlug", { slug: workflow.slug })}
        name="confirm"
        autoComplete="off"
        value={typed}
        onChange={setTyped}
        isFirst
      />
    </FormDialog>
  );
}

/** Name and slug of a workflow. Only fields that differ are sent. */
function NameForm({ workflow }: { readonly workflow: Workflow }) {
  const t = useTranslations("workflowSettings");
  const words = useTranslations("manage");
  const onChange = useWorkflowChange();
  const path = { id: workflow.id };
  const { base, form, setForm, outcome, task } = useRecordForm({
    record: formOf(workflow),
    tidy: ({ name, slug }) => ({ name: name.trim(), slug: slug.trim() }),
    read: async () => {
      const { data, etag } = await client.admin.get("/workflows/{id}", { path });
      return { fields: formOf(data), etag };
    },
    write: async (data, ifMatch) => {
      const answer = await client.admin.patch("/workflows/{id}", { path, data, ifMatch });
      await onChange(answer.data);
      return formOf(answer.data);
    },
    pointers: ["/data/name", "/data/slug"],
  });
  return (
    <form noValidate onSubmit={task.submit} className={panelClasses}>
      {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
      {outcome === "changed" && (
        <Notice kind="danger">{t("changed", { name: base.name, slug: base.slug })}</Notice>
      )}
      <TextField
        label={words("name")}
        name="name"
        autoComplete="off"
        value={form.name}
        onChange={(name) => setForm({ ...form, name })}
        fault={task.faultAt("/data/name")}
      />
      <TextField
        label={t("slug")}
        name="slug"
        autoComplete="off"
        value={form.slug}
        onChange={(slug) => setForm({ ...form, slug })}
        hint={t("slugHint")}
        fault={task.faultAt("/data/slug")}
      />
      {form.slug.trim() !== base.slug && <Notice kind="info">{t("slugChange")}</Notice>}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" kind="primary" isBusy={task.isBusy}>
          {words("save")}
        </Button>
        {outcome === "saved" && <Notice kind="ok">{words("saved")}</Notice>}
      </div>
    </form>
  );
}

function formOf({ name, slug }: Workflow): Pick<Workflow, "name" | "slug"> {
  return { name, slug };
}
