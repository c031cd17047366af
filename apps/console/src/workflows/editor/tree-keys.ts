import type { KeyboardEvent } from "react";
import type { Direction } from "../model/keyboard-moves.ts";
import type { OutlineRow } from "../model/outline.ts";
import type { Outline } from "./use-outline.ts";

/** What the keys of the tree do besides moving between its rows. */
export interface TreeDeeds {
  /** The row is chosen, and its form gets the focus. */
  open(row: OutlineRow): void;
  move(row: OutlineRow, direction: Direction): void;
  remove(row: OutlineRow): void;
  duplicate(row: OutlineRow): void;
  /** A step is added at the place of the row. */
  add(row: OutlineRow): void;
  openMenu(row: OutlineRow): void;
}

const directions: Readonly<Record<string, Direction>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowRight: "in",
  ArrowLeft: "out",
};

/** Changes steps by a key at a row; true if the key has such an effect. */
export function actOnRow(
  event: KeyboardEvent<HTMLElement>,
  row: OutlineRow,
  deeds: TreeDeeds,
): boolean {
  const { key, altKey, shiftKey } = event;
  const mod = event.ctrlKey || event.metaKey;
  const direction = directions[key];
  if (altKey) {
    if (direction === undefined || mod) return false;
    deeds.move(row, direction);
    return true;
  }
  if (mod) {
    if (key.toLowerCase() !== "d" || shiftKey) return false;
    deeds.duplicate(row);
    return true;
  }
  const deed = {
    Enter: deeds.open,
    " ": deeds.open,
    Delete: deeds.remove,
    Backspace: deeds.remove,
    Insert: deeds.add,
    "+": deeds.add,
    ContextMenu: deeds.openMenu,
    F10: shiftKey ? deeds.openMenu : undefined,
  }[key];
  deed?.(row);
  return deed !== undefined;
}

/** Acts on a key of the tree, after the pattern of ARIA; returns the row to go to. */
export function actOnKey(
  event: KeyboardEvent<HTMLElement>,
  { rows, active, toggle }: Outline,
  page: number,
  deeds: TreeDeeds,
): OutlineRow | undefined {
  const row = rows[active];
  if (row === undefined || event.nativeEvent.isComposing) return undefined;
  const { key } = event;
  const handled = (): undefined => {
    event.preventDefault();
    event.stopPropagation();
  };
  if (actOnRow(event, row, deeds)) return handled();
  if (event.altKey || event.ctrlKey || event.metaKey) return undefined;
  const steps: Readonly<Record<string, number>> = {
    ...{ ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: rows.length - 1 },
    ...{ PageDown: active + page, PageUp: active - page },
  };
  const step = steps[key];
  if (step !== undefined) {
    handled();
    return rows[Math.max(0, Math.min(rows.length - 1, step))];
  }
  if (key === "ArrowRight") {
    handled();
    if (row.isOpen === true) return rows[active + 1];
    if (row.isOpen === false) toggle(row.key, true);
    return undefined;
  }
  if (key === "ArrowLeft") {
    handled();
    if (row.isOpen !== true) return rows.find((one) => one.key === row.parent);
    toggle(row.key, false);
  }
  return undefined;
}

/** Returns the next row after the active one whose name begins with a text. */
export function findByName(
  { rows, active }: Outline,
  text: string,
  nameOf: (row: OutlineRow) => string,
): OutlineRow | undefined {
  const wanted = text.toLowerCase();
  // A single letter goes on to the next row; a longer text may still fit the active one.
  const first = text.length === 1 ? active + 1 : active;
  const order = [...rows.slice(first), ...rows.slice(0, first)];
  return order.find((row) => nameOf(row).toLowerCase().startsWith(wanted));
}
