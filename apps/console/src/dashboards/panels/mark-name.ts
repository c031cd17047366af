import type { ChartCell } from "../model/chart-data.ts";

/** The name by which the frame finds the drawn shape of a value. */
export function markName({ point, series }: Pick<ChartCell, "point" | "series">): string {
  return `${point}.${series}`;
}

/** The style of a drawing that fills its frame. */
export const fullSize = { width: "100%", height: "100%" } as const;
