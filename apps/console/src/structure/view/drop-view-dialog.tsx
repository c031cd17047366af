import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { useTask } from "../../shell/use-task.ts";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useLeaveDropped } from "../draft/use-structure-change.ts";
import type { View } from "../model/queries.ts";

interface DropViewDialogProps {
  readonly view: Pick<View, "schema" | "name">;
  readonly onClose: () => void;
}

/** Drops a view: first what goes with it and what depends on it, then its name is typed. */
export function DropViewDialog({ view, onClose }: DropViewDialogProps) {
  const t = useTranslations("viewEditor");
  const words = useTranslations("manage");
  const describe = useFailureText();
  const [typed, setTyped] = useState("");
  const { schema, name } = view;
  const leave = useLeaveDropped("view", schema, name);
  const path = { schema, view: name };
  const { data, error } = useQuery({
    queryKey: ["structure-preview", "drop-view", schema, name],
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const options = { path, data: { action: "drop" as const }, signal };
      const answer = await client.admin.post("/schema/{schema}/views/{view}/preview", options);
      return "loses" in answer.data ? answer.data : undefined;
    },
  });
  const task = useTask(async () => {
    const query = { confirm: typed };
    await client.admin.delete("/schema/{schema}/views/{view}", { path, query });
    await leave();
  }, ["confirm"]);
  const dependents = data?.dependents ?? [];
  const isReady = typed === name && data !== undefined && dependents.length === 0;
  const loses = data === undefined ? [] : Object.entries(data.loses);
  return (
    <FormDialog
      title={t("dropTitle", { name })}
      onClose={onClose}
      task={task}
      submit={t("drop")}
      isReady={isReady}
    >
      {error !== null && <Notice kind="danger">{describe(error)}</Notice>}
      {data === undefined && error === null && <Skeleton label={words("loading")} rows={3} />}
      {dependents.length > 0 && (
        <Notice kind="danger">
          {t("dependents", {
            names: dependents.map(({ kind, name: one }) => `${kind} ${one}`).join(", "),
          })}
        </Notice>
      )}
      {loses.map(([kind, names]) =>
        names.length === 0 ? null : (
          <p key={kind} className="wrap-anywhere">
            <span className="text-ink-2">{t(`loses.${kind as "roles"}`)}</span> {names.join(", ")}
          </p>
        ),
      )}
      <TextField
        label={t("typeName", { name })}
        name="confirm"
        autoComplete="off"
        value={typed}
        onChange={setTyped}
        fault={task.faultAt("confirm")}
        isFirst
      />
    </FormDialog>
  );
}
