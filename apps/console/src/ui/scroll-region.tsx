import type { ReactNode } from "react";

/** WCAG 2.1.1: the keyboard scrolls the region, which has no control inside. */
const focusable = { tabIndex: 0 };

/** A named part of a page that scrolls by itself. */
export function ScrollRegion(props: {
  readonly label: string;
  readonly className: string;
  readonly children: ReactNode;
}) {
  return (
    <section
      aria-label={props.label}
      {...focusable}
      className={`relative overflow-auto rounded-panel border border-line bg-surface ${props.className}`}
    >
      {props.children}
    </section>
  );
}
