import type { ComponentProps, ReactNode } from "react";
import { classes } from "./classes.ts";

interface ToolButtonProps extends Omit<ComponentProps<"button">, "type"> {
  readonly children: ReactNode;
  readonly kind?: keyof typeof kinds;
}

const kinds = {
  primary: "bg-accent text-accent-ink hover:bg-[color-mix(in_oklch,var(--accent),var(--ink)_14%)]",
  plain: "border border-line-strong bg-surface text-ink hover:bg-sunken",
  bare: "text-ink-2 hover:bg-sunken hover:text-ink",
  danger: "border border-line-strong bg-surface text-danger hover:bg-danger-soft",
};

/** The look of a button of a toolbar, for links beside such buttons. */
export function toolClasses(kind: keyof typeof kinds): string {
  return classes(
    "inline-flex h-7 min-w-7 shrink-0 items-center justify-center gap-1.5 rounded-control px-2.5 font-medium whitespace-nowrap disabled:opacity-50",
    kinds[kind],
  );
}

/** A button of a toolbar. */
export function ToolButton({ kind = "plain", className, ...button }: ToolButtonProps) {
  return <button {...button} type="button" className={classes(toolClasses(kind), className)} />;
}

/** A key, as a hint beside what it does. */
export function KeyHint({ children }: { readonly children: ReactNode }) {
  return (
    <span aria-hidden="true" className="max-lg:hidden">
      <kbd className="rounded-[4px] border border-current/35 px-1 font-mono text-1 leading-4">
        {children}
      </kbd>
    </span>
  );
}
