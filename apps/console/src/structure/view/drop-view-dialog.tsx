import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import { navigationQuery } from "../../shell/navigation.ts";
import { useTask } from "../../shell/use-task.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { schemaListPath } from "../model/paths.ts";
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
  const queries = useQueryClient();
  const router = useRouter();
  const [typed, setTyped] = useState("");
  const { schema, name } = view;
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
    await router.navigate({ href: schemaListPath(schema), replace: true });
    queries.removeQueries({ queryKey: ["structure", "view", schema, name] });
    await Promise.all([
      queries.invalidateQueries({ queryKey: ["structure"] }),
      queries.invalidateQueries({ queryKey: navigationQuery.queryKey }),
    ]);
  }, ["confirm"]);
  const dependents = data?.dependents ?? [];
  const isReady = typed === name && data !== undefined && dependents.length === 0;
  const loses = data === undefined ? [] : Object.entries(data.loses);
  return (
    <Dialog title={t("dropTitle", { name })} onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) task.run();
        }}
      >
        {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
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
        <DialogActions>
          <Button onPress={onClose}>{words("cancel")}</Button>
          <Button type="submit" kind="primary" isBusy={task.isBusy || !isReady}>
            {t("drop")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
