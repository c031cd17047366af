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
