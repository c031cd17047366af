import { mapPresentation } from "./map-presentation.ts";
import { type Presentation, plainTable } from "./presentation.ts";

/** A presentation as a reader receives it. */
export type VisiblePresentation = Presentation & {
  /** Whether it is a table because the stored layout depends on a field that the reader may not see. */
  readonly degraded?: true | undefined;
};

/** Leaves out what a reader may not see of a presentation. What remains names no other field. */
export function visiblePresentation(
  presentation: Presentation,
  isVisible: (path: string) => boolean,
): VisiblePresentation {
  const visible = mapPresentation(presentation, (path) => (isVisible(path) ? path : undefined));
  return visible ?? { ...plainTable, degraded: true };
}
