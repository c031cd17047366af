import type { z } from "zod";
import {
  type DashboardInput,
  type dashboardInput,
  type Panel,
  plainPresentations,
} from "./dashboard-schemas.ts";
import type { Parameter } from "./parameter-schemas.ts";

type Body = z.output<typeof dashboardInput>;

/** Returns the dashboard of a body, with the defaults of omitted members. */
export function dashboardOfBody(given: Body): DashboardInput {
  return {
    name: given.name,
    description: "",
    icon: null,
    position: 0,
    refreshSeconds: null,
    roleIds: [],
    parameters: [],
    panels: [],
    ...partsOfBody(given),
  };
}

type BodyParts = { readonly [Key in keyof Body]?: Body[Key] | undefined };
type Parts = { -readonly [Key in keyof DashboardInput]?: DashboardInput[Key] };

/** Returns the given members of a body. */
export function partsOfBody({ parameters, panels, ...given }: BodyParts): Parts {
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  return {
    ...(Object.fromEntries(present) as Omit<Parts, "parameters" | "panels">),
    ...(parameters === undefined ? {} : { parameters: parametersOfBody(parameters) }),
    ...(panels === undefined ? {} : { panels: placePanels(panelsOfBody(panels)) }),
  };
}

/** Returns the parameters of a body with the defaults of omitted members. */
function parametersOfBody(given: NonNullable<Body["parameters"]>): Parameter[] {
  return given.map((item): Parameter => {
    switch (item.kind) {
      case "PERIOD":
        return { ...item, default: item.default ?? null };
      case "VALUE":
        return { ...item, multiple: item.multiple ?? false, default: item.default ?? null };
      case "PERSON": {
        const { resourceId = null, field = null } = item;
        return { ...item, resourceId, field, default: item.default ?? null };
      }
      default:
        return item satisfies never;
    }
  });
}

/** Returns the panels of a body with the defaults of omitted members, without their places. */
function panelsOfBody(given: NonNullable<Body["panels"]>) {
  return given.map(({ title = "", presentation, resourceId = null, layout, ...item }) => ({
    ...item,
    title,
    resourceId,
    layout,
    bindings: "bindings" in item ? (item.bindings ?? []) : [],
    presentation: presentation ?? plainPresentations[item.kind],
  }));
}

/** A panel whose place may be missing. */
type UnplacedPanel = Omit<Panel, "layout"> & { readonly layout?: Panel["layout"] | undefined };

const sizes: Readonly<Record<Panel["kind"], { readonly w: number; readonly h: number }>> = {
  FIGURE: { w: 3, h: 3 },
  CHART: { w: 6, h: 6 },
  PIVOT: { w: 12, h: 7 },
  LIST: { w: 12, h: 7 },
  TEXT: { w: 12, h: 3 },
};

const rowMax = 999;

/** Places each panel without a layout below all panels before it and all panels with one. */
function placePanels(panels: readonly UnplacedPanel[]): Panel[] {
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
