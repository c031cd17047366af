import { type ReactNode, useId } from "react";
import { classes } from "../ui/classes.ts";
import { ChevronRight } from "../ui/icons.generated.ts";

interface SidebarGroupProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** The entries, as items of a list. */
  readonly children: ReactNode;
}

/** Entries of the sidebar under a heading that folds them away. */
export function SidebarGroup({ title, isOpen, onToggle, children }: SidebarGroupProps) {
  const id = useId();
  return (
    <div className="min-w-0">
      <h2>
        <button
          type="button"
          id={id}
          aria-expanded={isOpen}
          onClick={onToggle}
          className="flex h-7 w-full min-w-0 items-center gap-1 rounded-control px-2 text-left text-2 text-ink-2 hover:text-ink focus-visible:outline-offset-[-2px]"
        >
          <span className="truncate" dir="auto" title={title}>
            {title}
          </span>
          <ChevronRight
            size={12}
            aria-hidden="true"
            className={classes("shrink-0 transition-transform duration-100", isOpen && "rotate-90")}
          />
        </button>
      </h2>
      {isOpen && (
        <ul aria-labelledby={id} className="grid gap-px">
          {children}
        </ul>
      )}
    </div>
  );
}
