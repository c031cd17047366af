import type { KeyboardEvent } from "react";

/** Where a key leads from a card: another card, or a move of this one. */
type CardKey =
  | { readonly kind: "FOCUS"; readonly columns: number; readonly cards: number }
  | { readonly kind: "MOVE"; readonly columns: number; readonly cards: number };

const steps: Readonly<Record<string, readonly [columns: number, cards: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Reads a key on a card: arrows go to other cards, with Alt they move it. */
export function cardKey({
  key,
  altKey,
  ctrlKey,
  metaKey,
}: Pick<KeyboardEvent, "key" | "altKey" | "ctrlKey" | "metaKey">): CardKey | null {
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
  if (step === undefined || ctrlKey || metaKey) return null;
  return { kind: altKey ? "MOVE" : "FOCUS", columns: step[0], cards: step[1] };
}
