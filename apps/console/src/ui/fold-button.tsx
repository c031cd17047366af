import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import { ChevronDown, ChevronRight } from "./icons.generated.ts";

/** Opens and closes what stands below it; the right and left arrows do so too. */
export function FoldButton(props: {
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const { isOpen, onToggle, className } = props;
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={() => onToggle(!isOpen)}
      onKeyDown={({ key }) => {
        if (key === "ArrowRight") onToggle(true);
        else if (key === "ArrowLeft") onToggle(false);
      }}
      className={classes("flex min-h-6 w-full min-w-0 items-center text-left", className)}
    >
      <Icon size={14} aria-hidden="true" className="shrink-0 text-ink-2" />
      {props.children}
    </button>
  );
}
