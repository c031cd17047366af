import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useOpen } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { personQuery } from "../../shell/navigation.ts";
import { useTask } from "../../shell/use-task.ts";
import { Select } from "../../ui/select.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { type TriggerKind, triggerKinds } from "../parts/trigger-kind.ts";
import { workflowPath } from "../parts/workflow-paths.ts";
import { useWorkflowChange } from "../parts/workflow-queries.ts";
import { firstDefinition, slugOf } from "./first-definition.ts";

/** Creates a workflow, a draft with one step, and opens its editor. */
export function NewWorkflowDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations("workflows");
  const words = useTranslations("manage");
  const open = useOpen();
  const onChange = useWorkflowChange();
  const { data: person } = useQuery(personQuery);
  const [name, setName] = useState("");
  const [ownSlug, setOwnSlug] = useState<string>();
  const [kind, setKind] = useState<TriggerKind>("webhook");
  const slug = ownSlug ?? slugOf(name);
  const task = useTask(async () => {
    if (person === undefined) return;
    const definition = firstDefinition(kind, person.id);
    const { data } = await client.admin.post("/workflows", {
      data: { name: name.trim(), slug, definition },
    });
    await onChange(data);
    open(workflowPath(data.id));
  }, ["/data/name", "/data/slug"]);
  const isTaken = task.code === "UNIQUE_VIOLATION";
  const slugFault = isTaken ? t("slugTaken") : t("slugFault");
  return (
    <FormDialog title={t("new")} task={task} submit={words("create")} onClose={onClose}>
      <TextField
        label={words("name")}
        name="name"
        autoComplete="off"
        value={name}
        onChange={setName}
        fault={task.faultAt("/data/name") === undefined ? undefined : t("nameFault")}
        isFirst
      />
      <TextField
        label={t("slug")}
        name="slug"
        autoComplete="off"
        value={slug}
        onChange={setOwnSlug}
        hint={t("slugHint")}
        fault={task.faultAt("/data/slug") === undefined ? undefined : slugFault}
      />
      <Select
        label={t("startsBy")}
        value={kind}
        options={triggerKinds.map((value) => ({ value, label: t(`triggers.${value}`) }))}
        onChange={setKind}
      />
      <p className="text-2 text-ink-2">{t("newText")}</p>
    </FormDialog>
  );
}
