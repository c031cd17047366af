import type { ReactNode } from "react";

/** Entries under each other, each with its actions. */
export function Entries({ children }: { readonly children: ReactNode }) {
  return <ul className="rounded-panel border border-line bg-surface">{children}</ul>;
}

/** An entry: a name, what is known of it, and what can be done with it. */
export function Entry(props: {
  readonly name: ReactNode;
  readonly facts: readonly string[];
  /** Why an action has failed. */
  readonly notice?: ReactNode;
  readonly actions: ReactNode;
}) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-b px-4 py-3 last:border-b-0">
      <div className="grid min-w-0 flex-[1_1_16rem] gap-0.5">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">
          {props.name}
        </div>
        {props.facts.map((fact) => (
          <p key={fact} className="text-2 text-ink-2 wrap-anywhere">
            {fact}
          </p>
        ))}
        {props.notice}
      </div>
      <div className="flex flex-wrap gap-2">{props.actions}</div>
    </li>
  );
}

const looks = {
  ok: "bg-ok-soft text-ok",
  warn: "bg-warn-soft text-warn",
  plain: "bg-sunken text-ink-2",
};

/** A state in a word. */
export function StateBadge(props: {
  readonly look: keyof typeof looks;
  readonly children: ReactNode;
}) {
  return (
    <span className={`rounded-full px-2 text-2 font-medium ${looks[props.look]}`}>
      {props.children}
    </span>
  );
}
