import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { useTask } from "../../shell/use-task.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useLeaveDropped } from "../draft/use-structure-change.ts";
import type { Table } from "../model/queries.ts";
import { ConfirmationFields, isConfirmed } from "../preview/confirmation-fields.tsx";
import { LossList } from "../preview/loss-list.tsx";

interface DropTableDialogProps {
  readonly table: Pick<Table, "schema" | "name">;
  readonly onClose: () => void;
}

/** Drops a table: first what goes with it, then its name is typed. */
export function DropTableDialog({ table, onClose }: DropTableDialogProps) {
  const t = useTranslations("tableDraft");
  const describe = useFailureText();
  const [cascade, setCascade] = useState(false);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const { schema, name } = table;
  const leave = useLeaveDropped("table", schema, name);
  const path = { schema, table: name };
  const { data, error } = useQuery({
    queryKey: ["structure-preview", "drop", schema, name, cascade],
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const options = { path, data: { cascade }, signal };
      return (await client.admin.post("/schema/{schema}/tables/{table}/drop-preview", options))
        .data;
    },
  });
  const confirmations = data?.confirmations ?? [];
  const isReady = data !== undefined && isConfirmed(confirmations, typed);
  const task = useTask(async () => {
    const query = {
      confirm: typed[confirmations[0]?.path ?? ""] ?? "",
      cascade: cascade ? ("true" as const) : ("false" as const),
    };
    await client.admin.delete("/schema/{schema}/tables/{table}", { path, query });
    await leave();
  }, ["confirm"]);
  return (
    <FormDialog
      title={t("dropTitle", { name })}
      onClose={onClose}
      task={task}
      submit={t("dropTable")}
      isReady={isReady}
    >
      {error !== null && <Notice kind="danger">{describe(error)}</Notice>}
      {data === undefined && error === null && <Skeleton label={t("computing")} rows={4} />}
      {data !== undefined && <LossList losses={data.losses} />}
      {(cascade || error !== null) && (
        <Checkbox label={t("cascade")} isChecked={cascade} onChange={setCascade} />
      )}
      {data?.notes.map((note) => (
        <p key={note} className="text-ink-2">
          {note}
        </p>
      ))}
      <ConfirmationFields
        confirmations={confirmations}
        typed={typed}
        onChange={setTyped}
        faultAt={task.faultAt}
      />
    </FormDialog>
  );
}
