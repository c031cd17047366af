import { type PointerEvent, useRef } from "react";

/** Presses that move less than these pixels are no drags. */
const dragMin = 4;

/** The handlers by which a drag with the mouse scrolls a box. A touch scrolls it by itself. */
export function useDragScroll() {
  const start = useRef<{ x: number; y: number; left: number; top: number; isDrag: boolean }>(null);
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.pointerType !== "mouse" || event.button !== 0) return;
      const { scrollLeft: left, scrollTop: top } = event.currentTarget;
      start.current = { x: event.clientX, y: event.clientY, left, top, isDrag: false };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const from = start.current;
      if (from === null) return;
      const [x, y] = [event.clientX - from.x, event.clientY - from.y];
      if (!from.isDrag && Math.hypot(x, y) < dragMin) return;
      if (!from.isDrag) event.currentTarget.setPointerCapture(event.pointerId);
      from.isDrag = true;
      event.currentTarget.scrollTo(from.left - x, from.top - y);
    },
    onPointerUp: () => {
      start.current = null;
    },
  };
}
