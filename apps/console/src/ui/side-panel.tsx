import type { KeyboardEventHandler, ReactNode } from "react";

/** The panel beside the grid; on a narrow screen, a page above it and below the bar. */
export function SidePanel(props: {
  readonly label: string;
  readonly onKeyDown?: KeyboardEventHandler;
  readonly children: ReactNode;
}) {
  return (
    <aside
      aria-label={props.label}
      onKeyDown={props.onKeyDown}
      className="flex min-h-0 w-95 flex-col xl:w-112 border-line border-l bg-surface max-md:fixed max-md:inset-x-0 max-md:top-[49px] max-md:bottom-0 max-md:z-5 max-md:w-full max-md:border-l-0"
    >
      {props.children}
    </aside>
  );
}

/** The heading of the panel, with buttons at its end. */
export function PanelHead(props: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="flex items-center gap-1 border-line border-b px-4 py-2">
      <h2 className="min-w-0 flex-1 truncate text-4 font-semibold" dir="auto" title={props.title}>
        {props.title}
      </h2>
      {props.children}
    </div>
  );
}
