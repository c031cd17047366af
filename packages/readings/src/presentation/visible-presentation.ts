import { mapPresentation } from "./map-presentation.ts";
import { type Presentation, plainTable, type VisiblePresentation } from "./presentation.ts";

/** Leaves out what a reader may not see of a presentation. What remains names no other field. */
export function visiblePresentation(
  presentation: Presentation,
  isVisible: (path: string) => boolean,
): VisiblePresentation {
  const visible = mapPresentation(presentation, (path) => (isVisible(path) ? path : undefined));
  return visible ?? { ...plainTable, degraded: true };
}
