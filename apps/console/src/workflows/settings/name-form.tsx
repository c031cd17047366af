import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { useLeaveGuard } from "../../shell/use-leave-guard.ts";
import { useRecordForm } from "../../shell/use-record-form.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { panelClasses } from "../../ui/section.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useWorkflowChange, type Workflow } from "../parts/workflow-queries.ts";

/** Name and slug of a workflow. Only fields that differ are sent. */
export function NameForm({ workflow }: { readonly workflow: Workflow }) {
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
  useLeaveGuard(form.name !== base.name || form.slug !== base.slug, t("leave"));
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
