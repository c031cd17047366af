import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import type { NavigationResource } from "../../shell/navigation.ts";
import { ZoneNote } from "../../shell/time/zone-note.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { ArrowDown, ArrowLeft, ArrowUp, Maximize2, X } from "../../ui/icons.generated.ts";
import { SidePanel } from "../../ui/side-panel.tsx";
import { type PushRecord, readRecordPath, recordPath } from "../model/record-path.ts";
import { keyOf } from "../model/resource.ts";
import type { GridRow } from "../rows/row-store.ts";
import type { RowChanges } from "../rows/use-row-changes.ts";
import { hasInstants } from "../values/value-kind.ts";
import { RecordPanel } from "./record-panel.tsx";

interface RecordStackProps {
  /** The resource of the page. */
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
  /** The loaded rows of the page, through which the panel steps. */
  readonly rows: readonly GridRow[];
  /** The writes of the page, for records of its own resource. */
  readonly changes: RowChanges;
  /** Paths of the open records, the last on top. */
  readonly open: readonly string[];
  /** Opens other records; none closes the panel. A step of the browser's history, or in place of the last one. */
  readonly onOpen: (paths: readonly string[], isStep: boolean) => void;
}

/** The records that are open beside the rows of a page: the last one is shown, the others are behind it. */
export function RecordStack(props: RecordStackProps) {
  const { resource, resources, rows, changes, open, onOpen } = props;
  const t = useTranslations("record");
  const top = open.at(-1);
  const address = useMemo(
    () => (top === undefined ? null : readRecordPath(top, resources)),
    [top, resources],
  );
  if (top === undefined) return null;
  const show = (paths: readonly string[]) => onOpen(paths, true);
  const push: PushRecord = (target, key) => show([...open, recordPath(target, key)]);
  const isOwn = address?.resource.id === resource.id;
  const step = (by: number): (() => void) | null => {
    if (!isOwn || address === null) return null;
    const id = JSON.stringify(address.key);
    const at = rows.findIndex((row) => row.id === id);
    const next = at === -1 ? undefined : rows[at + by];
    const key = next === undefined ? null : keyOf(resource, next.values);
    if (key === null) return null;
    return () => onOpen([...open.slice(0, -1), recordPath(resource, key)], false);
  };
  const tools = (
    <>
      {open.length > 1 && (
        <IconButton label={t("back")} icon={ArrowLeft} onPress={() => show(open.slice(0, -1))} />
      )}
      <IconButton label={t("previous")} icon={ArrowUp} onPress={step(-1)} />
      <IconButton label={t("next")} icon={ArrowDown} onPress={step(1)} />
      <AppLink
        href={`/app/records/${top}`}
        aria-label={t("asPage")}
        title={t("asPage")}
        className="grid size-7 shrink-0 place-items-center rounded-control text-ink-2 hover:bg-sunken hover:text-ink"
      >
        <Maximize2 size={16} aria-hidden="true" />
      </AppLink>
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
      {/* On a narrow window the panel hides the page, which names the zone. */}
      {address !== null && hasInstants(address.resource.columns) && (
        <p className="flex shrink-0 border-line border-t bg-canvas px-3.5 py-1 md:hidden">
          <ZoneNote />
        </p>
      )}
    </SidePanel>
  );
}
