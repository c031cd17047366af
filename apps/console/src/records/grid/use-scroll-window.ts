import { type RefObject, useCallback, useLayoutEffect, useState } from "react";
import { flushSync } from "react-dom";

/** The part of a scrolled element that is drawn: rows by their position, and a span in pixels. */
interface ScrollWindow {
  readonly firstRow: number;
  /** Not included. */
  readonly endRow: number;
  readonly left: number;
  readonly right: number;
  /** Number of whole rows that fit. */
  readonly page: number;
}

/** Rows beyond either edge, so that a fast scroll shows no gap. */
const spareRows = 6;
/** The window moves by steps, since a component that renders for each pixel cannot follow the wheel. */
const rowStep = 4;
const columnStep = 200;

const nothing: ScrollWindow = { firstRow: 0, endRow: 0, left: 0, right: 0, page: 1 };

/** Follows the scroll position and the size of an element whose rows have one height. */
export function useScrollWindow(
  place: RefObject<HTMLElement | null>,
  rowHeight: number,
  headHeight: number,
): { readonly window: ScrollWindow; readonly onScroll: () => void } {
  const [shown, show] = useState(nothing);
  const measure = useCallback((): void => {
    const element = place.current;
    if (element === null) return;
    const next = windowAt(element, rowHeight, headHeight);
    show((last) => (isSame(last, next) ? last : next));
  }, [place, rowHeight, headHeight]);
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return;
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [place, measure]);
  // The rows of the new position are drawn in the same frame.
  const onScroll = useCallback(() => flushSync(measure), [measure]);
  return { window: shown, onScroll };
}

function windowAt(element: HTMLElement, rowHeight: number, headHeight: number): ScrollWindow {
  const { scrollTop, clientHeight, scrollLeft, clientWidth } = element;
  const first = Math.floor(scrollTop / rowHeight / rowStep) * rowStep;
  const seen = Math.ceil(clientHeight / rowHeight) + rowStep;
  const left = Math.floor(scrollLeft / columnStep) * columnStep;
  return {
    firstRow: Math.max(0, first - spareRows),
    endRow: first + seen + spareRows,
    left: left - columnStep,
    right: left + clientWidth + 2 * columnStep,
    page: Math.max(1, Math.floor((clientHeight - headHeight) / rowHeight) - 1),
  };
}

function isSame(one: ScrollWindow, other: ScrollWindow): boolean {
  return (
    one.firstRow === other.firstRow &&
    one.endRow === other.endRow &&
    one.left === other.left &&
    one.right === other.right &&
    one.page === other.page
  );
}
