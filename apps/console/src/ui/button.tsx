import type { ReactNode } from "react";
import { classes } from "./classes.ts";

type ButtonKind = "primary" | "danger" | "plain";

const looks: Readonly<Record<ButtonKind, string>> = {
  primary: "bg-accent text-accent-ink hover:bg-[color-mix(in_oklch,var(--accent),var(--ink)_14%)]",
  danger: "bg-danger text-surface hover:bg-[color-mix(in_oklch,var(--danger),var(--ink)_14%)]",
  plain: "border border-line-strong bg-surface text-ink hover:bg-sunken",
};

interface ButtonProps {
  readonly children: ReactNode;
  readonly type?: "button" | "submit";
  /** `danger` for what cannot be taken back. */
  readonly kind?: ButtonKind;
  /** Shown while the work of the button runs; a second press is ignored. */
  readonly isBusy?: boolean;
  readonly isWide?: boolean;
  readonly onPress?: () => void;
}

/** A button. It stays focusable while it is busy, so that the focus is not lost. */
export function Button({
  children,
  type = "button",
  kind = "plain",
  isBusy = false,
  isWide = false,
  onPress,
}: ButtonProps) {
  return (
    <button
      type={type}
      aria-disabled={isBusy}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onPress?.();
      }}
      className={classes(
        "inline-flex h-9 items-center justify-center gap-2 rounded-control px-3.5 font-medium transition-colors duration-100",
        looks[kind],
        isWide && "w-full",
        isBusy && "opacity-60",
      )}
    >
      {children}
    </button>
  );
}
