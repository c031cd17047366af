import type { IconComponent } from "../../ui/create-icon.ts";
import type { Size } from "../../ui/drawing/geometry.ts";

/** A sign on a card, with a word: a state, faults, a kind of change. */
export interface CardSign {
  readonly icon: IconComponent;
  readonly text: string;
  readonly tone: "plain" | "accent" | "ok" | "warn" | "danger";
}

/** What a card of a graph shows. */
export interface GraphCard {
  readonly icon: IconComponent;
  readonly name: string;
  /** One line below the name. */
  readonly text: string;
  /** The third line; cards of a graph have all one or all none. */
  readonly state?: CardSign | undefined;
  /** At the end of the third line: a time, a number of rows. */
  readonly detail?: string | undefined;
  /** At the end of the first line. */
  readonly sign?: CardSign | undefined;
  readonly isFaint?: boolean;
}

/** Sizes of cards without and with a third line. */
export const cardSize: Size = { width: 232, height: 56 };
export const stateCardSize: Size = { width: 232, height: 78 };

export const toneColors: Readonly<Record<CardSign["tone"], string>> = {
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
