import { type RefObject, useLayoutEffect, useRef } from "react";

/** Pixels between an anchor and what floats beside it, and between that and the window's edge. */
const gap = 4;
const edge = 8;

/**
 * Shows an element of `popover="manual"` beside an anchor, above everything and outside every overflow. It stays in its
 * place of the document, so that events and focus belong to its parents.
 *
 * @param isWide whether it may be wider than its anchor
 */
export function useFloating<Floating extends HTMLElement>(
  anchor: RefObject<HTMLElement | null>,
  isOpen: boolean,
  isWide = false,
): RefObject<Floating | null> {
  const place = useRef<Floating>(null);
  useLayoutEffect(() => {
    const [floating, beside] = [place.current, anchor.current];
    if (!isOpen || floating === null || beside === null) return;
    floating.showPopover();
    const move = () => position(floating, beside.getBoundingClientRect(), isWide);
    move();
    // What it contains may still be loading.
    const sizes = new ResizeObserver(move);
    sizes.observe(floating);
    sizes.observe(beside);
    addEventListener("scroll", move, { capture: true, passive: true });
    // The elements of another width of the window are there in the next frame.
    const onResize = () => requestAnimationFrame(move);
    addEventListener("resize", onResize);
    return () => {
      sizes.disconnect();
      removeEventListener("scroll", move, { capture: true });
      removeEventListener("resize", onResize);
      if (floating.isConnected) floating.hidePopover();
    };
  }, [anchor, isOpen, isWide]);
  return place;
}

function position(floating: HTMLElement, beside: DOMRect, isWide: boolean): void {
  const { style } = floating;
  const below = innerHeight - beside.bottom - gap - edge;
  const above = beside.top - gap - edge;
  style.minWidth = `${Math.min(beside.width, innerWidth - 2 * edge)}px`;
  style.maxWidth = isWide ? `${innerWidth - 2 * edge}px` : `${Math.max(beside.width, 320)}px`;
  const { width, height } = floating.getBoundingClientRect();
  const isAbove = height > below && above > below;
  style.maxHeight = `${Math.max(96, isAbove ? above : below)}px`;
  style.left = `${Math.max(edge, Math.min(beside.left, innerWidth - width - edge))}px`;
  style.top = isAbove
    ? `${Math.max(edge, beside.top - gap - Math.min(height, above))}px`
    : `${beside.bottom + gap}px`;
}

/** The look of what floats: its size and place are set by `useFloating`. */
export const floatingClasses =
  "inset-auto fixed m-0 overflow-auto rounded-panel border border-line-strong bg-surface p-1 text-3 text-ink";
