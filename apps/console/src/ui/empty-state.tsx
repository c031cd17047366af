import type { ReactNode } from "react";

/** In place of a list without entries: why there is none, and what can be done. */
export function EmptyState(props: {
  readonly title: string;
  readonly text?: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <div className="grid justify-items-start gap-3 rounded-panel border border-line border-dashed p-6">
      <div className="grid gap-1">
        <p className="text-4 font-semibold">{props.title}</p>
        {props.text !== undefined && <p className="max-w-140 text-ink-2">{props.text}</p>}
      </div>
      {props.children}
    </div>
  );
}
