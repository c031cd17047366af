import { type PointerEvent, useEffect, useRef, useState } from "react";
import type { Point } from "../../ui/drawing/geometry.ts";
import type { GraphPlace } from "./layout-graph.ts";

/** Pixels that a pointer moves before a press becomes a drag. */
const dragFrom = 5;
/** Pixels of the drawing from a place within which a card is dropped there. */
const reach = 110;

interface CardDrag extends Point {
  readonly key: string;
  readonly place: GraphPlace | undefined;
}

interface CardDragOptions {
  readonly places: readonly GraphPlace[];
  readonly scale: number;
  /** Whether a card can be moved to a place. */
  readonly fits: (key: string, place: GraphPlace) => boolean;
  readonly onDrop: (key: string, place: GraphPlace) => void;
}

/** Moves a card by the pointer to the nearest place of a line. Escape ends the drag without a move. */
export function useCardDrag({ places, scale, fits, onDrop }: CardDragOptions) {
  const [drag, setDrag] = useState<CardDrag>();
  const start = useRef<Point & { readonly key: string; readonly card: Point }>(null);
  const wasDrag = useRef(false);
  const isDragging = drag !== undefined;
  useEffect(() => {
    if (!isDragging) return;
    const cancel = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      start.current = null;
      setDrag(undefined);
    };
    addEventListener("keydown", cancel);
    return () => removeEventListener("keydown", cancel);
  }, [isDragging]);
  return {
    drag,
    /** Whether the press that ends with this click has moved the card. */
    takeClick: () => {
      const was = wasDrag.current;
      wasDrag.current = false;
      return was;
    },
    /** For the card with a key, whose middle is a point of the drawing. */
    eventsOf: (key: string, card: Point) => ({
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        event.stopPropagation();
        wasDrag.current = false;
        // A finger scrolls the graph; it moves steps by their menu.
        if (event.button !== 0 || event.pointerType === "touch") return;
        start.current = { x: event.clientX, y: event.clientY, key, card };
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        const from = start.current;
        if (from === null) return;
        const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
        if (!isDragging && Math.hypot(dx, dy) < dragFrom) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        wasDrag.current = true;
        const [x, y] = [dx / scale, dy / scale];
        const middle = { x: from.card.x + x, y: from.card.y + y };
        const place = nearest(
          places.filter((one) => fits(from.key, one)),
          middle,
        );
        setDrag({ key: from.key, x, y, place });
      },
      onPointerUp: () => {
        start.current = null;
        setDrag(undefined);
        if (drag?.place !== undefined) onDrop(drag.key, drag.place);
      },
      onPointerCancel: () => {
        start.current = null;
        setDrag(undefined);
      },
    }),
  };
}

function nearest(places: readonly GraphPlace[], to: Point): GraphPlace | undefined {
  let found: GraphPlace | undefined;
  let least = reach;
  for (const place of places) {
    const distance = Math.hypot(place.x - to.x, place.y - to.y);
    if (distance < least) [found, least] = [place, distance];
  }
  return found;
}
