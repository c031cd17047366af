import { type ReactNode, useId } from "react";

/** A part of the panel under a heading. */
export function PanelSection(props: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-2 border-line border-t pt-4">
      <h3 id={id} className="font-semibold">
        {props.title}
      </h3>
      {props.children}
    </section>
  );
}
