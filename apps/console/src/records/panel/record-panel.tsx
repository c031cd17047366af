import { writeName } from "@rowhouse/access/written-name";
import { RowhouseError } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { useFailureText } from "../../shell/failure-text.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import { Notice } from "../../ui/notice.tsx";
import { PanelHead } from "../../ui/side-panel.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { labelColumn, readableColumns, titleOf } from "../model/resource.ts";
import { rowsByKey } from "../rows/load-rows.ts";
import { RowStore } from "../rows/row-store.ts";
import { type RowChanges, useRowChanges } from "../rows/use-row-changes.ts";
import { valueText } from "../values/show-value.ts";
import { useWays } from "../values/ways.ts";
import { ConflictDialog } from "./conflict-dialog.tsx";
import { RecordForm } from "./record-form.tsx";
import type { PushRecord, RecordAddress } from "./record-path.ts";
import { type RecordTab, RecordTabs } from "./record-tabs.tsx";
import { RelatedRows } from "./related-rows.tsx";
import { RowHistory } from "./row-history.tsx";

interface RecordPanelProps {
  readonly address: RecordAddress;
  readonly resources: readonly NavigationResource[];
  /** Buttons at the end of the heading. */
  readonly tools: ReactNode;
  /** The writes of the grid, for a record of its own table. */
  readonly own: RowChanges | null;
  readonly onPush: PushRecord;
}

const rowTab = "row";
const historyTab = "history";

function relatedTab(relation: string): string {
  return `related ${relation}`;
}

/** One record: its values, which can be changed, the rows that refer to it, and its history. */
export function RecordPanel({ address, resources, tools, own, onPush }: RecordPanelProps) {
  const t = useTranslations("record");
  const describe = useFailureText();
  const ways = useWays();
  const { resource, key } = address;
  const [tab, setTab] = useState(rowTab);
  const fields = useMemo(
    () => readableColumns(resource).map(({ name }) => writeName(name)),
    [resource],
  );
  const { data: row, error } = useQuery({
    queryKey: ["record", resource.id, key],
    queryFn: async () => {
      const [found] = await rowsByKey(resource, fields, [key]);
      if (found === undefined) throw missingRow(resource.path);
      return found;
    },
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
  const [lone] = useState(() => new RowStore(async () => ({ rows: [], next: null })));
  const loneChanges = useRowChanges(resource, fields, lone);
  const changes = own ?? loneChanges;
  const label = labelColumn(resource);
  const title =
    row === undefined || label === undefined || row.values[label.name] === null
      ? `${titleOf(resource)} ${key.join(", ")}`
      : valueText(label, row.values[label.name], ways);
  const lists = resource.relations.filter(
    ({ kind, columns }) => kind === "MANY" && columns !== null && columns.length > 0,
  );
  const list = lists.find(({ name }) => relatedTab(name) === tab);
  const tabs: RecordTab[] = [
    { id: rowTab, label: t("row") },
    ...lists.map(({ name }) => ({ id: relatedTab(name), label: name })),
    ...(resource.history ? [{ id: historyTab, label: t("history") }] : []),
  ];
  return (
    <>
      <PanelHead title={title}>{tools}</PanelHead>
      <RecordTabs label={title} tabs={tabs} chosen={tab} onChoose={setTab} />
      {error !== null && (
        <div className="p-4">
          <Notice kind="danger">{describe(error)}</Notice>
        </div>
      )}
      {tab === historyTab && (
        <RowHistory resource={resource} rowKey={key} row={row} changes={changes} />
      )}
      {row === undefined && error === null && tab !== historyTab && (
        <div className="p-4">
          <Skeleton label={t("loading")} rows={8} />
        </div>
      )}
      {own === null && loneChanges.conflict !== null && (
        <ConflictDialog
          resource={resource}
          conflict={loneChanges.conflict}
          onClose={loneChanges.dismiss}
          onResolve={(current, chosen) => void loneChanges.resolve(current, chosen)}
        />
      )}
      {row !== undefined && list !== undefined && (
        <RelatedRows row={row} relation={list} resources={resources} onPush={onPush} />
      )}
      {row !== undefined && (
        // Another tab keeps the draft of the form.
        <div hidden={tab !== rowTab} className="contents">
          <RecordForm
            resource={resource}
            resources={resources}
            row={row}
            error={changes.error}
            isBusy={changes.isBusy}
            onPush={onPush}
            onSave={(base, after) => changes.write({ changes: [{ row: base, after }] })}
          />
        </div>
      )}
    </>
  );
}

function missingRow(path: string): RowhouseError {
  const faults = [{ code: "NOT_FOUND", message: "The row does not exist" }] as const;
  return new RowhouseError({ method: "GET", path, status: 404, faults });
}
