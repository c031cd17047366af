import type { ChartKind } from "../model/open-panel.ts";

/** Pixels around a slice within which a press still means it. */
const farMax = 32;

/**
 * Returns the name of the value at the pointer: the shape below it, else the nearest one, where the distance along the
 * axis counts most.
 */
export function nearestMark(
  frame: Element,
  { clientX, clientY }: { readonly clientX: number; readonly clientY: number },
  kind: ChartKind,
): string | undefined {
  const hit = document
    .elementsFromPoint(clientX, clientY)
    .map((element) => element.closest("[data-mark]"))
    .find((shape) => shape !== null && frame.contains(shape));
  if (hit !== null && hit !== undefined) return hit.getAttribute("data-mark") ?? undefined;
  if (kind === "donut") return undefined;
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const shape of frame.querySelectorAll("[data-mark]")) {
    const { left, right, top, bottom } = shape.getBoundingClientRect();
    const across = Math.max(left - clientX, 0, clientX - right);
    const along = Math.max(top - clientY, 0, clientY - bottom);
    const isLying = kind !== "line" && kind !== "area" && along > across && along > farMax;
    const distance = isLying ? across + along * 8 : across * 8 + along;
    const name = shape.getAttribute("data-mark");
    if (name !== null && (best === undefined || distance < best.distance))
      best = { name, distance };
  }
  return best?.name;
}
