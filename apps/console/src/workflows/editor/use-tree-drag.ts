import { type PointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import type { Place } from "../model/edit-steps.ts";
import type { OutlineRow } from "../model/outline.ts";
import { isWithin, splitPointer } from "../model/pointer.ts";
import { placeAtRow, type RowPlace } from "./tree-place.ts";

/** Pixels that a pointer moves before a press becomes a drag. */
const dragFrom = 5;
/** Pixels from an edge in which the tree scrolls, and pixels that it scrolls each frame. */
const scrollEdge = 32;
const scrollStep = 8;

interface Drag {
  readonly key: string;
  readonly pointer: string;
  readonly place: RowPlace | undefined;
}

/** Moves a step by the pointer. Escape ends the drag without a move. */
export function useTreeDrag(
  tree: RefObject<HTMLElement | null>,
  rows: readonly OutlineRow[],
  rowHeight: number,
  onDrop: (pointer: string, place: RowPlace) => void,
) {
  const [drag, setDrag] = useState<Drag>();
  const start = useRef<{ readonly y: number; readonly key: string; readonly pointer: string }>(
    null,
  );
  const latest = useRef({ drag, rows });
  latest.current = { drag, rows };
  const lastY = useRef(0);
  const isDragging = drag !== undefined;

  const update = (clientY: number) => {
    const element = tree.current;
    const from = start.current;
    if (element === null || from === null) return;
    const y = clientY - element.getBoundingClientRect().top + element.scrollTop;
    const all = latest.current.rows;
    const index = Math.max(0, Math.min(all.length - 1, Math.floor(y / rowHeight)));
    const place = placeAtRow(all, index, y - index * rowHeight > rowHeight / 2);
    const { key, pointer } = from;
    setDrag({
      key,
      pointer,
      place: place !== undefined && moves(pointer, place) ? place : undefined,
    });
  };
  const updateNow = useRef(update);
  updateNow.current = update;

  useEffect(() => {
    if (!isDragging) return;
    const cancel = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      start.current = null;
      setDrag(undefined);
    };
    addEventListener("keydown", cancel);
    let frame = requestAnimationFrame(function scroll() {
      const element = tree.current;
      if (element !== null) {
        const { top, bottom } = element.getBoundingClientRect();
        const step =
          lastY.current < top + scrollEdge
            ? -scrollStep
            : lastY.current > bottom - scrollEdge
              ? scrollStep
              : 0;
        if (step !== 0) {
          element.scrollTop += step;
          updateNow.current(lastY.current);
        }
      }
      frame = requestAnimationFrame(scroll);
    });
    return () => {
      removeEventListener("keydown", cancel);
      cancelAnimationFrame(frame);
    };
  }, [isDragging, tree]);

  return {
    drag,
    /** For the row of a step. */
    onRowPress: (event: PointerEvent<HTMLElement>, row: OutlineRow) => {
      const isButton = event.target instanceof Element && event.target.closest("button") !== null;
      // A finger scrolls the tree; it moves steps by their menu.
      if (event.button !== 0 || event.pointerType === "touch" || isButton) return;
      if (row.type === "step")
        start.current = { y: event.clientY, key: row.key, pointer: row.pointer };
    },
    /** For the tree. */
    events: {
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        const from = start.current;
        if (from === null) return;
        lastY.current = event.clientY;
        if (!isDragging && Math.abs(event.clientY - from.y) < dragFrom) return;
        if (!isDragging) event.currentTarget.setPointerCapture(event.pointerId);
        update(event.clientY);
      },
      onPointerUp: () => {
        start.current = null;
        const { drag: last } = latest.current;
        setDrag(undefined);
        if (last?.place !== undefined) onDrop(last.pointer, last.place);
      },
      onPointerCancel: () => {
        start.current = null;
        setDrag(undefined);
      },
    },
  };
}

/** Whether a step is elsewhere after a move. */
export function moves(pointer: string, { list, index }: Place): boolean {
  if (isWithin(list, pointer)) return false;
  const own = splitPointer(pointer);
  return list !== own.list || (index !== own.index && index !== own.index + 1);
}
