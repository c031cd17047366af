import type { KeyboardEvent } from "react";
import type { IconComponent } from "../../ui/create-icon.ts";
import type { Size } from "../../ui/drawing/geometry.ts";
import type { Sign } from "../parts/sign.ts";
import type { GraphPlace } from "./layout-graph.ts";

/** What a card of a graph shows. */
export interface GraphCard {
  readonly icon: IconComponent;
  readonly name: string;
  /** One line below the name. */
  readonly text: string;
  /** The third line; cards of a graph have all one or all none. */
  readonly state?: Sign | undefined;
  /** At the end of the third line: a time, a number of rows. */
  readonly detail?: string | undefined;
  /** At the end of the first line. */
  readonly sign?: Sign | undefined;
  readonly isFaint?: boolean;
  readonly hasMenu?: boolean;
  /** Whether the step is disabled; its name is struck through. */
  readonly isOff?: boolean;
}

/** What can be done with the steps of a graph that is edited. */
export interface GraphEdits {
  /** Acts on a key at a card; true if it has an effect. */
  onKey(event: KeyboardEvent<HTMLElement>, key: string): boolean;
  openMenu(key: string, beside: Element): void;
  insert(place: GraphPlace): void;
  fits(key: string, place: GraphPlace): boolean;
  moveTo(key: string, place: GraphPlace): void;
}

/** Sizes of cards without and with a third line. */
export const cardSize: Size = { width: 232, height: 56 };
export const stateCardSize: Size = { width: 232, height: 78 };

export const toneColors: Readonly<Record<Sign["tone"], string>> = {
  plain: "var(--ink-2)",
  accent: "var(--accent)",
  ok: "var(--ok)",
  warn: "var(--warn)",
  danger: "var(--danger)",
};

/** Returns what a screen reader says of a card. */
export function labelOf({ name, text, state, detail, sign }: GraphCard): string {
  return [name, text, state?.text, detail, sign?.text]
    .filter((part) => part !== undefined && part !== "")
    .join(", ");
}
