import { useTranslations } from "use-intl";
import type { Mark, OpenPanel } from "../model/open-panel.ts";
import type { PanelWays } from "../model/panel-ways.ts";

/** What the content of every kind of panel needs. */
export interface PanelProps {
  readonly panel: OpenPanel;
  readonly ways: PanelWays;
  /** The title, or words for a panel without one. */
  readonly title: string;
  readonly onDrill: ((mark: Mark) => void) | undefined;
}

/** In place of the content of a panel without rows. */
export function NoRows() {
  const t = useTranslations("panels");
  return (
    <div className="grid h-full content-center justify-items-center gap-0.5 p-2 text-center">
      <p className="font-medium">{t("empty")}</p>
      <p className="text-2 text-ink-2">{t("emptyDetail")}</p>
    </div>
  );
}
