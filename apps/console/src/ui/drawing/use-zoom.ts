import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Size } from "./geometry.ts";

const limits = { least: 0.1, most: 2 };
const step = 1.25;

/** How a drawing in a scrolling box is enlarged. */
export interface Zoom {
  readonly scale: number;
  in(): void;
  out(): void;
  /** Shows the whole drawing. */
  fit(): void;
}

/**
 * Enlarges a drawing in a scrolling box; the middle of what is shown stays where it is.
 *
 * @param legible the drawing is first shown no smaller than this
 */
export function useZoom(box: RefObject<HTMLElement | null>, drawing: Size, legible: number): Zoom {
  const [scale, setScale] = useState(1);
  const last = useRef(1);
  const { width, height } = drawing;
  const by = useCallback(
    (factor: number) =>
      setScale((now) => Math.min(limits.most, Math.max(limits.least, now * factor))),
    [],
  );
  const fit = useCallback(
    (least = limits.least) => {
      const place = box.current;
      if (place === null) return;
      const wanted = Math.min(place.clientWidth / width, place.clientHeight / height, 1);
      setScale(Math.max(least, wanted));
    },
    [box, width, height],
  );
  const isFitted = useRef(false);
  useLayoutEffect(() => {
    if (!isFitted.current) fit(legible);
    // A drawing that changes while somebody looks at it keeps its size.
    isFitted.current = true;
  }, [fit, legible]);
  useLayoutEffect(() => {
    const place = box.current;
    const factor = scale / last.current;
    last.current = scale;
    if (place === null || factor === 1) return;
    const middle = { x: place.clientWidth / 2, y: place.clientHeight / 2 };
    place.scrollLeft = (place.scrollLeft + middle.x) * factor - middle.x;
    place.scrollTop = (place.scrollTop + middle.y) * factor - middle.y;
  }, [box, scale]);
  useEffect(() => {
    const place = box.current;
    // React's own listener cannot keep the page from growing.
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      by(event.deltaY < 0 ? step : 1 / step);
    };
    place?.addEventListener("wheel", onWheel, { passive: false });
    return () => place?.removeEventListener("wheel", onWheel);
  }, [box, by]);
  return { scale, fit: () => fit(), in: () => by(step), out: () => by(1 / step) };
}
