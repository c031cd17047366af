import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { renew } from "../../shell/renew.ts";
import { useTask } from "../../shell/use-task.ts";
import { TextField } from "../../ui/text-field.tsx";

interface SaveSampleDialogProps {
  readonly workflowId: string;
  /** An input, or the run whose stored input is saved. */
  readonly source: { readonly data: unknown } | { readonly run: string };
  readonly onSaved?: (id: string) => void;
  readonly onClose: () => void;
}

/** Asks for a name, and saves an input as a sample. */
export function SaveSampleDialog({ workflowId, source, onSaved, onClose }: SaveSampleDialogProps) {
  const t = useTranslations("workflows.test");
  const words = useTranslations("manage");
  const cache = useQueryClient();
  const [name, setName] = useState("");
  const task = useTask(async () => {
    const { data } = await client.admin.post("/workflows/{id}/samples", {
      path: { id: workflowId },
      data: { name: name.trim(), ...source },
    });
    await renew(cache, { queryKey: samplesQuery(workflowId).queryKey });
    onSaved?.(data.id);
    onClose();
  }, ["/data/name"]);
  return (
    <FormDialog title={t("saveSample")} task={task} submit={words("save")} onClose={onClose}>
      <TextField
        label={words("name")}
        name="name"
        autoComplete="off"
        value={name}
        onChange={setName}
        fault={task.faultAt("/data/name")}
        hint={t("sampleHint")}
        isFirst
      />
    </FormDialog>
  );
}

/** `GET /admin/api/workflows/{id}/samples`: at most 100, without their data. */
export const samplesQuery = (id: string) =>
  queryOptions({
    queryKey: ["workflow-samples", id],
    queryFn: async ({ signal }) =>
      (
        await client.admin.get("/workflows/{id}/samples", {
          path: { id },
          query: { limit: 100 },
          signal,
        })
      ).data,
  });

/** `GET /admin/api/workflows/{id}/examples`: the steps that have one. */
export const examplesQuery = (id: string) =>
  queryOptions({
    queryKey: ["workflow-examples", id],
    queryFn: async ({ signal }) =>
      (await client.admin.get("/workflows/{id}/examples", { path: { id }, signal })).data,
  });
