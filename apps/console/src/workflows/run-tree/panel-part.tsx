import { type ReactNode, useId } from "react";

/** The heading of the panel beside a tree. */
export function PanelTitle({ children }: { readonly children: ReactNode }) {
  return (
    <h2 className="border-line border-b px-4 py-2.5 font-semibold text-4 wrap-anywhere">
      {children}
    </h2>
  );
}

/** A part of the panel beside a tree. */
export function PanelPart(props: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-2 border-line border-b px-4 py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h3 id={id} className="font-medium text-ink-2">
          {props.title}
        </h3>
        {props.aside}
      </div>
      {props.children}
    </section>
  );
}

/** Facts as pairs of a name and a value. */
export function Facts(props: {
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
}) {
  return (
    <dl className="grid grid-cols-[8rem_minmax(0,1fr)] items-baseline gap-x-3 gap-y-1 border-line border-b px-4 py-3">
      {props.facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-2">{name}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
