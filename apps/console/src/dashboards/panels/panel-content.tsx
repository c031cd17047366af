import { lazy, Suspense } from "react";
import { useTranslations } from "use-intl";
import { WaysProvider } from "../../records/values/ways.ts";
import { Notice } from "../../ui/notice.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { Mark, OpenPanel } from "../model/open-panel.ts";
import { ChartPanel } from "./chart-panel.tsx";
import { FigurePanel } from "./figure-panel.tsx";
import { PanelTable } from "./panel-table.tsx";
import { PivotPanel } from "./pivot-panel.tsx";
import { usePanelWays } from "./use-panel-ways.ts";

interface PanelContentProps {
  readonly panel: OpenPanel;
  /** IANA name of the zone in which the service cut times into buckets. */
  readonly timeZone: string;
  /** Shows the rows behind a value; without it, values lead nowhere. */
  readonly onDrill?: ((mark: Mark) => void) | undefined;
  /** Whether the panel is being built; its rows cannot be opened then. */
  readonly isPreview?: boolean;
  /** Whether a chart is shown as the table of its values. */
  readonly isTable?: boolean;
  /** Reads this panel again after a failure. */
  readonly onRetry?: (() => void) | undefined;
}

/** The content of a panel, as high as its place. */
export function PanelContent(props: PanelContentProps) {
  const { panel, timeZone, isPreview = false, isTable = false, onRetry } = props;
  const t = useTranslations("panels");
  const ways = usePanelWays(timeZone);
  const title = panel.title === "" ? t("untitled") : panel.title;
  const mayDrill = panel.canDrill === true && !isPreview;
  const onDrill = mayDrill ? props.onDrill : undefined;
  const shared = { panel, ways, title, onDrill };
  return <WaysProvider value={ways.values}>{content()}</WaysProvider>;

  function content() {
    if (panel.error !== undefined) return <PanelFault error={panel.error} onRetry={onRetry} />;
    switch (panel.kind) {
      case "FIGURE":
        return <FigurePanel {...shared} />;
      case "CHART":
        return <ChartPanel {...shared} isTable={isTable} />;
      case "PIVOT":
        return <PivotPanel {...shared} />;
      case "LIST":
        return <PanelTable {...shared} />;
      case "TEXT":
        return <TextPanel markdown={panel.markdown ?? ""} />;
    }
  }
}

const MarkdownText = lazy(async () => ({
  default: (await import("./markdown-text.tsx")).MarkdownText,
}));

/** A text that an administrator wrote; the parser is loaded only where there is one. */
function TextPanel({ markdown }: { readonly markdown: string }) {
  return (
    <div className="h-full overflow-auto wrap-anywhere" dir="auto">
      <Suspense fallback={<p className="whitespace-pre-wrap">{markdown}</p>}>
        <MarkdownText markdown={markdown} />
      </Suspense>
    </div>
  );
}

interface PanelFaultProps {
  readonly error: { readonly code: string; readonly message: string };
  readonly onRetry: (() => void) | undefined;
}

/** Why a panel has no content; the other panels are not concerned. */
function PanelFault({ error, onRetry }: PanelFaultProps) {
  const t = useTranslations("panels");
  // Another try would have the same rights.
  if (error.code === "ACTION_DENIED") return <p className="text-ink-2">{t("denied")}</p>;
  const text = error.code === "QUERY_TIMEOUT" ? t("timeout") : `${t("failed")}. ${error.message}`;
  return (
    <div className="grid content-start justify-items-start gap-2">
      <Notice kind="danger">{text}</Notice>
      {onRetry !== undefined && <ToolButton onClick={onRetry}>{t("retry")}</ToolButton>}
    </div>
  );
}
