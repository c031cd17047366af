import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";
import { Minus, Plus } from "../../ui/icons.generated.ts";
import { useDraft } from "../draft/draft-context.ts";

interface PartRowProps {
  /** `part/id`, `constraint/name` or `index/name`. */
  readonly place: string;
  readonly name: ReactNode;
  readonly facts: ReactNode;
  readonly mark?: "added" | "dropped" | undefined;
  readonly children?: ReactNode;
}

/** A key, a relation, an index or a check, with its faults and what can be done with it. */
export function PartRow({ place, name, facts, mark, children }: PartRowProps) {
  const t = useTranslations("tableDraft");
  const { faultsAt } = useDraft();
  const Icon = mark === "added" ? Plus : Minus;
  return (
    <li
      className={classes(
        "flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-b px-2 py-2 last:border-b-0",
        mark === "added" && "bg-ok-soft",
        mark === "dropped" && "bg-danger-soft",
      )}
    >
      {mark !== undefined && (
        <span
          role="img"
          aria-label={t(mark)}
          className={mark === "added" ? "text-ok" : "text-danger"}
        >
          <Icon size={14} aria-hidden="true" />
        </span>
      )}
      <div className="grid min-w-0 flex-[1_1_14rem] gap-0.5">
        <div dir="auto" className={classes("wrap-anywhere", mark === "dropped" && "line-through")}>
          {name}
        </div>
        <div dir="auto" className="text-2 text-ink-2 wrap-anywhere">
          {facts}
        </div>
        {faultsAt(place).map(({ member, message }) => (
          <p key={`${member} ${message}`} lang="en" className="text-2 text-danger">
            {message}
          </p>
        ))}
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">{children}</div>
    </li>
  );
}

/** The list of such parts. */
export function PartList(props: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul
      aria-label={props.label}
      className="overflow-hidden rounded-panel border border-line bg-surface empty:hidden"
    >
      {props.children}
    </ul>
  );
}
