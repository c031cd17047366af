import { useRef } from "react";
import { useTranslations } from "use-intl";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { PanelContent } from "../panels/panel-content.tsx";
import type { Panel } from "./draft.ts";
import type { DraftFault } from "./draft-faults.ts";
import { isComplete } from "./preview-content.ts";
import type { PanelPreview } from "./use-preview.ts";

/** WCAG 2.1.1: the keyboard scrolls a content that is larger than its panel. */
const scrollable = (name: string) => ({ role: "group", tabIndex: 0, "aria-label": name }) as const;

interface PanelViewProps {
  readonly panel: Panel;
  readonly name: string;
  readonly preview: PanelPreview | undefined;
  readonly faults: readonly Omit<DraftFault, "part">[];
  readonly onRetry: () => void;
}

/** What a panel shows to its readers; while that is read again, what it showed before. */
export function PanelView({ panel, name, preview, faults, onRetry }: PanelViewProps) {
  const t = useTranslations("dashboardBuilder");
  const last = useRef<PanelPreview>(undefined);
  if (preview !== undefined) last.current = preview;
  const shown = preview ?? last.current;
  if (!isComplete(panel)) {
    return (
      <p className="self-center text-center text-ink-2">
        {t(panel.resourceId === null ? "needsTable" : "needsColumns")}
      </p>
    );
  }
  const [fault] = faults;
  if (fault !== undefined) {
    return (
      <div className="content-start overflow-auto">
        <Notice kind="danger">{fault.message}</Notice>
      </div>
    );
  }
  if (shown === undefined || !("panel" in shown)) {
    return <Skeleton label={t("loading", { name })} rows={Math.min(8, panel.layout.h)} />;
  }
  return (
    <div
      {...scrollable(name)}
      aria-busy={preview === undefined}
      className="grid min-h-0 min-w-0 overflow-auto aria-busy:opacity-60"
    >
      <PanelContent
        panel={{ ...shown.panel, title: panel.title }}
        timeZone={shown.timeZone}
        onRetry={onRetry}
        isPreview
      />
    </div>
  );
}
