import { type ReactNode, useId } from "react";

/** A part of the preview. */
export function PaneSection(props: {
  readonly title?: string;
  readonly detail?: string;
  readonly children: ReactNode;
}) {
  const id = useId();
  const { title, detail } = props;
  return (
    <section
      aria-labelledby={title === undefined ? undefined : id}
      className="grid gap-2 border-line border-b p-4 last:border-b-0"
    >
      {title !== undefined && (
        <h2 id={id} className="font-semibold">
          {title} {detail !== undefined && <span className="font-normal text-ink-2">{detail}</span>}
        </h2>
      )}
      {props.children}
    </section>
  );
}
