import { type ReactNode, useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { useFailureText } from "../../shell/failure-text.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import { classes } from "../../ui/classes.ts";
import { Notice } from "../../ui/notice.tsx";
import { PanelHead } from "../../ui/side-panel.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { otherLists } from "../lines/line-list.ts";
import type { PushRecord, RecordAddress } from "../model/record-path.ts";
import { formWrites } from "../rows/row-writes.ts";
import type { RowChanges } from "../rows/use-row-changes.ts";
import { ConflictDialog } from "./conflict-dialog.tsx";
import { RecordForm, useRecord } from "./record-form.tsx";
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
  const { resource, key } = address;
  const [tab, setTab] = useState(rowTab);
  const { row, error, title, changes: loneChanges } = useRecord(address);
  const changes = own ?? loneChanges;
  const lists = useMemo(() => otherLists(resource, resources), [resource, resources]);
  const list = lists.find(({ name }) => relatedTab(name) === tab);
  const tabs: RecordTab[] = [
    { id: rowTab, label: t("row") },
    ...lists.map(({ name, label }) => ({ id: relatedTab(name), label })),
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
        <RelatedRows {...{ row, title, resources, onPush }} relation={list} />
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
            onSave={(base, after, lines) => changes.write(formWrites(base, after, lines))}
          />
        </div>
      )}
    </>
  );
}

interface RecordTab {
  readonly id: string;
  readonly label: string;
}

/** The tabs of a record; none if there is only one. */
function RecordTabs(props: {
  readonly label: string;
  readonly tabs: readonly RecordTab[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}) {
  if (props.tabs.length === 1) return null;
  return (
    <div
      role="tablist"
      aria-label={props.label}
      className="flex shrink-0 gap-4 overflow-x-auto border-line border-b px-4"
    >
      {props.tabs.map(({ id, label }) => (
        <button
          key={id}
          type="button"
          role="tab"
          aria-selected={props.chosen === id}
          onClick={() => props.onChoose(id)}
          className={classes(
            "-mb-px h-9 shrink-0 border-b-2 font-medium",
            props.chosen === id
              ? "border-accent text-ink"
              : "border-transparent text-ink-2 hover:text-ink",
          )}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
