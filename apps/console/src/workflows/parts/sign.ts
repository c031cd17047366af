import type { IconComponent } from "../../ui/create-icon.ts";

/** A state or a mark: an icon and a word, with a color that repeats them. */
export interface Sign {
  readonly icon: IconComponent;
  readonly text: string;
  readonly tone: "plain" | "accent" | "ok" | "warn" | "danger";
}

/** The colors of the tones, as texts. */
export const toneClasses: Readonly<Record<Sign["tone"], string>> = {
  plain: "text-ink-2",
  accent: "text-accent",
  ok: "text-ok",
  warn: "text-warn",
  danger: "text-danger",
};
