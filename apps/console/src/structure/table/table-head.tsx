import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useFormatter, useLocale, useTranslations } from "use-intl";
import { ConfirmationFields, isConfirmed, LossList } from "../../changes/change-lists.tsx";
import { bytesText } from "../../records/values/show-number.ts";
import { AppLink } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { useFailureText } from "../../shell/failure-text.ts";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { resourcePath } from "../../shell/navigation.ts";
import { useTask } from "../../shell/use-task.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { linkClasses } from "../../ui/classes.ts";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { useDraft } from "../draft/draft-context.ts";
import { useLeaveDropped } from "../draft/use-structure-change.ts";
import type { Table } from "../model/queries.ts";
import { StructureTrail } from "./structure-trail.tsx";

interface TableHeadProps {
  readonly onApply: () => void;
  readonly onDrop: () => void;
}

/** Where one is, how large the table is, and what can be done with the draft. */
export function TableHead({ onApply, onDrop }: TableHeadProps) {
  const t = useTranslations("structure");
  const words = useTranslations("tableDraft");
  const { schema, table, isLocked, changeCount, isChanged, compiled, preview, discard } =
    useDraft();
  const failing = preview.effects?.failingRows ?? [];
  const mayApply =
    changeCount > 0 &&
    preview.isCurrent &&
    preview.effects !== undefined &&
    failing.length === 0 &&
    compiled.missing.length === 0;
  return (
    <div className="sticky top-0 z-10 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-b bg-canvas px-4 py-2 max-md:static md:px-6">
      <h1 className="flex min-w-0 flex-wrap items-baseline gap-x-1.5 text-4 font-semibold wrap-anywhere">
        <StructureTrail schema={schema} />
        <span dir="auto">{table === null ? t("newTable") : table.name}</span>
        {table !== null && <TableFacts table={table} />}
      </h1>
      <div className="flex flex-wrap items-center gap-2">
        {table !== null && (
          <AppLink
            href={resourcePath({ schema, name: table.name, kind: "TABLE" })}
            className={linkClasses}
          >
            {t("openRows")}
          </AppLink>
        )}
        {table !== null && !isChanged && (
          <ToolButton kind="danger" disabled={isLocked} onClick={onDrop}>
            {words("dropTable")}
          </ToolButton>
        )}
        {isChanged && (
          <>
            <span
              role="status"
              className="rounded-full bg-accent-soft px-2.5 py-0.5 text-2 font-medium text-accent"
            >
              {table === null ? words("newDraft") : words("draft", { count: changeCount })}
            </span>
            <ToolButton onClick={discard}>{words("discard")}</ToolButton>
            <ToolButton kind="primary" disabled={!mayApply} onClick={onApply}>
              {words(table === null ? "create" : "apply")}
            </ToolButton>
          </>
        )}
      </div>
    </div>
  );
}

function TableFacts({ table }: { readonly table: Table }) {
  const t = useTranslations("structure");
  const format = useFormatter();
  const locale = useLocale();
  const { rowEstimate, tableBytes, indexBytes } = table;
  const rows = rowEstimate === null ? t("unknown") : format.number(rowEstimate);
  const size =
    tableBytes === null || indexBytes === null
      ? t("unknown")
      : bytesText(String(tableBytes + indexBytes), locale);
  return <span className="font-normal text-3 text-ink-2">{t("facts", { rows, size })}</span>;
}

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
      isDanger
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
