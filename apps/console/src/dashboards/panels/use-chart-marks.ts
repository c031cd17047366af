import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { ChartCell } from "../model/chart-data.ts";
import { besideIn, type DrawnChart, steppedIndex } from "../model/drawn-chart.ts";
import type { ChartKind, Mark } from "../model/open-panel.ts";

interface MarksOptions {
  readonly drawn: DrawnChart;
  readonly onDrill: ((mark: Mark) => void) | undefined;
}

/** The active value of a chart, which follows the pointer and the arrow keys. */
export function useChartMarks(
  drawing: RefObject<HTMLDivElement | null>,
  tip: RefObject<HTMLDivElement | null>,
  { drawn, onDrill }: MarksOptions,
) {
  const { cells } = drawn;
  const [wanted, setWanted] = useState(0);
  const [isShown, setShown] = useState(false);
  /** Whether the press that ends now began on a value that was shown already, as with a mouse. */
  const wasShown = useRef(false);
  const index = Math.min(wanted, cells.length - 1);
  const active: ChartCell | undefined = cells[index];
  const name = active === undefined || !isShown ? undefined : markName(active);

  useLayoutEffect(() => {
    const frame = drawing.current;
    if (frame === null || name === undefined) return;
    const shape = frame.querySelector(`[data-mark="${name}"]`);
    shape?.setAttribute("data-active", "");
    place(frame, tip.current, shape);
    return () => shape?.removeAttribute("data-active");
  }, [drawing, tip, name]);

  const show = (next: number) => {
    setWanted(next);
    setShown(true);
  };
  const follow = (event: PointerEvent) => {
    const frame = drawing.current;
    const found = frame === null ? undefined : nearestMark(frame, event, drawn.kind);
    const at = cells.findIndex((cell) => markName(cell) === found);
    if (at === -1) setShown(false);
    else show(at);
    return at;
  };
  return {
    ...{ active, index, isShown },
    events: {
      onPointerMove: follow,
      onPointerDown: (event: PointerEvent) => {
        wasShown.current = isShown && index === follow(event);
      },
      onPointerLeave: () => setShown(false),
      onClick: () => {
        if (wasShown.current && active !== undefined) onDrill?.(active.mark);
      },
      onFocus: (event: { readonly target: Element }) => {
        if (event.target.matches(":focus-visible")) setShown(true);
      },
      onBlur: () => setShown(false),
      onKeyDown: (event: KeyboardEvent) => {
        const next =
          steppedIndex(event.key, index, cells.length) ?? besideIn(event.key, cells, index);
        if (next !== undefined) show(next);
        else if (event.key === "Enter" || event.key === " ") {
          if (active !== undefined) onDrill?.(active.mark);
        } else if (event.key === "Escape" && isShown) setShown(false);
        else return;
        event.preventDefault();
      },
    },
  };
}

/** Places the tooltip above the shape of a value, within the chart. */
function place(frame: Element, tip: HTMLElement | null, shape: Element | null): void {
  if (tip === null) return;
  const outer = frame.getBoundingClientRect();
  const inner = shape?.getBoundingClientRect() ?? outer;
  const own = tip.getBoundingClientRect();
  const left = inner.left + inner.width / 2 - outer.left - own.width / 2;
  const above = inner.top - outer.top - own.height - 6;
  tip.style.left = `${Math.max(0, Math.min(outer.width - own.width, left))}px`;
  tip.style.top = `${above < 0 ? Math.min(inner.top - outer.top + 8, outer.height) : above}px`;
}

/** Pixels around a slice within which a press still means it. */
const farMax = 32;

/**
 * Returns the name of the value at the pointer: the shape below it, else the nearest one, where the distance along the
 * axis counts most.
 */
function nearestMark(
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

/** The name by which the frame finds the drawn shape of a value. */
export function markName({ point, series }: Pick<ChartCell, "point" | "series">): string {
  return `${point}.${series}`;
}

/** The style of a drawing that fills its frame. */
export const fullSize = { width: "100%", height: "100%" } as const;
