import { type PointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import { type Drag, draggedTo } from "./drag-state.ts";
import { columnCount, isSamePlace, type Placed } from "./layout.ts";

interface DragOptions {
  readonly board: RefObject<HTMLElement | null>;
  /** Pixels of a row and of the gap between panels. */
  readonly rowHeight: number;
  readonly gap: number;
  readonly onDrop: (drag: Drag) => void;
}

/** Pixels before a press becomes a drag. */
const slack = 4;
/** Near the edge of the window, the page scrolls by some pixels with each movement. */
const edge = { width: 48, step: 16 };

interface Start {
  readonly x: number;
  readonly y: number;
  readonly top: number;
}

/** Drags panels with a mouse, a pen or a finger. Escape takes the drag back. */
export function usePanelDrag({ board, rowHeight, gap, onDrop }: DragOptions) {
  const [drag, setDrag] = useState<Drag>();
  const start = useRef<Start>(null);
  const isDragging = drag !== undefined;
  useEffect(() => {
    if (!isDragging) return;
    const cancel = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      start.current = null;
      setDrag(undefined);
    };
    addEventListener("keydown", cancel, { capture: true });
    return () => removeEventListener("keydown", cancel, { capture: true });
  }, [isDragging]);
  return {
    drag,
    /** The handlers of the element by which a panel is moved or resized. */
    handlers: ({ id, layout }: Placed, way: Drag["way"]) => ({
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        const place = board.current;
        if (event.button !== 0 || place === null || !hasColumns(place)) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, y: event.clientY, top: topOf(place) };
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        const [place, from] = [board.current, start.current];
        if (place === null || from === null) return;
        scrollNear(event.currentTarget, event.clientY);
        const shift = {
          x: event.clientX - from.x,
          y: event.clientY - from.y + from.top - topOf(place),
        };
        if (drag === undefined && Math.hypot(shift.x, shift.y) < slack) return;
        const cell = { x: (place.clientWidth + gap) / columnCount, y: rowHeight + gap };
        setDrag({ id, way, from: layout, shift, to: draggedTo(layout, way, shift, cell) });
      },
      onPointerUp: () => {
        start.current = null;
        setDrag(undefined);
        if (drag !== undefined && !isSamePlace(drag.to, drag.from)) onDrop(drag);
      },
      onPointerCancel: () => {
        start.current = null;
        setDrag(undefined);
      },
    }),
  };
}

function topOf(element: HTMLElement): number {
  return element.getBoundingClientRect().top;
}

/** On a narrow board, the panels are below each other, and there is no place to drag them to. */
function hasColumns(board: HTMLElement): boolean {
  return getComputedStyle(board).gridTemplateColumns.split(" ").length === columnCount;
}

function scrollNear(element: HTMLElement, y: number): void {
  const step = y > innerHeight - edge.width ? edge.step : y < edge.width ? -edge.step : 0;
  if (step === 0) return;
  for (let at = element.parentElement; at !== null; at = at.parentElement) {
    const isScrolled = /auto|scroll/.test(getComputedStyle(at).overflowY);
    if (isScrolled || at === document.documentElement) {
      at.scrollBy(0, step);
      return;
    }
  }
}
