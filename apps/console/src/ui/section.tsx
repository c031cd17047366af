import { type ReactNode, useId } from "react";

/** A part of a page: a heading, a sentence, and what can be done. */
export function Section(props: {
  readonly title: string;
  readonly text?: ReactNode;
  /** Beside the heading: the button that adds something. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-3">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="grid min-w-0 max-w-140 gap-1">
          <h2 id={id} className="text-4 font-semibold">
            {props.title}
          </h2>
          {props.text !== undefined && <p className="text-ink-2">{props.text}</p>}
        </div>
        {props.aside}
      </div>
      {props.children}
    </section>
  );
}

/** A form in a panel. */
export const panelClasses =
  "grid gap-4 rounded-panel border border-line bg-surface p-4 *:max-w-110 sm:p-5";
