import { ArrowDown, ArrowLeft, ArrowUp, X } from "lucide-react";
import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { keyOf } from "../../records/model/resource.ts";
import type { RowsState } from "../../records/rows/row-store.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { SidePanel } from "../../ui/side-panel.tsx";
import type { RowChanges } from "../page/use-row-changes.ts";
import type { RowsView } from "../page/use-rows-view.ts";
import { RecordPanel } from "./record-panel.tsx";
import { type PushRecord, readRecordPath, recordPath } from "./record-path.ts";

interface RecordStackProps {
  readonly view: RowsView;
  readonly resources: readonly NavigationResource[];
  readonly state: RowsState;
  readonly changes: RowChanges;
}

/** The records that are open beside the grid: the last one is shown, the others are behind it. */
export function RecordStack({ view, resources, state, changes }: RecordStackProps) {
  const t = useTranslations("record");
  const { open = [] } = view.search;
  const top = open.at(-1);
  const address = useMemo(
    () => (top === undefined ? null : readRecordPath(top, resources)),
    [top, resources],
  );
  if (top === undefined) return null;
  const show = (paths: readonly string[]) =>
    view.change({ open: paths.length === 0 ? undefined : paths }, true);
  const push: PushRecord = (resource, key) => show([...open, recordPath(resource, key)]);
  const isOwn = address?.resource.id === view.resource.id;
  const step = (by: number): (() => void) | null => {
    if (!isOwn || address === null) return null;
    const id = JSON.stringify(address.key);
    const at = state.rows.findIndex((row) => row.id === id);
    const next = at === -1 ? undefined : state.rows[at + by];
    const key = next === undefined ? null : keyOf(view.resource, next.values);
    if (key === null) return null;
    return () => view.change({ open: [...open.slice(0, -1), recordPath(view.resource, key)] });
  };
  const tools = (
    <>
      {open.length > 1 && (
        <IconButton label={t("back")} icon={ArrowLeft} onPress={() => show(open.slice(0, -1))} />
      )}
      <IconButton label={t("previous")} icon={ArrowUp} onPress={step(-1)} />
      <IconButton label={t("next")} icon={ArrowDown} onPress={step(1)} />
      <IconButton label={t("close")} icon={X} onPress={() => show([])} />
    </>
  );
  return (
    <SidePanel label={t("record")}>
      {address === null ? (
        <div className="flex items-start gap-1 p-4">
          <p className="flex-1 text-ink-2">{t("missing")}</p>
          {tools}
        </div>
      ) : (
        <RecordPanel
          key={top}
          address={address}
          resources={resources}
          tools={tools}
          own={isOwn ? changes : null}
          onPush={push}
        />
      )}
    </SidePanel>
  );
}
