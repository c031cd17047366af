import { useId, useRef, useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import {
  ChartColumn,
  Ellipsis,
  FileSpreadsheet,
  Image,
  RefreshCw,
  Table2,
} from "../../ui/icons.generated.ts";
import { type MenuEntry, OpenMenu } from "../../ui/menu.tsx";
import { fileName, saveFile } from "../../ui/save-file.ts";
import type { Mark, OpenPanel } from "../model/open-panel.ts";
import { panelCsv } from "../model/panel-table.ts";
import { chartImage } from "./chart-image.ts";
import { PanelContent } from "./panel-content.tsx";
import { PanelSkeleton } from "./panel-skeleton.tsx";
import { usePanelWays } from "./use-panel-ways.ts";

interface PanelCardProps {
  readonly panel: OpenPanel;
  readonly timeZone: string;
  readonly isLoading: boolean;
  readonly onReload: () => void;
  readonly onDrill: (mark: Mark) => void;
}

/** A panel with its title, when it was read, and what can be done with it. */
export function PanelCard({ panel, timeZone, isLoading, onReload, onDrill }: PanelCardProps) {
  const t = useTranslations("panels");
  const format = useFormatter();
  const titleId = useId();
  const card = useRef<HTMLElement>(null);
  const [isTable, setTable] = useState(false);
  const { meta, kind } = panel;
  const title = panel.title === "" ? t("untitled") : panel.title;
  const isText = kind === "TEXT" && panel.error === undefined;
  return (
    <article
      ref={card}
      aria-labelledby={titleId}
      aria-busy={isLoading}
      className="relative grid min-h-0 min-w-0 grid-rows-[auto_minmax(0,1fr)_auto] gap-1.5 rounded-panel border border-line bg-surface px-3.5 py-2.5"
    >
      <div className="flex min-h-7 min-w-0 items-center justify-between gap-2">
        <h2
          id={titleId}
          title={title}
          dir="auto"
          className={panel.title === "" ? "sr-only" : "min-w-0 truncate font-semibold"}
        >
          {title}
        </h2>
        {!isText && (
          <PanelMenu
            {...{ panel, timeZone, title, isTable, onReload, card }}
            onTable={() => setTable(!isTable)}
          />
        )}
      </div>
      {isLoading ? (
        <PanelSkeleton kind={kind} label={t("loading", { title })} />
      ) : (
        <div className="min-h-0">
          <PanelContent {...{ panel, timeZone, isTable, onDrill }} onRetry={onReload} />
        </div>
      )}
      {!isText && (
        <p className="min-h-4 text-right text-1 text-ink-3 tabular-nums">
          {!isLoading && (
            <time dateTime={meta.asOf}>
              {t("asOf", {
                time: format.dateTime(new Date(meta.asOf), { timeStyle: "medium", timeZone }),
              })}
            </time>
          )}
        </p>
      )}
    </article>
  );
}

interface PanelMenuProps {
  readonly panel: OpenPanel;
  readonly timeZone: string;
  readonly title: string;
  readonly isTable: boolean;
  readonly onTable: () => void;
  readonly onReload: () => void;
  readonly card: React.RefObject<HTMLElement | null>;
}

function PanelMenu(props: PanelMenuProps) {
  const { panel, title, isTable, card } = props;
  const t = useTranslations("panels");
  const ways = usePanelWays(props.timeZone);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const isChart = panel.kind === "CHART" && panel.error === undefined;
  const hasRows = panel.error === undefined && (panel.rows?.length ?? 0) > 0;
  const saveImage = async () => {
    const drawing = card.current?.querySelector("[data-chart] svg");
    if (!(drawing instanceof SVGSVGElement)) return;
    saveFile(await chartImage(drawing, title, legendOf(card.current)), fileName(title, "png"));
  };
  const saveTable = () => {
    // The mark at the start tells spreadsheets that the text is UTF-8.
    const content = new Blob([`\uFEFF${panelCsv(panel, ways)}`], { type: "text/csv" });
    saveFile(content, fileName(title, "csv"));
  };
  const entries: MenuEntry[] = [
    { id: "reload", label: t("reload"), icon: RefreshCw, onPress: props.onReload },
  ];
  if (isChart) {
    entries.push({
      ...{ id: "table", onPress: props.onTable },
      ...(isTable
        ? { label: t("showChart"), icon: ChartColumn }
        : { label: t("showTable"), icon: Table2 }),
    });
  }
  if (hasRows) {
    entries.push({ id: "csv", label: t("csv"), icon: FileSpreadsheet, onPress: saveTable });
  }
  if (isChart && hasRows && !isTable) {
    entries.push({ id: "png", label: t("png"), icon: Image, onPress: () => void saveImage() });
  }
  const label = t("menu", { title });
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        title={label}
        onClick={() => setOpen(!isOpen)}
        className="grid size-7 shrink-0 place-items-center rounded-control text-ink-2 hover:bg-sunken hover:text-ink print:hidden"
      >
        <Ellipsis size={16} aria-hidden="true" />
      </button>
      {isOpen && (
        <OpenMenu
          label={label}
          beside={button}
          groups={[{ id: "panel", entries }]}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** The colors of a drawn chart with their meanings. */
function legendOf(card: Element | null): readonly { color: string; text: string }[] {
  return [...(card?.querySelectorAll("[data-legend] > li") ?? [])].map((item) => ({
    color: getComputedStyle(item.firstElementChild ?? item).backgroundColor,
    text: item.textContent ?? "",
  }));
}
