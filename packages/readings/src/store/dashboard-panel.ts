/** The kinds of panels. */
export const panelKinds = ["FIGURE", "CHART", "PIVOT", "LIST", "TEXT"] as const;
export type PanelKind = (typeof panelKinds)[number];

/** The place of a panel on a grid of twelve columns, in cells. */
export interface PanelLayout {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** A parameter of the dashboard that filters a field of a panel. */
export interface PanelBinding {
  /** The name of the parameter. */
  readonly parameter: string;
  /** The path of the field, as the filter of the panel writes it. */
  readonly field: string;
}

/** One part of a dashboard: a figure, the groups of a chart or of a pivot table, rows, or a text. */
export interface Panel {
  /** Its id, unique within the dashboard. */
  readonly id: string;
  readonly title: string;
  readonly kind: PanelKind;
  /** Null for a text, and after the resource was dropped. */
  readonly resourceId: string | null;
  readonly layout: PanelLayout;
  readonly bindings: readonly PanelBinding[];
  readonly definition: Readonly<Record<string, unknown>>;
  readonly presentation: Readonly<Record<string, unknown>>;
}

/** A panel whose place may be missing. */
export type UnplacedPanel = Omit<Panel, "layout"> & { readonly layout?: PanelLayout | undefined };

const sizes: Readonly<Record<PanelKind, { readonly w: number; readonly h: number }>> = {
  FIGURE: { w: 3, h: 3 },
  CHART: { w: 6, h: 6 },
  PIVOT: { w: 12, h: 7 },
  LIST: { w: 12, h: 7 },
  TEXT: { w: 12, h: 3 },
};

const rowMax = 999;

/** Places each panel without a layout below all panels before it and all panels with one. */
export function placePanels(panels: readonly UnplacedPanel[]): Panel[] {
  const given = panels.flatMap(({ layout }) => layout ?? []);
  let bottom = Math.max(0, ...given.map(({ y, h }) => y + h));
  return panels.map(({ layout, ...panel }) => {
    if (layout !== undefined) return { ...panel, layout };
    const size = sizes[panel.kind];
    const place = { x: 0, y: Math.min(bottom, rowMax), ...size };
    bottom += size.h;
    return { ...panel, layout: place };
  });
}
