import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { boardGap, boardRow, inReadingOrder, placeStyle } from "../model/board.ts";
import type { OpenDashboard } from "../model/open-dashboard.ts";
import type { Mark, OpenPanel } from "../model/open-panel.ts";
import { PanelCard } from "../panels/panel-card.tsx";

interface BoardProps {
  readonly dashboard: OpenDashboard;
  /** Whether the panels have their content; before, they have their places. */
  readonly isLoaded: boolean;
  /** Whether the content is that of other parameters. */
  readonly isStale: boolean;
  /** The panels that are read again alone. */
  readonly loading: ReadonlySet<string>;
  readonly onReload: (panel: OpenPanel) => void;
  readonly onDrill: (panelId: string, mark: Mark) => void;
}

/** The panels in their places; where there is no room for columns, one below the other as people read them. */
export function Board(props: BoardProps) {
  const t = useTranslations("dashboards");
  const { dashboard, isLoaded, isStale, loading } = props;
  const { panels, timeZone } = dashboard;
  if (panels.length === 0) return <EmptyState title={t("empty")} text={t("emptyText")} />;
  return (
    <div className="@container">
      <div
        aria-busy={!isLoaded || isStale}
        className={classes(
          "grid @min-[42rem]:grid-cols-12",
          "@min-[42rem]:auto-rows-[var(--row-height)] print:auto-rows-[minmax(var(--row-height),auto)]",
          isStale && "opacity-60",
        )}
        style={{ gap: boardGap, ...{ "--row-height": `${boardRow}px` } }}
      >
        {inReadingOrder(panels).map((panel) => (
          <div
            key={panel.id}
            className="grid min-w-0 break-inside-avoid @min-[42rem]:[grid-column:var(--column)] @min-[42rem]:[grid-row:var(--rows)] @max-[42rem]:h-(--height) print:h-auto"
            style={placeStyle(panel.layout)}
          >
            <PanelCard
              panel={panel}
              timeZone={timeZone}
              isLoading={!isLoaded || loading.has(panel.id)}
              onReload={() => props.onReload(panel)}
              onDrill={(mark) => props.onDrill(panel.id, mark)}
            />
          </div>
        ))}
      </div>
    </div>
  );
}
